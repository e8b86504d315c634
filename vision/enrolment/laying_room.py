"""The free area between the cards, and the arrangement of pieces there in rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from companion.table import Body, Piece
from vision.enrolment.picture_set import LaidPiece
from vision.fiducials.tag_corners import CARD_CORNERS_MM
from vision.imaging.arrays import Floats
from vision.imaging.camera import View, spin
from vision.imaging.footprints import outline_mm
from vision.imaging.frame import CardSeen

GAP_MM_BY_KIND = {"drink": 16.0}
OTHER_GAP_MM = 12.0
"""Gaps between pieces: hands need room between drinks."""

CARD_CLEARANCE_MM, BORDER_CLEARANCE_PX = 15.0, 20.0
"""Clearance of pieces from cards and from the border of the picture."""

BOARD_OVERHANG_MM, BOARD_STEP_MM = 150.0, 10.0
"""The largest offset of a large board's middle from that of the cards, along x and along y, and the step of the search.
"""


class LayingRoom:
    """The table between the cards."""

    def __init__(self, cards: Sequence[CardSeen], view: View) -> None:
        self._view = view
        markers = np.array([card.at_mm for card in cards])
        self._low, self._high = markers.min(axis=0), markers.max(axis=0)
        self._cards = [CARD_CORNERS_MM @ spin(card.turn_deg).T + card.at_mm for card in cards]

    def lay(self, pieces: Sequence[Piece]) -> Iterator[tuple[LaidPiece, ...]]:
        """The pieces in rows, from the back left to the front right, as few pictures as there is room for."""
        if not pieces:
            return
        across, deep = (max(piece.size_mm[way] for piece in pieces) for way in (0, 1))
        gap = max(GAP_MM_BY_KIND.get(piece.kind, OTHER_GAP_MM) for piece in pieces)
        free = self._free(across, deep, gap)
        most = max(len(free), 1)
        for first in range(0, len(pieces), most):
            some = pieces[first:first + most]
            cells = self._nearest(free, len(some))
            yield tuple(LaidPiece(piece.name, (float(x), float(y)), 0.0) for piece, (x, y) in zip(some, cells))

    def lay_alone(self, piece: Piece) -> LaidPiece:
        """A large piece, as near to the middle as cards let it."""
        across, deep = piece.size_mm[:2]
        middle = (self._low + self._high) / 2
        step = np.arange(-BOARD_OVERHANG_MM, BOARD_OVERHANG_MM + 1, BOARD_STEP_MM)
        off = np.stack(np.meshgrid(step, step), axis=-1).reshape(-1, 2)
        off = off[np.argsort(np.hypot(off[:, 0], off[:, 1]), kind="stable")]
        x, y = next((at for at in middle + off if self._is_free(at, across, deep)), middle)
        return LaidPiece(piece.name, (round(float(x)), round(float(y))), 0.0)

    def _free(self, across: float, deep: float, gap: float) -> Floats:
        """Middles (n, 2) of all cells of a grid that lie between the cards."""
        pitch = np.ceil((across + gap, deep + gap))
        middle = np.rint((self._low + self._high) / 2)
        reach = [np.arange(-int(half // each), int(half // each) + 1) * each
                 for half, each in zip((self._high - self._low) / 2, pitch)]
        cells = np.stack(np.meshgrid(*reach), axis=-1).reshape(-1, 2) + middle
        return np.array([at for at in cells if self._is_free(at, across, deep)]).reshape(-1, 2)

    def _nearest(self, free: Floats, count: int) -> Floats:
        """This many cells around the middle, the back row first."""
        off = np.abs(free - (self._low + self._high) / 2) / (self._high - self._low)
        chosen = free[np.argsort(off.max(axis=1), kind="stable")[:count]]
        return chosen[np.lexsort((chosen[:, 0], -chosen[:, 1]))]

    def _is_free(self, at: Floats, across: float, deep: float) -> bool:
        """Whether a piece with its middle there is seen whole and clear of all cards."""
        corners = outline_mm(Body("", "", (float(at[0]), float(at[1])), (across, deep, 0.0)))
        px = self._view.project_at(corners, 0.0)
        lens = self._view.lens
        if (px < BORDER_CLEARANCE_PX).any() or (px > np.array((lens.width, lens.height)) - BORDER_CLEARANCE_PX).any():
            return False
        grown = np.array((across, deep)) / 2 + CARD_CLEARANCE_MM
        return not any(_overlap(at, grown, card) for card in self._cards)


def _overlap(at: Floats, half: Floats, card: Floats) -> bool:
    """Whether an upright rectangle and the corners (4, 2) of a card overlap: by the separating axis
    theorem."""
    edges = card[1:3] - card[:2]
    corners = at + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    for way in (*np.eye(2), *(edges / np.linalg.norm(edges, axis=1, keepdims=True))):
        own, other = corners @ way, card @ way
        if own.max() <= other.min() or other.max() <= own.min():
            return False
    return True
