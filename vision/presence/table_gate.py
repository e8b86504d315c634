"""Is the table free? Answered from the small picture alone, in a few milliseconds.

A hand belongs to an arm and an arm comes from outside: so what is new against an earlier free look, once the light is
made equal, and touches the picture's border is a hand, and so is anything larger than a piece where no pieces
stand. Not a hand is a thing beside the play area: it looks like a mug, or is still the same on a later look. Pieces
come and go within the play area only. Nothing is taken for free because it does not move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from companion.errors import Phrase, phrase
from companion.table import Piece, Point
from vision.fiducials.tag_corners import CARD_CORNERS_MM
from vision.imaging.camera import View, spin
from vision.imaging.frame import SMALL_WH, Image
from vision.presence.foreground import (
    CLOSE,
    FAINT,
    FINGERTIP_PX,
    SURE,
    Blob,
    Ground,
    Mask,
    Part,
    looks_like_a_mug,
    relight,
    same,
    skin_share,
)

__all__ = ["Ground", "Verdict", "Watcher", "survey"]

THING_MM, THING_PX = 180.0, 8 * FINGERTIP_PX
"""A thing at the border, a mug with its handle, is not longer than this, and large enough to judge its colour."""

SKIN_SHARE = 0.25
"""Pieces that lie at the very border have at most this share of skin colour."""

LASTING_S = 2.0
"""What was there so long ago and is still the same is a thing."""

BESIDE, WITHIN = 0.25, 0.95
"""A thing beside the play area overlaps it, with its shadow, by at most this share; pieces lie on it by at least."""

FORGET_S = 60.0

STREAM_S, MOTION, MOTION_SHARE = 0.7, 10, 0.0006
"""Pictures no farther apart than `STREAM_S` are a stream; when so many of their pixels differ so much, it moves."""

PIECE_MM = 100.0
"""What is larger is a board: it stays."""

STRIP_PX = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """Free, or why not. `shifted`: the picture as a whole seems moved; the cards can tell whether the camera was."""

    state: Literal["free", "hand", "moving"]
    why: Phrase | None = None
    shifted: bool = False


def survey(view: View, zones: Iterable[Sequence[Point]], cards: Iterable[tuple[Point, float]],
           pieces: Iterable[Piece], slack_mm: float = 12.0) -> Ground:
    """The ground for a view: zones as corners and cards as place and turn (degrees), all in the table frame in mm."""
    pieces = list(pieces)
    tall = max((piece.size_mm[2] for piece in pieces), default=0.0)
    shrink = np.array([SMALL_WH[0] / view.lens.width, SMALL_WH[1] / view.lens.height])
    play, card_mask = (np.zeros(SMALL_WH[::-1], np.uint8) for _ in range(2))
    lying = list(cards)
    middle = np.mean([at for at, _ in lying], axis=0) if lying else np.zeros(2)
    scale = view.px_per_mm(middle) * float(np.sqrt(shrink.prod()))
    for zone in zones:
        _fill(play, np.concatenate([view.project_at(zone, height) for height in (0.0, tall)]) * shrink)
    play = np.asarray(cv2.dilate(play, np.ones((2 * round(slack_mm * scale) + 1,) * 2, np.uint8)), np.uint8)
    for at, turn_deg in lying:
        _fill(card_mask, view.project_at(CARD_CORNERS_MM @ spin(turn_deg).T + at, 0.0) * shrink)
    card_mask = np.asarray(cv2.dilate(card_mask, np.ones((5, 5), np.uint8)), np.uint8)
    lean = float(np.linalg.norm(view.lean(middle, tall / 2))) / view.px_per_mm(middle)
    largest = max((x * y + max(x, y) * z * lean for x, y, z in (piece.size_mm for piece in pieces)
                   if max(x, y) <= PIECE_MM), default=900.0)
    return Ground(play, card_mask, largest * scale * scale, scale)


def _fill(mask: Mask, points: npt.NDArray[np.float64]) -> None:
    cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(points).astype(np.int32)), (255,))


class Watcher:
    """Watches one table. `references` are small pictures (180, 320, 3) without a hand: those of enrolment."""

    def __init__(self, ground: Ground, references: Sequence[Image] = ()) -> None:
        self.ground = ground
        self._references = list(references)
        self._free: Image | None = None
        self._last: tuple[Image, float] | None = None
        self._doubtful: list[Blob] = []
        self._blind = np.zeros(SMALL_WH[::-1], np.uint8)  # what a bumped camera sees for the first time

    def look(self, small: Image, at_s: float) -> Verdict:
        """Judge one small picture taken at `at_s` (monotonic seconds). A free one becomes the reference."""
        nothing_known = self._free is None and not self._references
        moves = self._moves(small, at_s, far_apart=nothing_known)
        self._last = (small, at_s)
        if nothing_known:
            if moves is None or moves:  # two pictures that are alike are needed to begin with
                return Verdict("moving", phrase("eyes.moving"))
            self._free = small
            return Verdict("free")
        lit = [relight(image, small) for image in (self._references if self._free is None else [self._free])]
        blobs = self._new(lit, small, at_s)
        hand = any(not self._is_thing(blob, lit[0]) for blob in sorted(blobs, key=lambda blob: -blob.area))
        self._doubtful = self._remember(blobs, at_s)
        if hand:
            return Verdict("hand", phrase("eyes.hand"), shifted=self._shifted(small))
        if moves:
            return Verdict("moving", phrase("eyes.moving"))
        self._free = small
        self._blind[:] = 0
        return Verdict("free")

    def accept(self, small: Image) -> None:
        """A person says that this picture shows a free table."""
        self._free = small
        self._blind[:] = 0

    def realign(self, before: View, after: View, ground: Ground) -> None:
        """The camera was bumped: turn what is known to the new view."""
        lens = before.lens
        corners = np.array([(0, 0), (lens.width, 0), (lens.width, lens.height), (0, lens.height)], np.float64)
        shrink = np.array([SMALL_WH[0] / lens.width, SMALL_WH[1] / lens.height])
        moved = after.project_at(before.to_table(corners), 0.0)
        warp = cv2.getPerspectiveTransform((corners * shrink).astype(np.float32), (moved * shrink).astype(np.float32))

        def turned(image: npt.NDArray[np.uint8], border: int = cv2.BORDER_REPLICATE) -> npt.NDArray[np.uint8]:
            return np.asarray(cv2.warpPerspective(image, warp, SMALL_WH, borderMode=border), np.uint8)

        self._blind = cv2.bitwise_not(turned(np.full(SMALL_WH[::-1], 255, np.uint8), cv2.BORDER_CONSTANT))
        self._references = [turned(image) for image in self._references]
        self._free = None if self._free is None else turned(self._free)
        self.ground, self._doubtful = ground, []

    def _moves(self, small: Image, at_s: float, far_apart: bool = False) -> bool | None:
        """Whether the picture differs from the one just before, or however long before; None without one."""
        if self._last is None or (at_s - self._last[1] > STREAM_S and not far_apart):
            return None
        off = cv2.absdiff(cv2.blur(small, (3, 3)), cv2.blur(self._last[0], (3, 3))).max(axis=2)
        if np.mean(off > MOTION) <= MOTION_SHARE:
            return False
        change = _change([relight(self._last[0], small)], small)  # the exposure may have jumped
        return bool(np.mean(change > MOTION) > MOTION_SHARE)

    def _new(self, lit: Sequence[Image], small: Image, at_s: float) -> list[Blob]:
        """What is new in the picture against the last free look, or those of enrolment, `lit` in the picture's light:
        too large or at the wrong place to be a piece."""
        change = _change(lit, small)
        blobs = self._blobs(change, small, at_s)
        if blobs and self._free is not None and self._references:
            # what looks as at enrolment is not new: a mug that was taken away
            part = _around(blobs)
            lit = [relight(image, small, part) for image in self._references]
            change[part] = cv2.min(change[part], _change(lit, small[part]))
            blobs = self._blobs(change, small, at_s)
        return blobs

    def _blobs(self, change: Mask, small: Image, at_s: float) -> list[Blob]:
        change[(self.ground.cards > 0) | (self._blind > 0)] = 0
        if not (change > SURE).any():
            return []
        outside = np.asarray(cv2.bitwise_not(self.ground.play), np.uint8)
        edge = np.asarray(cv2.dilate(self._blind, np.ones((2 * STRIP_PX + 1,) * 2, np.uint8)), np.uint8)
        edge[:STRIP_PX], edge[-STRIP_PX:], edge[:, :STRIP_PX], edge[:, -STRIP_PX:] = 255, 255, 255, 255
        whole = _components(change, small, at_s, np.full_like(outside, 255), edge)
        at_border = [blob for blob in whole if blob.at_border and blob.area >= FINGERTIP_PX]
        apart = [blob for blob in _components(change, small, at_s, outside, edge) if not blob.at_border]
        large = [blob for blob in apart if blob.area > self.ground.piece_px]
        scattered = sum(blob.area for blob in apart) > 2.5 * self.ground.piece_px
        return at_border + (apart if scattered else large)

    def _is_thing(self, blob: Blob, before: Image) -> bool:
        """Whether something new is a thing that may stay: beside the play area and like a mug, or there for a while; or
        pieces that lie at the picture's very border."""
        on_play = float((self.ground.play[blob.mask > 0] > 0).mean())
        lasts = any(blob.at_s - old.at_s >= LASTING_S and same(old, blob) for old in self._doubtful)
        compact = max(blob.box[2:]) <= THING_MM * self.ground.px_per_mm
        if BESIDE < on_play < WITHIN or blob.area < THING_PX:
            return lasts and compact and on_play <= BESIDE
        skin = skin_share(blob, before, self.ground)
        if on_play >= WITHIN:
            return skin <= SKIN_SHARE and blob.area <= 4 * self.ground.piece_px
        return compact and (lasts or looks_like_a_mug(blob, before, self.ground))

    def _before(self) -> Image:
        return self._free if self._free is not None else self._references[0]

    def _remember(self, blobs: Sequence[Blob], at_s: float) -> list[Blob]:
        """The first sight of each blob, and of those that something else hides for a while."""
        known = [old for old in self._doubtful if at_s - old.at_s < FORGET_S]
        return known + [blob for blob in blobs if not any(same(old, blob) for old in known)]

    def _shifted(self, small: Image) -> bool:
        """Whether the whole picture lies beside the reference by a pixel or more."""
        then, now = (cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
                     for image in (self._before(), small))
        (dx, dy), clear = cv2.phaseCorrelate(then, now)
        return bool(clear > 0.3 and np.hypot(dx, dy) > 0.8)


