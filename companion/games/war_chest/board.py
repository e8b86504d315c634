"""The board: hexes in axial coordinates, locations, distances and lines (WC 2). The figures stand in `board.json`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Final, Literal

Hex = tuple[int, int]
"""Axial `(q, r)`: column q from left to right, r along the column; (0, 0) is the middle of the board."""
Faction = Literal["raven", "wolf"]
Offset = tuple[int, int]

DIRECTIONS: Final[tuple[Offset, ...]] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The six neighbours of a hex, one after the other around it."""
HEIGHT_OF_COLUMN: Final = 3
"""No hex is further from the middle row than so many, in any of the two slanted directions."""


@dataclass(frozen=True, slots=True)
class Board:
    """One of the two boards. `markers` is the number of control markers a side owns; all of them placed win."""

    hexes: frozenset[Hex]
    locations: frozenset[Hex]
    starts: tuple[tuple[Faction, tuple[Hex, ...]], ...]
    markers: int
    neighbours: dict[Hex, tuple[Hex, ...]] = field(compare=False, repr=False)
    """The hexes one step away. Never changed."""
    ring: dict[Hex, tuple[Hex, ...]] = field(compare=False, repr=False)
    """The hexes exactly two steps away, whatever stands between. Never changed."""

    def starts_of(self, faction: Faction) -> tuple[Hex, ...]:
        """The locations on which a faction's markers lie when the game begins."""
        return dict(self.starts)[faction]


@cache
def board(players: int) -> Board:
    """The board for two players (37 hexes) or for four (47)."""
    figures = json.loads((Path(__file__).parent / "board.json").read_text(encoding="utf-8"))[str(players)]
    hexes = frozenset(
        (q, r)
        for q in range(-figures["columns_to"], figures["columns_to"] + 1)
        for r in range(-HEIGHT_OF_COLUMN, HEIGHT_OF_COLUMN + 1)
        if abs(q + r) <= HEIGHT_OF_COLUMN
    )
    starts: tuple[tuple[Faction, tuple[Hex, ...]], ...] = (
        ("raven", tuple((q, r) for q, r in figures["raven"])),
        ("wolf", tuple((q, r) for q, r in figures["wolf"])),
    )
    locations = [(q, r) for q, r in figures["neutral"]] + [at for _, own in starts for at in own]
    return Board(
        hexes, frozenset(locations), starts, figures["markers"],
        neighbours={at: tuple(to for way in DIRECTIONS if (to := step(at, way)) in hexes) for at in hexes},
        ring={at: tuple(to for to in sorted(hexes) if distance(at, to) == 2) for at in hexes},
    )


def step(at: Hex, way: Offset, steps: int = 1) -> Hex:
    """The hex so many steps away in one direction; it may lie off the board."""
    return (at[0] + steps * way[0], at[1] + steps * way[1])


def distance(a: Hex, b: Hex) -> int:
    """The number of steps from one hex to another."""
    dq, dr = b[0] - a[0], b[1] - a[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def point(at: Hex, front: Faction) -> tuple[float, float]:
    """The middle of a hex in hex circumradii from the middle of the board, x to the right, y away from the front edge.

    `front` is the faction whose edge is at the front: that of seat 0.
    """
    x, y = 1.5 * at[0], sqrt(3) * (at[1] + at[0] / 2)
    return (-x, y) if front == "raven" else (x, -y)
