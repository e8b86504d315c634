"""Phones that ask for a seat that is taken, until somebody who may lets them in: bounded in number and in age."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final, Literal

from companion.engine import Seat

ASK_S: Final = 60.0
"""An ask is worth nothing after this time; nor is a no remembered for longer."""
MAX_ASKS: Final = 16
MAX_ASKS_OF_SEAT: Final = 4
MAX_ASKS_OF_ADDRESS: Final = 3

AskAnswer = Literal["open", "instead", "both", "no"]
"""Nobody has said anything; it has the seat from now on, the phones before it no more; it has it too; no."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The phone with this token's hash asks for a seat of the game `key`."""

    id: int
    hash: bytes
    key: str
    seat: Seat
    address: str
    at_s: float
    verdict: AskAnswer = "open"


class Asks:
    """By a clock that only grows. Any thread may call, also that of the buttons: nothing here waits."""

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self._lock = Lock()
        self._asks: tuple[Ask, ...] = ()
        self._last_id = 0

    def add(self, hash: bytes, key: str, seat: Seat, address: str) -> Ask | None:
        """A phone asks; what it asked before is forgotten. None when too many do, or when this address was just told
        no."""
        with self._lock:
            others = tuple(each for each in self._fresh() if each.hash != hash or each.verdict == "no")
            of_seat = [each for each in others if (each.key, each.seat) == (key, seat)]
            if any(each.verdict == "no" and each.address == address for each in of_seat):
                return None
            of_address = sum(each.address == address for each in others)
            if len(others) >= MAX_ASKS or len(of_seat) >= MAX_ASKS_OF_SEAT or of_address >= MAX_ASKS_OF_ADDRESS:
                return None
            self._last_id += 1
            ask = Ask(self._last_id, hash, key, seat, address, self._monotonic_s())
            self._asks = (*others, ask)
            return ask

    def waiting(self, key: str) -> tuple[Ask, ...]:
        """Those in the game `key` of which nobody has said anything."""
        with self._lock:
            return tuple(each for each in self._fresh() if each.key == key and each.verdict == "open")

    def of(self, hash: bytes | None) -> Ask | None:
        """What the phone with this token's hash asked last."""
        with self._lock:
            return next((each for each in reversed(self._fresh()) if each.hash == hash), None)

    def decide(self, id: int, verdict: AskAnswer) -> bool:
        """Somebody who may has said it; False when this is asked no more."""
        with self._lock:
            found = next((each for each in self._fresh() if each.id == id and each.verdict == "open"), None)
            self._asks = tuple(replace(each, verdict=verdict) if each == found else each for each in self._fresh())
            return found is not None

    def take_let_in(self) -> tuple[Ask, ...]:
        """Those that are let in and were not given their seat yet; they are given it now."""
        with self._lock:
            fresh = self._fresh()
            self._asks = tuple(each for each in fresh if each.verdict in ("open", "no"))
            return tuple(each for each in fresh if each.verdict in ("instead", "both"))

    def forget(self, hash: bytes) -> None:
        """The phone asks no more. A no stays: its address may not ask again at once."""
        with self._lock:
            self._asks = tuple(each for each in self._asks if each.hash != hash or each.verdict == "no")

    def _fresh(self) -> tuple[Ask, ...]:
        since_s = self._monotonic_s() - ASK_S
        return tuple(each for each in self._asks if each.at_s > since_s)
