"""Pieces as a camera can tell them apart, and where they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Spot = str
"""Name of a place with a meaning: `grid:c4`, `stock:0`, `hex:1,-2`."""

Appearance = str
"""What a camera can tell apart: `red/stub_can`, `crate`. Two equal coins have one appearance. Where a piece may lie on
either side and the rules do not mind, `NAME:back` is the other side of `NAME`: eyes tell them apart, placements have
only `NAME`."""

Point = tuple[float, float]
"""x, y in millimetres; which frame is said where it is used."""

Placement = Mapping[Spot, tuple[Appearance, ...]]
"""What stands where, as the rules see it: at each spot its pieces, lowest first. In a zone the order has no
meaning. An absent spot is empty."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One appearance with its sizes in mm: x by y by height while its turn is 0."""

    name: Appearance
    kind: str
    size_mm: tuple[float, float, float]
    round: bool
