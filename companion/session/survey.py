"""What a camera's picture is like, for whoever sets the table up."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import Phrase


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
