"""From which addresses a token was used of late: two show that it was copied, or that a phone has moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

MAX_SEEN_AT: Final = 6
"""Addresses that are remembered for a token."""
MAX_SEEN: Final = 64
"""Tokens whose addresses are remembered; more are not given out."""


@dataclass
class Sightings:
    """By a clock that only grows. Any thread may call."""

    monotonic_s: Callable[[], float]
    recent_s: float
    """A phone that has not been here for so long is gone."""
    _seen: dict[bytes, dict[str, float]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def note(self, hash: bytes, address: str) -> bool:
        """The token with this hash was used from there; whether that is new."""
        with self._lock:
            at = self._seen.pop(hash, {})
            is_new = at.pop(address, None) is None
            at[address] = self.monotonic_s()
            self._seen[hash] = dict(list(at.items())[-MAX_SEEN_AT:])
            while len(self._seen) > MAX_SEEN:
                del self._seen[next(iter(self._seen))]
            return is_new

    def addresses(self, hash: bytes) -> tuple[str, ...]:
        """From where it was used of late, the latest last."""
        with self._lock:
            since_s = self.monotonic_s() - self.recent_s
            return tuple(address for address, at_s in self._seen.get(hash, {}).items() if at_s >= since_s)
