"""From the edges of the seats' buttons to what people mean: a short press, a long one, two buttons held together.

    >>> presses = Presses(print)
    >>> presses.down(0, 10.0)
    >>> presses.up(0, 10.2)
    Press(seat=0, long=False)
    >>> presses.down(0, 20.0)
    >>> presses.down(1, 20.3)
    >>> presses.still(1, 21.3)                # both for a second
    Together(seats=(0, 1))
    >>> presses.up(0, 21.5)                   # neither counts alone
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final

HOLD_S: Final = 0.8
"""A button that is held so long alone was pressed long."""
TOGETHER_S: Final = 1.0
"""Two buttons that are both held so long are held together."""
SPIKE_S: Final = 0.03
"""Shorter presses are ignored: they come from bouncing contacts or interference, not from people."""
SLACK_S: Final = 0.005
"""Clocks of threads differ by as much."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed at a seat; `long`: it was held."""

    seat: int
    long: bool = False


@dataclass(frozen=True, slots=True)
class Together:
    """The buttons of two seats, or of more, were held together."""

    seats: tuple[int, ...]


Gesture = Press | Together


class Presses:
    """Makes gestures of the edges of all buttons; bouncing contacts and spikes give none. For any thread.

    The debouncing of the pin library comes before this on real pins; mock pins have none, and no library knows that a
    press of a millisecond is not a person. Two short presses that overlap are two presses: two people may be quick.
    """

    def __init__(self, on_gesture: Callable[[Gesture], object]) -> None:
        self._on_gesture = on_gesture
        self._lock = Lock()
        self._down_s: dict[int, float] = {}
        self._together: frozenset[int] = frozenset()
        """Buttons that are held with another: neither counts alone."""
        self._spent: set[int] = set()
        """Buttons that are still down, but have said what they mean."""

    def down(self, seat: int, now_s: float) -> None:
        """The contact closed."""
        with self._lock:
            self._forget(seat)
            self._down_s[seat] = now_s

    def still(self, seat: int, now_s: float) -> None:
        """The contact is still closed: a long press is told as soon as it is one."""
        with self._lock:
            gesture = self._held(seat, now_s)
        if gesture is not None:
            self._on_gesture(gesture)

    def up(self, seat: int, now_s: float) -> None:
        """The contact opened: a short press, unless it was something else or only a spike."""
        with self._lock:
            down_s = self._down_s.get(seat)
            counts = down_s is not None and now_s - down_s >= SPIKE_S and seat not in self._spent | self._together
            self._forget(seat)
        if counts:
            self._on_gesture(Press(seat))

    def _held(self, seat: int, now_s: float) -> Gesture | None:
        if seat in self._spent or not self._for_s(seat, now_s, HOLD_S):
            return None
        others = [each for each in self._down_s if each != seat and each not in self._spent]
        if not others and seat not in self._together:
            self._spent.add(seat)
            return Press(seat, long=True)
        self._together = self._together.union(others, {seat})
        held = tuple(sorted(each for each in (seat, *others) if self._for_s(each, now_s, TOGETHER_S)))
        if len(held) < 2:
            return None
        self._spent.update(held)
        return Together(held)

    def _for_s(self, seat: int, now_s: float, least_s: float) -> bool:
        return seat in self._down_s and now_s - self._down_s[seat] >= least_s - SLACK_S

    def _forget(self, seat: int) -> None:
        self._down_s.pop(seat, None)
        self._spent.discard(seat)
        self._together -= {seat}
