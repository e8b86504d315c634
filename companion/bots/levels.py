"""The strengths that people choose from, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.bots.bot import Bot
from companion.bots.greedy import Greedy
from companion.bots.random_bot import RandomBot
from companion.bots.search import Search
from companion.errors import InvalidError, phrase


@dataclass(frozen=True, slots=True)
class Level:
    """A bot and how long it thinks about a ply; `bots.level.<name>` says what it is like."""

    name: str
    bot: Bot
    time_s: float = 0.1


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
