"""The tag cards together: from their markers' corners to the camera's place and to where the cards lie.

Known cards are tracked in small crops; the whole picture is searched only at the start and when they are lost. One
bundle gives camera and cards at the start; afterwards the cards' places are known and give the camera.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from companion.errors import Phrase, SightError, phrase
from vision.fiducials.tag_corners import CARDS, CORNERS_MM, MARKER_MM, box_around, detect, measure
from vision.imaging.arrays import Floats
from vision.imaging.camera import Lens, View
from vision.imaging.frame import CardSeen, Image
from vision.imaging.least_squares import least_squares

THICK_MM = 0.3
"""Height of the markers above the table."""

SEARCH_MM = 45.0
AGREES_PX = 1.2
"""A card whose corners are on average farther from where they should be does not lie as was thought."""

LENS_PX = 0.65
"""When the corners of most cards are farther off than this, the lens is another one."""

OTHER_SIZE = 0.01
"""A card is printed at another size when it differs by more than this share from the others."""

Corners = Mapping[int, Floats]
"""For each card seen: its marker's corners as undistorted directions (4, 2)."""

CardPose = tuple[float, float, float]
"""x, y (mm) and turn (radians) of a card in the table frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """Where camera and cards stand. `cards` are all that are known, `seen` those measured in this picture.

    `residual_px`: the mean distance of the corners that were used. `bumped` says what moved since the earlier look.
    """

    view: View
    cards: tuple[CardSeen, ...]
    seen: frozenset[int]
    residual_px: float
    bumped: Phrase | None = None


def find_cards(image: Image, lens: Lens, before: Arrangement | None = None) -> Arrangement:
    """Measure the cards in a picture; with `before`, look only where they lay and keep what did not move.

    Raises `SightError` when the picture has another size than the lens, or when too few cards are seen: all but one,
    0 and 1 among them, while nothing is known; any two afterwards.
    """
    expect_size(image, lens)
    if before is None:
        return _arrange(lens, _search(image, lens))
    corners = {card.card: found for card in before.cards
               if (found := _track(image, before.view, card)) is not None}
    if len(corners) < 2 or len(before.cards) < len(CARDS):
        corners = {**_search(image, lens), **corners}
    return _compare(before, corners)


def expect_size(image: Image, lens: Lens) -> None:
    """Raises `SightError` when the picture has another size than the lens."""
    if image.shape[:2] != (lens.height, lens.width):
        raise SightError(phrase("eyes.other_size", width=image.shape[1], height=image.shape[0],
                                lens_width=lens.width, lens_height=lens.height))


def _search(image: Image, lens: Lens) -> dict[int, Floats]:
    """All cards in the whole picture, as refined corners (directions)."""
    found = {card: measure(image, lens, card, rough) for card, rough in detect(image).items()}
    return {card: corners for card, corners in sorted(found.items()) if corners is not None}


def _track(image: Image, view: View, card: CardSeen) -> Floats | None:
    """The card's corners where it lay before; else from a search close by; None when it is covered."""
    predicted = view.project_at(_corners_at((*card.at_mm, np.radians(card.turn_deg))), THICK_MM)
    corners = measure(image, view.lens, card.card, predicted)
    if corners is not None:
        return corners
    left, top, right, bottom = box_around(predicted, SEARCH_MM * view.px_per_mm(card.at_mm), image.shape)
    rough = detect(image[top:bottom, left:right]).get(card.card)
    return None if rough is None else measure(image, view.lens, card.card, rough + np.array([left, top]))


# ---------------------------------------------------------------- from markers to camera and cards


def _corners_at(pose: CardPose) -> Floats:
    """The marker's corners (4, 2) on the table in mm."""
    x, y, turn = pose
    spin = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    return np.asarray(CORNERS_MM @ spin.T + (x, y), np.float64)


def _pose_of(corners_mm: Floats) -> CardPose:
    """The pose that best fits four measured corners (4, 2) on the table."""
    x, y = corners_mm.mean(axis=0)
    off = corners_mm - (x, y)
    turn = np.arctan2((CORNERS_MM[:, 0] * off[:, 1] - CORNERS_MM[:, 1] * off[:, 0]).sum(), (CORNERS_MM * off).sum())
    return float(x), float(y), float(turn)


