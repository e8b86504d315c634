"""How much may be asked, by one address and by all together: one table, and buckets that fill with time.

What is refused costs next to nothing: connections are closed where they are accepted, bodies are refused by their
announced length, commands before they are read.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import Final

MAX_ADDRESSES: Final = 4096
"""Addresses whose buckets are remembered; a full bucket need not be."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So much at once, and so much more a second."""

    burst: float
    per_s: float


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits of the door. `…_each` is for one address, without it for all together."""

    connections: int = 600
    connections_each: int = 32  # a phone opens six, and keeps its stream
    outside: int = 512
    """Connections over a limit that are kept waiting unheard, for `outside_s`: sent away at once they would knock again
    at once."""
    outside_s: float = 5.0
    streams: int = 240
    streams_each: int = 8
    requests: int = 12
    """Answered at the same time, each by a thread."""
    requests_each: int = 2
    header_bytes: int = 16 * 1024
    body_bytes: int = 64 * 1024
    request_s: float = 10.0
    """A request has arrived whole after this time, and a connection has asked something again."""
    unread_s: float = 25.0
    """A phone that does not read what it is sent is given up after this time."""
    unread_bytes: int = 256 * 1024
    """As much of a stream waits for a slow phone; then it misses values, never the newest."""
    commands: Rate = Rate(1600, 400)
    commands_each: Rate = Rate(400, 100)
    command_bytes: Rate = Rate(2_000_000, 128_000)
    """Of commands, for they go into the journal."""
    command_bytes_each: Rate = Rate(500_000, 32_000)
    pieces_each: Rate = Rate(200, 80)
    """Of a backup that the host brings: pieces, each of less than `body_bytes`."""
    sittings: Rate = Rate(400, 20)
    """Of sitting down, getting up, letting in: each is written, and all pages are told."""
    sittings_each: Rate = Rate(40, 0.5)


@dataclass(slots=True)
class _Level:
    left: float
    at_s: float


@dataclass
class Bucket:
    """Token buckets, one for each key; may be used by any thread."""

    rate: Rate
    clock: Callable[[], float] = time.monotonic
    _levels: dict[str, _Level] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def take(self, key: str, amount: float = 1.0) -> bool:
        """Takes `amount` out of the key's bucket; False, and nothing is taken, when less is left."""
        with self._lock:
            now_s = self.clock()
            level = self._levels.get(key)
            if level is None:
                self._forget(now_s)
                level = self._levels[key] = _Level(self.rate.burst, now_s)
            level.left, level.at_s = self._left(level, now_s), now_s
            if level.left < amount:
                return False
            level.left -= amount
            return True

    def _left(self, level: _Level, now_s: float) -> float:
        return min(self.rate.burst, level.left + max(0.0, now_s - level.at_s) * self.rate.per_s)

    def _forget(self, now_s: float) -> None:
        """Makes room: full buckets are as good as new ones, and then the ones that were not used for longest."""
        if len(self._levels) < MAX_ADDRESSES:
            return
        self._levels = {key: level for key, level in self._levels.items() if self._left(level, now_s) < self.rate.burst}
        while len(self._levels) >= MAX_ADDRESSES:
            del self._levels[min(self._levels, key=lambda key: self._levels[key].at_s)]


class CommandLimits:
    """What commands may be handed in: by number and by bytes, by one address and by all."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._number, self._number_each = Bucket(limits.commands, clock), Bucket(limits.commands_each, clock)
        self._bytes, self._bytes_each = Bucket(limits.command_bytes, clock), Bucket(limits.command_bytes_each, clock)
        self._pieces_each = Bucket(limits.pieces_each, clock)
        self._sittings, self._sittings_each = Bucket(limits.sittings, clock), Bucket(limits.sittings_each, clock)

    def allow(self, address: str, size: int) -> bool:
        """Whether this address may hand in a command of so many bytes now. Its own limits come first: what it is
        refused takes nothing from the others."""
        return (
            self._number_each.take(address) and self._bytes_each.take(address, size)
            and self._number.take("") and self._bytes.take("", size)
        )

    def allow_piece(self, address: str) -> bool:
        """Whether this address, the host's, may bring a piece of a backup now."""
        return self._pieces_each.take(address)

    def allow_sitting(self, address: str) -> bool:
        """Whether this address may change now who sits where."""
        return self._sittings_each.take(address) and self._sittings.take("")


def plain_address(address: str) -> str:
    """One spelling for an address: an IPv4 one that comes by IPv6 is the same phone."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return str(mapped or found)
