"""Another companion in the same network, as a club's page lists it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableBeside:
    """A companion at `address` (its first page), as it calls itself, and what everybody at its table sees: the `game`'s
    id (empty without one), what is `announced`, the players with their scores. `answers`: it told so just now."""

    name: str
    address: str
    game: str = ""
    announced: str = ""
    players: tuple[tuple[str, str], ...] = ()
    answers: bool = False
