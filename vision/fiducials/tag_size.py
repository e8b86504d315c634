"""Cards that were printed in another size than the others, or than before: reported, for all positions would be off."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from companion.errors import SightError, phrase
from companion.table.tag_card import MARKER_MM, TAG_CARDS
from vision.fiducials.tag_bundle import THICK_MM, CardPoses, MarkerRays, bundle
from vision.imaging.arrays import Floats
from vision.imaging.camera import Lens, View

SIZE_TOLERANCE = 0.01
"""A card is printed at another size when it differs by more than this share from the others."""


def expect_one_size(lens: Lens, view: View, corners: MarkerRays, poses: CardPoses, fits_px: float) -> None:
    """Raises `SightError` when one of four cards seems to be printed at another size than the others: with their size,
    the median reprojection error would be below `fits_px`.

    The tilt of the fitted table absorbs a card's wrong size as far as a plane through all apparent sizes can; the
    residual of that plane is distributed over the cards in fixed proportions, from which the size follows.
    """
    if len(corners) < len(TAG_CARDS):
        return
    sizes = {card: _apparent_size(view, seen) for card, seen in corners.items()}
    odd = max(sizes, key=lambda card: abs(sizes[card] - 1))
    planes = np.array([(1.0, *poses[card][:2]) for card in sizes])
    beside_planes = np.linalg.svd(planes.T)[2][-1]
    larger_by = float(beside_planes @ np.array(list(sizes.values())) / beside_planes[list(sizes).index(odd)])
    if abs(larger_by) <= SIZE_TOLERANCE:
        return
    middle = corners[odd].mean(axis=0)
    as_others = {**corners, odd: np.asarray(middle + (corners[odd] - middle) / (1 + larger_by), np.float64)}
    if np.median(list(bundle(lens, as_others)[2].values())) < fits_px:
        raise SightError(phrase("eyes.card_size", card=odd, percent=round(100 * (1 + larger_by))))


def _apparent_size(view: View, corners: Floats) -> float:
    """The side of a marker with these corners (4, 2; normalised image coordinates), back-projected to the table,
    divided by its nominal side."""
    at = view.rays_to_table(corners, THICK_MM)
    return float(np.linalg.norm(at - np.roll(at, 1, axis=0), axis=1).mean()) / MARKER_MM


def expect_known_size(lens: Lens, corners: MarkerRays, poses: CardPoses, agrees_px: float) -> None:
    """Raises `SightError` when cards whose reprojection errors are below `agrees_px` seem nearer to or farther from
    each other than before, all by the same factor: then they were printed anew, in another size."""
    if len(corners) < 3 or not {0, 1} <= set(corners):
        return
    _, now, off = bundle(lens, corners)
    pairs = list(combinations(sorted(corners), 2))
    shares = np.array([np.hypot(*np.subtract(now[one][:2], now[other][:2]))
                       / np.hypot(*np.subtract(poses[one][:2], poses[other][:2])) for one, other in pairs])
    share = float(np.median(shares))
    if max(off.values()) < agrees_px and np.abs(shares - share).max() < SIZE_TOLERANCE / 2 < abs(share - 1):
        raise SightError(phrase("eyes.cards_size", percent=round(100 / share)))
