"""Regions of the small picture: the play area and the tag cards; and the scale of things there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Piece, Point
from vision.fiducials.tag_corners import CARD_CORNERS_MM
from vision.imaging.arrays import Floats
from vision.imaging.camera import View, spin
from vision.imaging.frame import SMALL_WH

SmallMask = npt.NDArray[np.uint8]
"""(180, 320), 0 or 255."""

MAX_PIECE_MM, USUAL_PIECE_MM2 = 100.0, 900.0
"""What is longer is a board, which stays; and the area of the largest piece when none is known."""

CARD_EDGE_PX = 2
"""The margin around a card within which its edge may be seen."""


@dataclass(frozen=True, slots=True, eq=False)
class PlayArea:
    """Masks of the small picture: `play`, where pieces may be seen with their height; `cards`, the tag cards.
    `piece_px` is the area in px of the largest piece, `px_per_mm` the scale."""

    play: SmallMask
    cards: SmallMask
    piece_px: float
    px_per_mm: float


def survey(view: View, zones: Iterable[Sequence[Point]], cards: Iterable[tuple[Point, float]],
           pieces: Iterable[Piece], slack_mm: float = 12.0) -> PlayArea:
    """The play area in a view: zones as corners and cards as centre and turn (degrees), all in the table frame in
    mm."""
    pieces, cards = list(pieces), list(cards)
    tall = max((piece.size_mm[2] for piece in pieces), default=0.0)
    shrink = small_scale(view)
    middle = np.mean([at for at, _ in cards], axis=0) if cards else np.zeros(2)
    scale = view.px_per_mm(middle) * float(np.sqrt(shrink.prod()))
    play = _drawn(np.concatenate([view.project_at(zone, height) for height in (0.0, tall)]) * shrink for zone in zones)
    lying = _drawn(view.project_at(CARD_CORNERS_MM @ spin(turn_deg).T + at, 0.0) * shrink for at, turn_deg in cards)
    lean = float(np.linalg.norm(view.lean(middle, tall / 2))) / view.px_per_mm(middle)
    return PlayArea(_dilated(play, round(slack_mm * scale)), _dilated(lying, CARD_EDGE_PX),
                    _largest_mm2(pieces, lean) * scale * scale, scale)


def small_scale(view: View) -> Floats:
    """The factors (2,), in x and y, from pixels of the picture to those of the small picture."""
    return np.array([SMALL_WH[0] / view.lens.width, SMALL_WH[1] / view.lens.height])


def _largest_mm2(pieces: Iterable[Piece], lean: float) -> float:
    """The visible area (mm²) of the largest piece, whose top is displaced by `lean` mm for each mm of height."""
    return max((x * y + max(x, y) * z * lean for x, y, z in (piece.size_mm for piece in pieces)
                if max(x, y) <= MAX_PIECE_MM), default=USUAL_PIECE_MM2)


def _drawn(outlines_px: Iterable[Floats]) -> SmallMask:
    """A mask of the convex hulls of points (n, 2) in px of the small picture."""
    mask = np.zeros(SMALL_WH[::-1], np.uint8)
    for points in outlines_px:
        cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(points).astype(np.int32)), (255,))
    return mask


def _dilated(mask: SmallMask, by_px: int) -> SmallMask:
    return np.asarray(cv2.dilate(mask, np.ones((2 * by_px + 1,) * 2, np.uint8)), np.uint8)
