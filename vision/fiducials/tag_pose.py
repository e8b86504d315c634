"""The tag cards together: from their markers' corners to the camera pose and the poses of the cards.

Known cards are tracked in small crops; the whole picture is searched only at the start and when they are lost. One
bundle adjustment gives camera and cards at the start; afterwards the camera is resected from the known cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.errors import Phrase, SightError, phrase
from companion.table.tag_card import TAG_CARDS
from vision.fiducials.tag_bundle import (
    THICK_MM,
    CardPoses,
    MarkerRays,
    bundle,
    card_pose,
    corners_at,
    distances_px,
    resect,
)
from vision.fiducials.tag_corners import MIN_CROP_PX, refine_corners
from vision.fiducials.tag_detection import detect
from vision.fiducials.tag_size import expect_known_size, expect_one_size
from vision.imaging.arrays import Floats
from vision.imaging.box import box_within
from vision.imaging.camera import Lens, View
from vision.imaging.frame import CardSeen, Image

CARD_SEARCH_MM = 45.0
"""A card that is not where it lay is searched for this far around."""

AGREES_PX = 1.2
"""A card with a larger mean reprojection error does not lie where it was taken to lie."""

LENS_PX = 0.65
"""When the median reprojection error of the cards is larger than this, the intrinsics are another lens's."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """The camera pose and the poses of the cards. `cards` are all that are known, `seen` those measured in this
    picture.

    `residual_px`: the mean reprojection error of the cards that were used. `bumped` says what moved since the earlier
    look.
    """

    view: View
    cards: tuple[CardSeen, ...]
    seen: frozenset[int]
    residual_px: float
    bumped: Phrase | None = None

    def stands_as(self, other: Arrangement) -> bool:
        """Whether the cards project to the same pixels as in another arrangement: neither they nor the camera moved."""
        if [card.card for card in self.cards] != [card.card for card in other.cards]:
            return False
        here, there = (each.view.project_at([card.at_mm for card in each.cards], THICK_MM) for each in (self, other))
        return bool(np.linalg.norm(here - there, axis=1).max() <= AGREES_PX)


def find_cards(image: Image, lens: Lens, before: Arrangement | None = None) -> Arrangement:
    """Measure the cards in a picture (h, w, 3) B G R; with `before`, look only where they lay and keep what did not
    move.

    Raises `SightError` when the picture has another size than the lens, or when too few cards are seen: all but one,
    0 and 1 among them, while nothing is known; any two afterwards.
    """
    expect_size(image.shape, lens)
    if before is None:
        return _arrange(lens, _search(image, lens))
    corners = {card.card: found for card in before.cards
               if (found := _track(image, before.view, card)) is not None}
    if len(corners) < 2 or len(before.cards) < len(TAG_CARDS):
        corners = {**_search(image, lens), **corners}
    return _compare(before, corners)


def expect_size(shape: tuple[int, ...], lens: Lens) -> None:
    """Raises `SightError` when a picture of this shape has another size than the lens."""
    if shape[:2] != (lens.height, lens.width):
        raise SightError(phrase("eyes.other_size", width=shape[1], height=shape[0],
                                lens_width=lens.width, lens_height=lens.height))


def _search(image: Image, lens: Lens) -> dict[int, Floats]:
    """All cards in the whole picture, as refined corners (normalised image coordinates)."""
    found = {card: refine_corners(image, lens, card, rough) for card, rough in detect(image).items()}
    return {card: corners for card, corners in sorted(found.items()) if corners is not None}


def _track(image: Image, view: View, card: CardSeen) -> Floats | None:
    """The card's corners where it lay before; else from a detection close by; None when it is covered."""
    predicted = view.project_at(corners_at((*card.at_mm, np.radians(card.turn_deg))), THICK_MM)
    corners = refine_corners(image, view.lens, card.card, predicted)
    if corners is not None:
        return corners
    near = box_within(predicted, CARD_SEARCH_MM * view.px_per_mm(card.at_mm), image.shape)
    if min(near.width, near.height) < MIN_CROP_PX:
        return None
    rough = detect(image[near.slices]).get(card.card)
    return None if rough is None else refine_corners(image, view.lens, card.card,
                                                     rough + np.array([near.left, near.top]))


