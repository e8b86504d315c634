"""Cards that were printed in another size than the others, or than before: said, for every place would be off."""

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
    """Raises `SightError` when one of four cards seems to be printed at another size than the others: if it had theirs,
    all would fit to `fits_px`.

    Camera and table tilt so that a card's size is explained away as far as a plane through all sizes can; what is left
    is shared out among the cards in the proportions in which any plane fits them.
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
    """How large a marker with corners in these directions (4, 2) would be on the table, by what it should be."""
    at = view.rays_to_table(corners, THICK_MM)
    return float(np.linalg.norm(at - np.roll(at, 1, axis=0), axis=1).mean()) / MARKER_MM


def expect_known_size(lens: Lens, corners: MarkerRays, poses: CardPoses, agrees_px: float) -> None:
    """Raises `SightError` when cards that fit to `agrees_px` seem nearer to or farther from each other than they lay,
    all by the same share: then they were printed anew, in another size."""
    if len(corners) < 3 or not {0, 1} <= set(corners):
        return
    _, now, off = bundle(lens, corners)
    pairs = list(combinations(sorted(corners), 2))
    shares = np.array([np.hypot(*np.subtract(now[one][:2], now[other][:2]))
                       / np.hypot(*np.subtract(poses[one][:2], poses[other][:2])) for one, other in pairs])
    share = float(np.median(shares))
    if max(off.values()) < agrees_px and np.abs(shares - share).max() < SIZE_TOLERANCE / 2 < abs(share - 1):
        raise SightError(phrase("eyes.cards_size", percent=round(100 / share)))