def _around(blobs: Sequence[Blob]) -> Part:
    """The part of the small picture that holds all blobs, with some more."""
    left, top, width, height = np.array([blob.box for blob in blobs]).T
    return (slice(max(int(top.min()) - STRIP_PX, 0), int((top + height).max()) + STRIP_PX),
            slice(max(int(left.min()) - STRIP_PX, 0), int((left + width).max()) + STRIP_PX))


def _change(references: Sequence[Image], small: Image) -> Mask:
    """By how many grey values each pixel differs from all references, which are in the same light.

    A pixel may differ as far as its neighbours do: edges wander by a pixel.
    """
    least: Mask | None = None
    for same_light in references:
        above = cv2.subtract(small, cv2.dilate(same_light, CLOSE))
        below = cv2.subtract(cv2.erode(same_light, CLOSE), small)
        blue, green, red = cv2.split(cv2.max(above, below))
        change = cv2.max(cv2.max(blue, green), red)
        least = np.asarray(change if least is None else cv2.min(least, change), np.uint8)
    assert least is not None
    return least


def _components(change: Mask, small: Image, at_s: float, within: Mask, edge: Mask) -> list[Blob]:
    """Connected changes that are sure somewhere; those that touch the edge are at the border."""
    faint, certain = (cv2.bitwise_and(cv2.threshold(change, least, 255, cv2.THRESH_BINARY)[1], within)
                      for least in (FAINT, SURE))
    if cv2.countNonZero(certain) < FINGERTIP_PX // 2:
        return []
    joined = cv2.morphologyEx(faint, cv2.MORPH_CLOSE, CLOSE)
    opened = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(opened, np.uint8), connectivity=8)
    sure = np.bincount(labels[np.asarray(certain) > 0], minlength=count)
    blobs = []
    for label in range(1, count):
        if sure[label] < FINGERTIP_PX // 2:
            continue
        x, y, across, down, area = (int(value) for value in stats[label])
        part = (slice(y, y + down), slice(x, x + across))
        mask = np.zeros_like(edge)
        mask[part] = cv2.inRange(labels[part], label, label)
        at_border = cv2.countNonZero(cv2.bitwise_and(mask[part], edge[part])) > 0
        blobs.append(Blob(mask, (x, y, across, down), area, at_border, small, at_s))
    return blobs
