"""What a camera's picture is like, for whoever sets the table up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from companion.errors import Phrase

LensWish = Literal["look", "anew", "later"]
SheetOutline = tuple[tuple[float, float], ...]
"""Corners in shares of a picture's width and height, from its upper left."""


@dataclass(frozen=True, slots=True)
class Survey:
    """A picture of `width` by `height` px: the numbers of the tag cards in it, and what is wrong with it, the worst
    first."""

    width: int
    height: int
    cards: tuple[int, ...] = ()
    faults: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class TableFromAbove:
    """The table as if seen from straight above, as JPEG: its upper left corner lies at `left_mm`, `back_mm` of the
    table frame, and it shows `wide_mm` by `deep_mm`. Without a picture `why` says what is missing."""

    jpeg: bytes = b""
    left_mm: float = 0.0
    back_mm: float = 0.0
    wide_mm: float = 0.0
    deep_mm: float = 0.0
    why: Phrase | None = None


@dataclass(frozen=True, slots=True)
class LensMeasured:
    """How far the measuring of a lens is: `taken` of so many pictures, and what to do, or what the error means. The
    sheet is wanted in the outline `wanted`, and is seen at `sheet`; both are empty at the end. Then `lens` is the lens
    as its file has it, if it is fit to be used."""

    taken: int
    pictures: int
    said: Phrase
    wanted: SheetOutline = ()
    sheet: SheetOutline = ()
    lens: Mapping[str, Any] | None = None
