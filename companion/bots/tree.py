"""The tree of a search: what was tried at each point of the game, how often, and how it came out.

A point is named by the plies that led to it, not by a state: what chance and hidden things make of them is averaged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any, Final

from companion.engine import Ply, Seat

EXPLORATION: Final = 0.05
"""How much a ply that was tried seldom is preferred (the constant of UCB1; Auer, Cesa-Bianchi and Fischer 2002)."""
INITIAL_WIDTH: Final = 4.0
"""How many plies are tried at first, the most promising ones …"""
WIDENING_RATE: Final = 1.0
"""… and how many more per root of the visits (progressive widening; Coulom 2007)."""

SeatValues = tuple[float, ...]
"""For each seat what something is worth to it, 0 (lost) to 1 (won)."""


@dataclass(slots=True)
class Edge:
    """A ply at a point.

    `worth` is its value for its seat, on average over the visits and a first guess, the value of the state after it.
    `available` counts the visits of the point in which it was legal.
    """

    ply: Ply[Any]
    worth: float
    visits: int = 0
    available: int = 0

    @property
    def seat(self) -> Seat:
        """Whose ply it is."""
        return int(self.ply.player)

    def doubt(self) -> float:
        """How far its worth may be off, by the visits in which it was available (the bound of UCB)."""
        return EXPLORATION * sqrt(log(1 + self.available) / (1 + self.visits))

    def at_best(self) -> float:
        """Its upper confidence bound."""
        return self.worth + self.doubt()

    def for_sure(self) -> float:
        """Its lower confidence bound."""
        return self.worth - self.doubt()


@dataclass(slots=True)
class Node:
    """A point of the game. `state` is kept where nothing is hidden and no chance came in: it is the only one here."""

    state: Any = None
    visits: int = 0
    edges: dict[Ply[Any], Edge] = field(default_factory=dict)
    ordered: dict[Seat, list[Edge]] = field(default_factory=dict)
    """With one state: the edges of each seat, the most promising first."""
    children: dict[tuple[Ply[Any], ...], Node] = field(default_factory=dict)
    """By the plies of all seats that act at once."""


def pick(edges: list[Edge], visits: int) -> Edge:
    """The edge to try next, of those available now, the most promising first; each of them counts as available."""
    wide = int(INITIAL_WIDTH + WIDENING_RATE * sqrt(visits))
    for edge in edges:
        edge.available += 1
    return max(edges[:wide], key=Edge.at_best)


def learn(path: list[Edge], reached: SeatValues) -> None:
    """Counts what the state that a playout reached is worth for every ply on its way."""
    for edge in path:
        edge.visits += 1
        edge.worth += (reached[edge.seat] - edge.worth) / (edge.visits + 1)