# ---------------------------------------------------------------- at the start


def _arrange(lens: Lens, corners: MarkerRays) -> Arrangement:
    """Camera and cards together, with nothing known but the intrinsics and the markers' size."""
    covered = [card for card in TAG_CARDS if card not in corners]
    if len(covered) > 1 or {0, 1} & set(covered):
        raise SightError(_covered(covered))
    view, poses, off = bundle(lens, corners)
    expect_one_size(lens, view, corners, poses, LENS_PX / 2)
    worst = max(off, key=lambda card: off[card])
    if off[worst] > AGREES_PX and worst not in (0, 1) and len(corners) == len(TAG_CARDS):
        view, poses, off = bundle(lens, {card: seen for card, seen in corners.items() if card != worst})
    if np.median(list(off.values())) > LENS_PX:
        raise SightError(phrase("eyes.lens_disagrees"))
    if max(off.values()) > AGREES_PX:
        raise SightError(phrase("eyes.cards_disagree", card=max(off, key=lambda card: off[card])))
    return Arrangement(view, _cards_at(poses), frozenset(off), float(np.mean(list(off.values()))))


# ---------------------------------------------------------------- among known cards


def _compare(before: Arrangement, corners: MarkerRays) -> Arrangement:
    """The camera pose from known cards; a card that does not lie where it lay is measured anew, and reported."""
    if len(corners) < 2:
        raise SightError(_covered([card for card in TAG_CARDS if card not in corners]))
    poses = {card.card: (*card.at_mm, float(np.radians(card.turn_deg))) for card in before.cards}
    known = {card: seen for card, seen in corners.items() if card in poses}
    view, bumped = before.view, None
    still = _agreeing(view, known, poses)
    if len(still) < min(2, len(known)):
        view, still = _relocate(before.view, known, poses)
        bumped = phrase("eyes.camera_bumped")
    moved = sorted(card for card in known if card not in still)
    if moved and bumped is None:
        bumped = _one_or_more("eyes.card_bumped", "eyes.cards_bumped", moved)
    for card, seen in corners.items():
        if card not in still:
            poses[card] = card_pose(view.rays_to_table(seen, THICK_MM))
    off = distances_px(view, {card: corners[card] for card in still}, poses)
    return Arrangement(view, _cards_at(poses), frozenset(corners), float(np.mean(list(off.values()))), bumped)


def _relocate(view: View, corners: MarkerRays, poses: CardPoses) -> tuple[View, list[int]]:
    """The camera pose that all known cards, or all but one, agree on, and the cards that do."""
    groups = [list(corners)] + [[card for card in corners if card != left_out] for left_out in corners]
    for group in groups:
        if len(group) < 2:
            continue
        moved = resect(view, {card: corners[card] for card in group}, poses)
        still = _agreeing(moved, corners, poses)
        if set(group) <= set(still):
            return moved, still
    expect_known_size(view.lens, corners, poses, AGREES_PX)
    raise SightError(phrase("eyes.all_moved"))


def _agreeing(view: View, corners: MarkerRays, poses: CardPoses) -> list[int]:
    """The cards whose reprojection error is at most `AGREES_PX`."""
    return [card for card, off in distances_px(view, corners, poses).items() if off <= AGREES_PX]


def _cards_at(poses: CardPoses) -> tuple[CardSeen, ...]:
    return tuple(CardSeen(card, (x, y), float((np.degrees(turn) + 180) % 360 - 180))
                 for card, (x, y, turn) in sorted(poses.items()))


# ---------------------------------------------------------------- in words


def _covered(cards: Sequence[int]) -> Phrase:
    if len(cards) == len(TAG_CARDS):
        return phrase("eyes.no_cards")
    return _one_or_more("eyes.card_covered", "eyes.cards_covered", cards)


def _one_or_more(one: str, more: str, cards: Sequence[int]) -> Phrase:
    return phrase(one, card=cards[0]) if len(cards) == 1 else phrase(more, cards=tuple(cards))
