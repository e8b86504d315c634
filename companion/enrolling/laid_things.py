"""A planned picture in plain values: each thing with the number that it is called by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.session.enrolment import LaidCard, ThingToLay, Laying
from companion.table import Piece
from vision.enrolment.picture_set import LaidPiece
from vision.enrolment.placement_plan import PlannedPicture, group_by_crate
from vision.imaging.frame import CardSeen


def numbers_of(picture: PlannedPicture, sizes: Mapping[str, Piece]) -> dict[LaidPiece, int]:
    """The number of each thing that lies on the table itself, from 1."""
    return {thing: number for number, (thing, _) in enumerate(group_by_crate(picture, sizes), 1)}


def laying_of(picture: PlannedPicture, sizes: Mapping[str, Piece], cards: Sequence[CardSeen]) -> Laying:
    """What to lay, as pages draw it; what stands in a crate follows the crate, its front row first."""
    return Laying(picture.what, tuple(_things(picture, sizes)), tuple(
        LaidCard(card.card, card.at_mm, card.turn_deg) for card in cards))


def _things(picture: PlannedPicture, sizes: Mapping[str, Piece]) -> Iterator[ThingToLay]:
    for number, (thing, inside) in enumerate(group_by_crate(picture, sizes), 1):
        for laid in (thing, *inside):
            piece = sizes[laid.appearance]
            yield ThingToLay(number, laid.appearance, piece.kind, laid.at_mm, piece.size_mm[:2], laid.turn_deg,
                            is_inside=laid is not thing)
