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
