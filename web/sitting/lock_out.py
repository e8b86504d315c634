"""Tries that failed: after some of them one has to wait, longer each time. For one address, and for all together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

TRIES: Final = 5
"""Wrong tries of one address before it has to wait."""
TRIES_OF_ALL: Final = 20
FIRST_WAIT_S: Final = 30.0
LONGEST_WAIT_S: Final = 3600.0
LONGEST_WAIT_OF_ALL_S: Final = 300.0
"""Shorter: a guest with many addresses must not keep everybody out for long."""
MAX_REMEMBERED: Final = 1024
"""Addresses whose tries are remembered."""


@dataclass(slots=True)
class _Tries:
    failed: int = 0
    until_s: float = 0.0


@dataclass
class LockOut:
    """By a clock that only grows; the caller keeps threads apart."""

    monotonic_s: Callable[[], float]
    _all: _Tries = field(default_factory=_Tries)
    _each: dict[str, _Tries] = field(default_factory=dict)

    def wait_s(self, address: str) -> float:
        """How long this address has still to wait; 0: it may try."""
        until_s = max(self._all.until_s, self._each.get(address, self._all).until_s)
        return max(0.0, until_s - self.monotonic_s())

    def failed(self, address: str) -> None:
        """A try was wrong."""
        now_s = self.monotonic_s()
        tries = self._each.pop(address, None) or _Tries()
        self._each[address] = tries
        while len(self._each) > MAX_REMEMBERED:
            del self._each[next(iter(self._each))]
        _count(tries, now_s, TRIES, LONGEST_WAIT_S)
        _count(self._all, now_s, TRIES_OF_ALL, LONGEST_WAIT_OF_ALL_S)

    def passed(self, address: str) -> None:
        """A try was right: what was wrong before is forgotten. Whoever guesses never comes here."""
        self._each.pop(address, None)
        self._all = _Tries()


def _count(tries: _Tries, now_s: float, free: int, longest_s: float) -> None:
    tries.failed += 1
    over = tries.failed - free
    if over >= 0:
        tries.until_s = now_s + min(FIRST_WAIT_S * 2.0 ** min(over, 30), longest_s)