def _arrange(lens: Lens, corners: Corners) -> Arrangement:
    """Camera and cards together, from nothing known but the markers' size."""
    covered = [card for card in CARDS if card not in corners]
    if len(covered) > 1 or {0, 1} & set(covered):
        raise SightError(_covered(covered))
    view, poses, off = _bundle(lens, corners)
    _expect_one_size(lens, view, corners, poses)
    worst = max(off, key=lambda card: off[card])
    if off[worst] > AGREES_PX and worst not in (0, 1) and len(corners) == 4:
        view, poses, off = _bundle(lens, {card: seen for card, seen in corners.items() if card != worst})
    if np.median(list(off.values())) > LENS_PX:
        raise SightError(phrase("eyes.lens_disagrees"))
    if max(off.values()) > AGREES_PX:
        raise SightError(phrase("eyes.cards_disagree", card=max(off, key=lambda card: off[card])))
    return Arrangement(view, _told(poses), frozenset(off), float(np.mean(list(off.values()))))


def _expect_one_size(lens: Lens, view: View, corners: Corners, poses: Mapping[int, CardPose]) -> None:
    """Raises `SightError` when one of four cards seems to be printed at another size than the others.

    Camera and table tilt so that a card's size is explained away as far as a plane through all sizes can; what is left
    is shared out among the cards in the proportions in which any plane fits them.
    """
    if len(corners) < len(CARDS):
        return
    at = {card: view.rays_to_table(seen, THICK_MM) for card, seen in corners.items()}
    shares = {card: float(np.linalg.norm(each - np.roll(each, 1, axis=0), axis=1).mean()) / MARKER_MM
              for card, each in at.items()}
    odd = max(shares, key=lambda card: abs(shares[card] - 1))
    planes = np.array([(1.0, *poses[card][:2]) for card in shares])
    beside_planes = np.linalg.svd(planes.T)[2][-1]
    other = float(beside_planes @ np.array(list(shares.values())) / beside_planes[list(shares).index(odd)])
    if abs(other) <= OTHER_SIZE:
        return
    middle = corners[odd].mean(axis=0)
    as_others = {**corners, odd: np.asarray(middle + (corners[odd] - middle) / (1 + other), np.float64)}
    if np.median(list(_bundle(lens, as_others)[2].values())) < LENS_PX / 2:
        raise SightError(phrase("eyes.card_size", card=odd, percent=round(100 * (1 + other))))


def _compare(before: Arrangement, corners: Corners) -> Arrangement:
    """The camera among known cards; what does not lie where it lay is told."""
    if len(corners) < 2:
        raise SightError(_covered([card for card in CARDS if card not in corners]))
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
            poses[card] = _pose_of(view.rays_to_table(seen, THICK_MM))
    off = _distances(view, {card: corners[card] for card in still}, poses)
    return Arrangement(view, _told(poses), frozenset(corners), float(np.mean(list(off.values()))), bumped)


def _relocate(view: View, corners: Corners, poses: Mapping[int, CardPose]) -> tuple[View, list[int]]:
    """The camera that most of the cards agree on, and these cards."""
    groups = [list(corners)] + [[card for card in corners if card != left_out] for left_out in corners]
    for group in groups:
        if len(group) < 2:
            continue
        seen = {card: corners[card] for card in group}
        moved = _resect(view, seen, poses)
        still = _agreeing(moved, corners, poses)
        if set(group) <= set(still):
            return moved, still
    _expect_known_size(view.lens, corners, poses)
    raise SightError(phrase("eyes.all_moved"))


def _expect_known_size(lens: Lens, corners: Corners, poses: Mapping[int, CardPose]) -> None:
    """Raises `SightError` when cards that lie where they lay seem nearer to or farther from each other, all by the same
    share: then they were printed anew, in another size."""
    if len(corners) < 3 or not {0, 1} <= set(corners):
        return
    _, now, off = _bundle(lens, corners)
    pairs = list(combinations(sorted(corners), 2))
    shares = np.array([np.hypot(*np.subtract(now[one][:2], now[other][:2]))
                       / np.hypot(*np.subtract(poses[one][:2], poses[other][:2])) for one, other in pairs])
    share = float(np.median(shares))
    if max(off.values()) < AGREES_PX and np.abs(shares - share).max() < OTHER_SIZE / 2 < abs(share - 1):
        raise SightError(phrase("eyes.cards_size", percent=round(100 / share)))


def _agreeing(view: View, corners: Corners, poses: Mapping[int, CardPose]) -> list[int]:
    return [card for card, off in _distances(view, corners, poses).items() if off <= AGREES_PX]


def _distances(view: View, corners: Corners, poses: Mapping[int, CardPose]) -> dict[int, float]:
    """For each card the mean distance in px of its corners from where they should be."""
    return {card: float(np.linalg.norm(_error(view.rotation, view.translation_mm, seen, poses[card]), axis=1).mean())
            * view.lens.focal_px for card, seen in corners.items()}


