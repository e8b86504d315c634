"""What can be done in Pick & Pack, as it stands in a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from companion.engine.codec import Cell, Codec, whole_between
from companion.games.pick_and_pack.state import End

Crate = Annotated[int, "crate"]
"""A packing crate of a player, 1 to 4."""
Line = Annotated[int, "line"]
"""A column (1 is a) or a row, 1 to 6."""


@dataclass(frozen=True, slots=True)
class Grab:
    """The grabber takes a tray and puts it into an own crate."""

    type: ClassVar[str] = "grab"
    to: Cell
    crate: Crate


@dataclass(frozen=True, slots=True)
class Activate:
    """The grabber goes to an empty cell and uses the tile at an end of the crossing line; then what the tile needs."""

    type: ClassVar[str] = "activate"
    to: Cell
    end: End
    from_: Crate | None = None
    crate: Crate | None = None
    theirs: Crate | None = None
    mine: Crate | None = None
    tray: Cell | None = None
    tile: tuple[End, Line] | None = None


@dataclass(frozen=True, slots=True)
class Rush:
    """A stored rush order is used for one more move."""

    type: ClassVar[str] = "rush"


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The turn ends although a rush order could be used."""

    type: ClassVar[str] = "end"


Action = Grab | Activate | Rush | EndTurn


CODEC: Final = Codec[Action](
    (Grab, Activate, Rush, EndTurn), {"crate": whole_between(1, 4), "line": whole_between(1, 6)}
)
"""Reads and writes these actions."""
