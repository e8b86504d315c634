"""Buttons at the seats: a short press means done or yes, a long one (held 0.8 s) means undo.

gpiozero calls back from lgpio's only event thread: an exception there would silence every button for good, and slow
work would delay them all. So every callback is wrapped by `safely` and does nothing but call `on_press`, which puts a
value into the inbox.

    >>> from hardware import pins
    >>> mock, times = pins.factory({"GPIOZERO_PIN_FACTORY": "mock"}), iter([10.0, 10.2])
    >>> button = SeatButton(5, seat=0, on_press=print, clock=lambda: next(times), factory=mock)
    >>> button.device.pin.drive_low()       # a finger, for 0.2 s
    >>> button.pressed
    True
    >>> button.device.pin.drive_high()
    Press(seat=0, long=False)
    >>> button.close()
    >>> mock.close()
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec

import gpiozero

from companion.session.commands import Done, Undo
from companion.session.port import Desk
from hardware.pins import Factory

_logger = logging.getLogger(__name__)

P = ParamSpec("P")

HOLD_S = 0.8
BOUNCE_S = 0.02
SPIKE_S = 0.03
"""Shorter presses are ignored: they come from bouncing contacts or interference, not from people."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed at a seat; `long`: it was held, and means undo."""

    seat: int
    long: bool = False


def to_desk(desk: Desk) -> Callable[[Press], None]:
    """Hands presses to the session: short says done or yes, long asks for undo."""

    def post(press: Press) -> None:
        command = Undo if press.long else Done
        desk.post(command(desk.snapshot().seq, press.seat, via="button"))

    return post


def safely(callback: Callable[P, object]) -> Callable[P, None]:
    """The callback with every exception logged and kept inside: none may reach the event thread."""

    @wraps(callback)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            callback(*args, **kwargs)
        except BaseException:  # even SystemExit would end the one thread that all buttons share
            _logger.exception("a button's callback failed")

    return wrapped


class Presses:
    """Makes presses of the edges of one button; bouncing contacts and spikes give none.

    The debouncing of the pin library comes before this on real pins; mock pins have none, and no library knows that a
    press of a millisecond is not a person.
    """

    def __init__(self, seat: int, on_press: Callable[[Press], object]) -> None:
        self._seat, self._on_press = seat, on_press
        self._down_s: float | None = None
        self._held = False

    def down(self, now_s: float) -> None:
        """The contact closed."""
        self._down_s, self._held = now_s, False

    def hold(self) -> None:
        """The contact has been closed for the whole of `HOLD_S`: a long press, reported at once."""
        if self._down_s is not None and not self._held:
            self._held = True
            self._on_press(Press(self._seat, long=True))

    def up(self, now_s: float) -> None:
        """The contact opened: a short press, unless it was a long one or only a spike."""
        down_s, self._down_s = self._down_s, None
        if down_s is not None and not self._held and now_s - down_s >= SPIKE_S:
            self._on_press(Press(self._seat))


class SeatButton:
    """The button of one seat, between its pin and ground (the pin's own pull-up holds it high)."""

    def __init__(
        self,
        bcm: int,
        seat: int,
        on_press: Callable[[Press], object],
        clock: Callable[[], float],
        factory: Factory,
        hold_s: float = HOLD_S,
    ) -> None:
        self._presses, self._clock = Presses(seat, on_press), clock
        self.device = gpiozero.Button(bcm, bounce_time=BOUNCE_S, hold_time=hold_s, pin_factory=factory)
        self.device.when_pressed = safely(self._pressed)
        self.device.when_held = safely(self._presses.hold)
        self.device.when_released = safely(self._released)

    def _pressed(self) -> None:
        self._presses.down(self._clock())

    def _released(self) -> None:
        self._presses.up(self._clock())

    @property
    def pressed(self) -> bool:
        """Whether the contact is closed now."""
        return bool(self.device.is_pressed)

    def close(self) -> None:
        """Gives the pin back."""
        self.device.close()
