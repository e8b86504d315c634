"""The strengths that people choose from, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from companion.bots.bot import Bot, Budget
from companion.bots.greedy import Greedy
from companion.bots.random_bot import RandomBot
from companion.bots.search import Search
from companion.engine import AnyGame, Ply, ToMove, play
from companion.engine.play import PlyOf
from companion.errors import InvalidError, phrase


@dataclass(frozen=True, slots=True)
class Level:
    """A bot and how long it thinks about a ply; `bots.level.<name>` says what it is like."""

    name: str
    bot: Bot
    time_s: float = 0.1

    def budget(self, clock_s: Callable[[], float], playouts: int | None = None) -> Budget:
        """What this level may think about one ply; `playouts`, if they are given, instead of its time."""
        return Budget(time_s=self.time_s, clock_s=clock_s) if playouts is None else Budget(playouts=playouts)


LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level("random", RandomBot()),
        Level("greedy", Greedy(), 10.0),
        Level("quick", Search(), 0.2),
        Level("search", Search(), 0.5),
        Level("deep", Search(), 2.0),
        Level("patient", Search(), 10.0),
    )
}
"""From the weakest to the strongest."""


def level(name: str) -> Level:
    """The level of this name; raises `InvalidError` when there is none."""
    if name not in LEVELS:
        known = tuple(phrase("json.literal", given=each) for each in LEVELS)
        raise InvalidError(phrase("bots.no_level", given=name, known=known))
    return LEVELS[name]


def seated(names: Sequence[str], players: int) -> tuple[Level, ...]:
    """A level for each seat: the last name stands for all further seats. Raises `InvalidError`."""
    if not 1 <= len(names) <= players:
        raise InvalidError(phrase("bots.too_many", given=len(names), players=players))
    return tuple(level(names[min(seat, len(names) - 1)]) for seat in range(players))


def played_by(levels: Sequence[Level], clock_s: Callable[[], float], playouts: int | None = None) -> PlyOf:
    """Chooses plies as these levels do, a level a seat, each from what its seat may see."""

    def ply_of(game: AnyGame, state: Any, rng: Random) -> Ply[Any]:
        turn = game.turn(state)
        if not isinstance(turn, ToMove):
            return play.random_ply(game, state, rng)
        seat = turn.seats[0]
        budget = levels[seat].budget(clock_s, playouts)
        return levels[seat].bot.choose(game, game.view(state, seat), rng, budget).ply

    return ply_of
