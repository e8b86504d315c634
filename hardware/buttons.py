"""Buttons at the seats: a short press means done or yes, a long one (held 0.8 s) no or undo, two held together pause.

gpiozero calls back from lgpio's only event thread: an exception there would silence every button for good, and slow
work would delay them all. So every callback is wrapped by `AtWork.safely` and does nothing but tell `Presses`, which
hands what was meant on; that puts a value into the inbox.

    >>> from hardware import pins
    >>> mock, times = pins.factory("mock"), iter([10.0, 10.2])
    >>> button = SeatButton(5, 0, Presses(print), clock=lambda: next(times), factory=mock)
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
import threading
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import gpiozero

from companion.session.commands import Done, Pause, Undo
from companion.session.port import Desk
from hardware.pins import Factory
from hardware.presses import Gesture, Presses, Together

_logger = logging.getLogger(__name__)

P = ParamSpec("P")

BOUNCE_S = 0.02
TICK_S = 0.2
"""While a button is held, it is told so often that it still is."""


def to_desk(desk: Desk) -> Callable[[Gesture], None]:
    """Hands gestures to the session: short says done or yes, long asks for undo, two together pause or go on."""

    def post(gesture: Gesture) -> None:
        shown = desk.snapshot()
        if isinstance(gesture, Together):
            desk.post(Pause(shown.seq, gesture.seats[0], on=not shown.paused, via="button"))
        else:
            command = Undo if gesture.long else Done
            desk.post(command(shown.seq, gesture.seat, via="button"))

    return post


class AtWork:
    """The buttons' callbacks: since when each has been at work. One that does not return silences all buttons."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since_s: dict[int, float] = {}

    def safely(self, callback: Callable[P, object]) -> Callable[P, None]:
        """The callback with every exception logged and kept inside: none may reach the event thread."""

        @wraps(callback)
        def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
            thread = threading.get_ident()
            self._since_s[thread] = self._clock()
            try:
                callback(*args, **kwargs)
            except BaseException:  # even SystemExit would end the one thread that all buttons share
                _logger.exception("a button's callback failed")
            finally:
                self._since_s.pop(thread, None)

        return wrapped

    def longest_s(self) -> float:
        """For how long the one that began first has been at work; 0 when none is."""
        now_s = self._clock()
        return max((now_s - since_s for since_s in list(self._since_s.values())), default=0.0)


class SeatButton:
    """The button of one seat, between its pin and ground (the pin's own pull-up holds it high)."""

    def __init__(
        self,
        bcm: int,
        seat: int,
        presses: Presses,
        clock: Callable[[], float],
        factory: Factory,
        tick_s: float = TICK_S,
        at_work: AtWork | None = None,
    ) -> None:
        safely = (at_work or AtWork()).safely
        self._seat, self._presses, self._clock = seat, presses, clock
        self.presses = 0
        """How often the contact closed: tells a page that the button is heard."""
        self.device = gpiozero.Button(
            bcm, bounce_time=BOUNCE_S, hold_time=tick_s, hold_repeat=True, pin_factory=factory)
        self.device.when_pressed = safely(self._pressed)
        self.device.when_held = safely(self.held)
        self.device.when_released = safely(self._released)

    def _pressed(self) -> None:
        self.presses += 1
        self._presses.down(self._seat, self._clock())

    def held(self) -> None:
        """Tells that the button is still held, as the pin library does every `TICK_S`."""
        self._presses.still(self._seat, self._clock())

    def _released(self) -> None:
        self._presses.up(self._seat, self._clock())

    @property
    def pressed(self) -> bool:
        """Whether the contact is closed now."""
        return bool(self.device.is_pressed)

    def close(self) -> None:
        """Gives the pin back."""
        self.device.close()
