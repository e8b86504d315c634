"""What can be done in Kamikaze Cans, as it stands in a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from companion.engine.codec import Cell
from companion.table import Drink


@dataclass(frozen=True, slots=True)
class Place:
    """Put a drink of one's stock into an empty cell."""

    type: ClassVar[str] = "place"
    drink: Drink
    to: Cell


@dataclass(frozen=True, slots=True)
class Move:
    """Move an own drink along a row or column, over shorter ones."""

    type: ClassVar[str] = "move"
    from_: Cell
    to: Cell


@dataclass(frozen=True, slots=True)
class Explode:
    """Blow up an own short or tall can."""

    type: ClassVar[str] = "explode"
    at: Cell


Action = Place | Move | Explode
