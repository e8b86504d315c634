"""Kinds of pieces: how a game's pieces stand, how eyes find them, and how boards draw them.

A game's layout carries its kinds. Picture sets and piece sets name the kind of each piece; that name is all that ties
them to a game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from companion.table.pieces import Appearance

Stance = Literal["flat", "upright"]
"""Lying with its face up, or standing and occluding what is behind it."""

FoundBy = Literal["piece", "rim", "print", "silhouette"]
"""How the eyes detect it: as one of the pieces on a spot, by its face or as a drink; or as a body that carries spots,
by the rim of a crate, by its printed top, or by its silhouette alone."""

DrawnAs = Literal["face", "drink", "pawn", "frame", "lid", "board"]
"""How boards draw it: a flat piece with a face, a drink's symbol, a small piece that stands on others; of bodies a
frame with a floor, a closed lid, a plain board."""

FaceOutline = Literal["round", "square", "card"]
"""Of a flat piece; a card is taller than wide."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """One shape of an emblem: an SVG path in hundredths of the piece's width, x to the right, y down, the piece's
    centre at 0, 0. A colour that is not given is not painted."""

    path: str
    fill: str = "none"
    stroke: str = "none"
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Emblem:
    """A picture on the faces of a kind, under what they bear; `ink` is the colour of that."""

    strokes: tuple[Stroke, ...]
    ink: str = "#22242B"


@dataclass(frozen=True, slots=True)
class PieceKind:
    """A kind of pieces: `PieceKind("coin")`, `PieceKind("crate", "upright", found="rim", drawn="frame")`.

    Appearances of a kind begin with its name or with one of `heads` (`packing:red` is a `packing_crate`); others are of
    the kind that their spot is made for. `paint` is the colour of all its pieces where their names do not tell it (a
    name, or `#RRGGBB`), `lettered` says whether pictures and boards write on a piece what it is.
    """

    name: str
    stance: Stance = "flat"
    outline: FaceOutline = "round"
    found: FoundBy = "piece"
    drawn: DrawnAs = "face"
    lettered: bool = True
    paint: str | None = None
    emblem: Emblem | None = None
    heads: tuple[str, ...] = ()

    @property
    def has_face(self) -> bool:
        """Whether the eyes classify it by the face that lies up."""
        return self.stance == "flat" and self.found == "piece"

    def claims(self, appearance: Appearance) -> bool:
        """Whether an appearance says by its first word that it is of this kind."""
        return appearance.partition(":")[0] in (self.name, *self.heads)


def found_by(kinds: Iterable[PieceKind], name: str) -> FoundBy:
    """How the eyes detect the pieces of a kind, given its name; one that is not among `kinds` is a piece."""
    return next((kind.found for kind in kinds if kind.name == name), "piece")


DRINK_KIND = PieceKind("drink", "upright", drawn="drink")
"""A toy drink, `COLOUR/SHAPE` (see `drinks.py`)."""

CRATE_KIND = PieceKind("crate", "upright", found="rim", drawn="frame", lettered=False)
"""The crate of the drinks, open at the top (see `crate.py`)."""

BOARD_KIND = PieceKind("board", found="print", drawn="board", lettered=False)
"""A printed board that lies on the table and carries places."""
