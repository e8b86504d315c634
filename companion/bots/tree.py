"""The tree of a search: what was tried at each point of the game, how often, and how it came out.

A point is told by the plies that led to it. Where nothing is hidden and no chance came in, that is one state, and the
worth of a ply is that of best play found after it so far. Elsewhere a point stands for many states, and the worth of a
ply is its average over the playouts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any, Final

from companion.engine import Ply, Seat

EXPLORE: Final = 0.03
"""How much a ply that was tried seldom is preferred (the constant of UCB)."""
WIDTH: Final = 4.0
"""So many plies are tried at first, the most promising ones …"""
WIDER: Final = 1.0
"""… and more of them with the root of the visits."""

Values = tuple[float, ...]
"""For each seat what something is worth to it, 0 (lost) to 1 (won)."""


@dataclass(slots=True)
class Edge:
    """A ply at a point.

    `worth` is its value for its seat, at first the promise of the state after it; `available` counts the visits of the
    point in which it was legal.
    """

    ply: Ply[Any]
    worth: float
    visits: int = 0
    available: int = 0
    child: Node | None = None

    @property
    def seat(self) -> Seat:
        """Whose ply it is."""
        return int(self.ply.player)

    def doubt(self) -> float:
        """How far its worth may be off, by the visits in which it was available (the bound of UCB)."""
        return EXPLORE * sqrt(log(1 + self.available) / (1 + self.visits))

    def at_best(self) -> float:
        """Its upper confidence bound."""
        return self.worth + self.doubt()

    def for_sure(self) -> float:
        """Its lower confidence bound."""
        return self.worth - self.doubt()


@dataclass(slots=True)
class Node:
    """A point of the game. `state` is given where it is the only one possible here."""

    state: Any = None
    visits: int = 0
    edges: dict[Ply[Any], Edge] = field(default_factory=dict)
    ordered: dict[Seat, list[Edge]] = field(default_factory=dict)
    """With one state: the edges of each seat, the most promising first."""
    children: dict[tuple[Ply[Any], ...], Node] = field(default_factory=dict)
    """By the plies of all seats that act at once."""
    worth: Values = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What a playout did at a point: the plies of all seats that acted at once, and where that led."""

    node: Node
    edges: list[Edge]
    child: Node


def pick(edges: list[Edge], visits: int) -> Edge:
    """The edge to try next, of those available now, the most promising first; each of them counts as available."""
    wide = int(WIDTH + WIDER * sqrt(visits))
    for edge in edges:
        edge.available += 1
    return max(edges[:wide], key=Edge.at_best)


def learn(path: list[Step], reached: Values) -> None:
    """Writes into a playout's path, from the root on, what the state that it reached is worth."""
    for step in reversed(path):
        node, child = step.node, step.child
        if child.state is None:
            known = child.worth or reached
            child.worth = tuple(old + (new - old) / child.visits for old, new in zip(known, reached))
        elif not child.worth:
            child.worth = reached
        for edge in step.edges:
            edge.visits += 1
        if node.state is not None and len(step.edges) == 1:
            edge = step.edges[0]
            edge.child, edge.worth = child, child.worth[edge.seat]
            node.worth = _best_play(node, edge.seat)
        else:
            for edge in step.edges:
                edge.worth += (reached[edge.seat] - edge.worth) / (edge.visits + 1)


def _best_play(node: Node, seat: Seat) -> Values:
    """What best play of the seat, of all that was tried, leads to."""
    tried = (edge.child.worth for edge in node.ordered[seat] if edge.child is not None)
    return max(tried, key=lambda worth: worth[seat])
