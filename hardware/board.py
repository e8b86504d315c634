"""All pins of one companion: a button and a lamp a seat, the status lamp, the buzzer.

    >>> from hardware import pins
    >>> mock = pins.factory("mock")
    >>> board = Board(PinConfig(seats=((5, 17), (6, 27))), on_press=print, factory=mock)
    >>> board.light([1.0, 0.0], (0.0, 0.2, 0.0))
    >>> [lamp.value for lamp in board.lamps], tuple(board.status.value)
    ([1.0, 0.0], (0.0, 0.2, 0.0))
    >>> board.sound(440.0)
    >>> round(float(board.buzzer.tone))
    440
    >>> board.close()
    >>> mock.close()

Every lamp is dark when the board is made and when it is closed; a Pi would keep the levels of a process that died.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from typing import Any

import gpiozero
from gpiozero.tones import Tone

from companion.session.config import PinConfig
from hardware.buttons import TICK_S, AtWork, SeatButton
from hardware.lamps import Rgb
from hardware.pins import Factory, told_pins
from hardware.presses import Gesture, Presses
from hardware.wiring import part_phrase

SHADES = 50
"""Steps of brightness: finer ones cannot be seen and would only cost writes."""

PRESS_HUNG_S = 5.0
"""A press is handed on within milliseconds; what takes so long hangs."""


class Board:
    """The pins of one companion. One thread writes; `on_press` is called from gpiozero's and must not wait."""

    def __init__(
        self,
        pins: PinConfig,
        on_press: Callable[[Gesture], object],
        factory: Factory,
        *,
        clock: Callable[[], float] = time.monotonic,
        tick_s: float = TICK_S,
    ) -> None:
        """Claims the pins. Raises `HardwareError` when one of them cannot be had; then none is kept."""
        self.pins, self.factory = pins, factory
        presses, self._at_work = Presses(on_press), AtWork(clock)
        with ExitStack() as claimed:
            def claim(role: str, seat: int | None, make: Callable[[], Any], *bcm: int) -> Any:
                with told_pins(part_phrase(role, seat), bcm, factory):
                    return claimed.enter_context(closing(make()))

            self.buttons: list[SeatButton] = [
                claim("button", seat,
                      partial(SeatButton, bcm, seat, presses, clock, factory, tick_s, self._at_work), bcm)
                for seat, (bcm, _) in enumerate(pins.seats)
            ]
            self.lamps: list[Any] = [
                claim("lamp", seat, partial(gpiozero.PWMLED, bcm, pin_factory=factory), bcm)
                for seat, (_, bcm) in enumerate(pins.seats)
            ]
            rgb = partial(gpiozero.RGBLED, *pins.status_rgb, pin_factory=factory)
            self.status: Any = claim("status", None, rgb, *pins.status_rgb)
            # three octaves around A4: what a small piezo makes heard
            buzzer = partial(gpiozero.TonalBuzzer, pins.buzzer, octaves=3, pin_factory=factory)
            self.buzzer: Any = claim("buzzer", None, buzzer, pins.buzzer)
            claimed.callback(self._dark)
            self._claimed = claimed.pop_all()
        self._dark()

    def light(self, seats: Sequence[float], status: Rgb) -> None:
        """Brightness of each seat's lamp and of the status lamp's colours, each 0 to 1. Writes only what changes."""
        for lamp, level in zip(self.lamps, seats):
            if lamp.value != (shade := _shade(level)):
                lamp.value = shade
        if self.status.value != (colour := tuple(map(_shade, status))):
            self.status.value = colour

    def sound(self, hertz: float) -> None:
        """Sounds the buzzer at this frequency; 0: silence, with the pin low.

        A wave that is stopped leaves the level that it had: direct current through a piezo, an active buzzer that never
        stops. So silence drives the pin low, each time it is asked for: the wave's thread may still end its last cycle.
        """
        if not hertz:
            self.buzzer.stop()
            self.buzzer.pwm_device.pin.state = 0
        elif self.buzzer.tone is None or float(self.buzzer.tone) != hertz:
            self.buzzer.play(Tone.from_frequency(hertz))

    def alive(self) -> bool:
        """Whether buttons can still be heard: lgpio has one thread for all of them. An error would end it, and what
        does not return from a press would hold it for good."""
        notify = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
        return (notify is None or bool(notify.is_alive())) and self._at_work.longest_s() < PRESS_HUNG_S

    def close(self) -> None:
        """Lamps off, silence, pins given back. May be called twice."""
        self._claimed.close()

    def _dark(self) -> None:
        self.sound(0)
        self.light([0.0] * len(self.lamps), (0.0, 0.0, 0.0))


def _shade(level: float) -> float:
    return round(level * SHADES) / SHADES