def _error(rotation: Floats, translation: Floats, seen: Floats, pose: CardPose) -> Floats:
    """Measured minus predicted directions (4, 2)."""
    at = np.column_stack([_corners_at(pose), np.full(4, THICK_MM)]) @ rotation.T + translation
    return np.asarray(seen - at[:, :2] / at[:, 2:], np.float64)


def _bundle(lens: Lens, corners: Corners) -> tuple[View, dict[int, CardPose], dict[int, float]]:
    """Camera and card poses that fit all corners best, and how far each card is off."""
    view, poses = min(_starts(lens, corners), key=lambda start: sum(_distances(start[0], corners, start[1]).values()))
    others = [card for card in corners if card > 1]

    def unpack(values: Floats) -> tuple[Floats, Floats, dict[int, CardPose]]:
        lying = {0: (0.0, 0.0, float(values[6])), 1: (float(values[7]), 0.0, float(values[8]))}
        for card, (x, y, turn) in zip(others, values[9:].reshape(-1, 3)):
            lying[card] = (float(x), float(y), float(turn))
        return np.asarray(cv2.Rodrigues(values[:3])[0], np.float64), values[3:6], lying

    def errors(values: Floats) -> Floats:
        rotation, translation, lying = unpack(values)
        return np.concatenate([_error(rotation, translation, corners[card], lying[card]).ravel() for card in corners])

    start = np.concatenate([cv2.Rodrigues(view.rotation)[0].ravel(), view.translation_mm, [poses[0][2]],
                            [poses[1][0], poses[1][2]], *[poses[card] for card in others]])
    rotation, translation, lying = unpack(least_squares(errors, start))
    view = View(lens, rotation, translation)
    return view, lying, _distances(view, corners, lying)


def _starts(lens: Lens, corners: Corners) -> Iterable[tuple[View, dict[int, CardPose]]]:
    """Rough guesses: each card's own pose, in both ways in which a small square can be seen, carries the others."""
    square = np.column_stack([CORNERS_MM, np.zeros(4)])
    for seen in corners.values():
        _, turns, shifts, _ = cv2.solvePnPGeneric(square, seen.reshape(-1, 1, 2), np.eye(3), np.zeros(5),
                                                  flags=cv2.SOLVEPNP_IPPE_SQUARE)
        for turn, shift in zip(turns, shifts):
            rotation = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
            card_view = View(lens, rotation, np.asarray(shift, np.float64).ravel())
            yield _in_table_frame(card_view, corners)


def _in_table_frame(card_view: View, corners: Corners) -> tuple[View, dict[int, CardPose]]:
    """From a frame in the plane of the markers to the table frame of cards 0 and 1."""
    origin, right = (card_view.rays_to_table(corners[card]).mean(axis=0) for card in (0, 1))
    angle = np.arctan2(right[1] - origin[1], right[0] - origin[0])
    spin = np.array([(np.cos(angle), -np.sin(angle), 0), (np.sin(angle), np.cos(angle), 0), (0, 0, 1)])
    rotation = card_view.rotation @ spin
    translation = card_view.translation_mm + card_view.rotation @ (*origin, 0) - rotation @ (0, 0, THICK_MM)
    view = View(card_view.lens, rotation, translation)
    return view, {card: _pose_of(view.rays_to_table(seen, THICK_MM)) for card, seen in corners.items()}


def _resect(view: View, corners: Corners, poses: Mapping[int, CardPose]) -> View:
    """The camera among cards that lie where they lay."""
    at = np.concatenate([np.column_stack([_corners_at(poses[card]), np.full(4, THICK_MM)]) for card in corners])
    seen = np.concatenate(list(corners.values())).reshape(-1, 1, 2)
    _, turn, shift = cv2.solvePnP(at, seen, np.eye(3), np.zeros(5), cv2.Rodrigues(view.rotation)[0],
                                  view.translation_mm.reshape(3, 1).copy(), useExtrinsicGuess=True)
    return View(view.lens, np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.asarray(shift, np.float64).ravel())


def _told(poses: Mapping[int, CardPose]) -> tuple[CardSeen, ...]:
    return tuple(CardSeen(card, (x, y), float((np.degrees(turn) + 180) % 360 - 180))
                 for card, (x, y, turn) in sorted(poses.items()))


def _covered(cards: Sequence[int]) -> Phrase:
    if len(cards) == len(CARDS):
        return phrase("eyes.no_cards")
    return _one_or_more("eyes.card_covered", "eyes.cards_covered", cards)


def _one_or_more(one: str, more: str, cards: Sequence[int]) -> Phrase:
    return phrase(one, card=cards[0]) if len(cards) == 1 else phrase(more, cards=tuple(cards))
