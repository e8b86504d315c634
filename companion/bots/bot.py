"""What a bot is: it is given what a seat sees and how long it may think, and answers with a ply and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isnan
from random import Random
from typing import Any, Protocol

from companion.engine import AnyGame, Ply, Seat, Seen, ToMove
from companion.errors import Phrase


def _never() -> bool:
    return False


def _stopped_clock_s() -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a bot may think: for so many seconds of `clock_s`, or so many playouts, whichever ends first.

    `cancelled` is asked before each playout. A budget of nothing is answered at once with some legal ply.
    """

    time_s: float | None = None
    playouts: int | None = None
    clock_s: Callable[[], float] = _stopped_clock_s
    cancelled: Callable[[], bool] = _never

    def __post_init__(self) -> None:
        if self.time_s is None and self.playouts is None:
            raise ValueError("a budget needs a time or a number of playouts")
        if self.time_s is not None and isnan(self.time_s):
            raise ValueError("a budget needs a time that passes")

    def begin(self) -> Callable[[int], bool]:
        """Starts the clock; what comes back tells, by the playouts done so far, whether there is another one."""
        started_s = self.clock_s()

        def goes_on(done: int) -> bool:
            if self.playouts is not None and done >= self.playouts:
                return False
            if self.time_s is not None and self.clock_s() - started_s >= self.time_s:
                return False
            return not self.cancelled()

        return goes_on


@dataclass(frozen=True, slots=True)
class Option:
    """A ply that was thought about: its value for the seat, 0 (lost) to 1 (won), and how often it was tried."""

    ply: Ply[Any]
    value: float
    visits: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What a bot does and why. `values` has the plies thought about, the best first; `playouts` were played."""

    ply: Ply[Any]
    why: Phrase
    values: tuple[Option, ...] = ()
    playouts: int = 0

    @property
    def action(self) -> Any:
        """The action of the ply."""
        return self.ply.action

    @property
    def value(self) -> float | None:
        """What the ply is worth to the seat, if that was thought about."""
        return next((each.value for each in self.values if each.ply == self.ply), None)


class Bot(Protocol):
    """A player."""

    def choose(self, game: AnyGame, seen: Seen, rng: Random, budget: Budget) -> Decision:
        """A legal ply of the seat that sees this and is to act; raises `ValueError` when it is not.

        The same seed and number of playouts give the same decision.
        """


def seat_to_act(seen: Seen) -> Seat:
    """The seat that looks and is to act; raises `ValueError` when it is not."""
    if not isinstance(seen.turn, ToMove) or seen.observer not in seen.turn.seats:
        raise ValueError(f"{seen.observer} is not to act")
    return int(seen.observer)
