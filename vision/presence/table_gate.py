"""Is the table free? Answered from the small picture alone, in a few milliseconds.

A hand belongs to an arm and an arm comes from outside. So a component of the difference from an earlier free look, once
the light is made equal, may be a hand if it touches the picture's border, or if it lies outside the play area and is
larger than a piece. It is none if it does not look like one (`foreground.py`), or if it lies beside the play area and
is unchanged on a later look. A still hand is never taken for a free table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.errors import phrase
from vision.imaging.arrays import Mask
from vision.imaging.camera import View
from vision.imaging.frame import SMALL_WH, STREAM_S, Image
from vision.presence.arms import Arm, arm_of
from vision.presence.blobs import (
    CLOSE,
    END_PX,
    FINGERTIP_PX,
    SURE_CHANGE,
    UNMOVED_SHARE,
    Blob,
    change_since,
    clear_of,
    connected,
    cut_to,
    picture_edge,
    region_around,
    same_thing,
    shared_px,
    sights_kept,
    uncut,
)
from vision.presence.coverings import Coverings
from vision.presence.fingers import is_end_in_its_shade, is_fingers_end, may_show_fingers
from vision.presence.foreground import (
    BESIDE_SHARE,
    COMPACT_MM,
    FINGERS_MM2,
    SHORT_MM,
    is_exact,
    is_light,
    looks_like_a_thing,
)
from vision.presence.grain import hides_table
from vision.presence.motion import is_shifted, motion_between
from vision.presence.outline import blob_shape
from vision.presence.play_area import PlayArea, SmallMask, small_scale
from vision.presence.relight import match_lamps, match_light
from vision.presence.round_thing import beside_disc
from vision.presence.verdict import Verdict

LASTING_S, FORGET_S = 2.0, 60.0
"""A blob that is unchanged after `LASTING_S` is a thing; blobs are remembered for `FORGET_S`, and not beyond a free
picture."""

LAMP_PX, LEFT_SHARE = 0.06 * SMALL_WH[0] * SMALL_WH[1], 0.9
"""Where so many pixels differ, a lamp may have been switched; it was, if in its light less than this share still do."""
LAMPS_EVERY_S = 1.0
"""While a picture rests that no lamp explains, one is tried again so often: it takes as long as all else."""

TABLE_SHARE = 0.25
"""A blob of which the table's grain is seen in more than this share is judged by the rest alone."""

RESTS_S = 1.0
"""In a stream a disc is sought when the picture rests for so long, and again every `LASTING_S`."""

SCATTERED_PIECES = 2.5
"""Components outside the play area and off the border that are smaller than a piece are a hand if their total area
exceeds this many pieces."""

HAND_EVERY_S = 0.3
"""A hand that rests is judged again so often: it takes five times as long as a picture without one."""

CARD_MOTION_SHARE = 0.25
"""A card may be moving when more than this share of the pixels in motion is on the cards."""


class TableGate:
    """Watches one table. `references` are small pictures (180, 320, 3) without a hand: those of enrolment."""

    def __init__(self, area: PlayArea, references: Sequence[Image] = ()) -> None:
        self.area = area
        self._references = list(references)
        self._free: Image | None = None
        self._last: tuple[Image, float] | None = None
        self._resting_hand: tuple[Verdict, float] | None = None  # what a hand at rest was judged to be, and when
        self._doubtful: list[Blob] = []
        self._hands: list[Blob] = []  # what looked like hands of late
        self._rests_s = self._discs_s = -math.inf  # since when the picture rests; when a disc was sought in vain
        self._lamps_s = -math.inf  # when a lamp was tried last, while the picture rests
        self._apart: list[Blob] = []  # what of the blobs of this look is not the table in another light
        self._coverings = Coverings()
        self.covered: SmallMask | None = None  # what things cover of the play area in the last free picture
        self._unseen = np.zeros(SMALL_WH[::-1], np.uint8)  # what a bumped camera sees for the first time

    def look(self, small: Image, at_s: float) -> Verdict:
        """Judge one small picture taken at `at_s` (monotonic seconds). A free one becomes the reference."""
        nothing_known = self._free is None and not self._references
        was_free = self._last is not None and self._last[0] is self._free
        motion = self._motion(small, at_s, far_apart=nothing_known)
        moves = motion is not None and bool(motion.any())
        self._last = (small, at_s)
        if moves or motion is None:
            self._rests_s = at_s if moves else -math.inf
            self._discs_s = self._lamps_s = -math.inf
        if nothing_known:
            return self._first(small, motion is None or moves)
        rests = motion is not None and not moves
        if rests and self._resting_hand is not None and 0.0 <= at_s - self._resting_hand[1] < HAND_EVERY_S:
            return self._resting_hand[0]
        verdict = self._judge(small, at_s, motion, was_free)
        self._resting_hand = (verdict, at_s) if rests and verdict.state == "hand" else None
        return verdict

    def _judge(self, small: Image, at_s: float, motion: Mask | None, was_free: bool) -> Verdict:
        """Judge a picture that moves at `motion`, against earlier ones. `was_free`: the one just before was."""
        moves = motion is not None and bool(motion.any())
        self._apart = []
        lit = [match_light(image, small) for image in (self._references if self._free is None else [self._free])]
        blobs = self._new(lit, small, at_s, moves)
        hand = self._hand(blobs, lit[0])
        if hand is not None and not moves and self._free is not None and sum(blob.area for blob in blobs) > LAMP_PX:
            if at_s - self._lamps_s < LAMPS_EVERY_S:
                return self._of_hand(hand, blobs, moves, self._shifted(small))
            in_lamps = [match_lamps(self._free, small)]
            left = self._blobs(change_since(in_lamps, small), in_lamps[0], small, at_s)
            if sum(blob.area for blob in left) < LEFT_SHARE * sum(blob.area for blob in blobs):
                lit, blobs, hand = in_lamps, left, self._hand(left, in_lamps[0])
            self._lamps_s = at_s
        known = [old for old in self._doubtful if at_s - old.at_s < FORGET_S]
        self._doubtful = sights_kept(known, blobs + self._apart)
        shifted = bool(blobs) and self._shifted(small)
        if hand is not None or shifted:
            return self._of_hand(hand, blobs, moves, shifted)
        if motion is not None and moves:
            at_cards = bool((self.area.cards[motion] > 0).mean() > CARD_MOTION_SHARE)
            return Verdict("moving", phrase("eyes.moving"), moves, self._shifted(small), at_cards)
        if motion is None or not was_free:
            relit = lit[0] if self._coverings.remembers(self._free) else None
            self.covered = self._coverings.find(small, self.area, relit)
        self.accept(small)
        return Verdict("free")

    def accept(self, small: Image) -> None:
        """Take this picture as showing a free table: it becomes the reference, and what was doubtful before has gone or
        is a part of it. A hand that comes back to where one lay does not last."""
        self._free = small
        self._doubtful, self._resting_hand = [], None
        self._unseen[:] = 0

    def realign(self, before: View, after: View, area: PlayArea) -> None:
        """The camera or a card was bumped: warp the references to the new view. Where a card lay, the table is seen for
        the first time."""
        lens = before.lens
        corners = np.array([(0, 0), (lens.width, 0), (lens.width, lens.height), (0, lens.height)], np.float64)
        shrink = small_scale(before)
        moved = after.project_at(before.to_table(corners), 0.0)
        warp = cv2.getPerspectiveTransform((corners * shrink).astype(np.float32), (moved * shrink).astype(np.float32))

        def turned(image: npt.NDArray[np.uint8], border: int = cv2.BORDER_REPLICATE) -> npt.NDArray[np.uint8]:
            return np.asarray(cv2.warpPerspective(image, warp, SMALL_WH, borderMode=border), np.uint8)

        beyond = cv2.bitwise_not(turned(np.full(SMALL_WH[::-1], 255, np.uint8), cv2.BORDER_CONSTANT))
        bared = cv2.subtract(turned(self.area.cards), area.cards)
        bared = cv2.morphologyEx(bared, cv2.MORPH_OPEN, CLOSE)  # what is thinner is rounded
        self._unseen = np.asarray(cv2.bitwise_or(beyond, bared), np.uint8)
        self._references = [turned(image) for image in self._references]
        self._coverings.turn(warp)
        self._free = None if self._free is None else turned(self._free)
        self.area, self._doubtful, self._hands, self._resting_hand = area, [], [], None

    # ------------------------------------------------------------ motion

    def _first(self, small: Image, may_move: bool) -> Verdict:
        """Judge a picture while nothing is known: two that are alike are needed to begin with."""
        if may_move:
            return Verdict("moving", phrase("eyes.moving"))
        self._free = small
        return Verdict("free")

    def _motion(self, small: Image, at_s: float, far_apart: bool = False) -> Mask | None:
        """Where (h, w) the picture differs from the previous one; None if there is none, or if it is older than
        `STREAM_S` and not allowed to be `far_apart`."""
        before, then_s = (None, at_s) if self._last is None else self._last
        return None if before is None or (at_s - then_s > STREAM_S and not far_apart) else motion_between(before, small)

    def _shifted(self, small: Image) -> bool:
        """Whether the whole picture is shifted from the reference."""
        return is_shifted(self._free if self._free is not None else self._references[0], small)

    # ------------------------------------------------------------ what is new

    def _new(self, lit: Sequence[Image], small: Image, at_s: float, moves: bool) -> list[Blob]:
        """The blobs that are too large or at the wrong place to be a piece, from the difference from the last free
        look, or from those of enrolment, `lit` in the picture's light. What looks as at enrolment is not new, as a mug
        that was taken away; while the picture `moves` it is not read anyway, and only the last free look tells."""
        change = change_since(lit, small)
        blobs, before = self._blobs(change, lit[0], small, at_s), lit[0]
        if blobs and self._free is not None and self._references and not moves:
            region = region_around(blobs)
            lit = [match_light(image, small, region) for image in self._references]
            change[region] = cv2.min(change[region], change_since(lit, small[region]))
            blobs = self._blobs(change, before, small, at_s)
        return blobs

    def _blobs(self, change: SmallMask, before: Image, small: Image, at_s: float) -> list[Blob]:
        """The blobs of a difference from a picture `before`. Of the cards only what belongs to one from the border that
        is beside them too: a card is moved and shaded, but a hand over it reaches beyond it."""
        change[self._unseen > 0] = 0
        off_cards = np.asarray(cv2.subtract(change, self.area.cards), np.uint8)
        if not (off_cards > SURE_CHANGE).any():
            return []
        outside = np.asarray(cv2.bitwise_not(self.area.play), np.uint8)
        edge, seen = picture_edge(self._unseen), (small, at_s)
        whole = connected(change, seen, np.full_like(outside, 255), edge, END_PX)
        beside_px = [(blob, shared_px(blob, off_cards)) for blob in whole if blob.at_border]
        at_border = [blob for blob, px in beside_px if px >= FINGERTIP_PX
                     or (px >= END_PX and is_fingers_end(blob, before, self.area))]
        apart = [blob for blob in connected(off_cards, seen, outside, edge) if not blob.at_border]
        large = [blob for blob in apart if blob.area > self.area.piece_px]
        small_px = sum(blob.area for blob in apart) - sum(blob.area for blob in large)
        return at_border + (apart if small_px > SCATTERED_PIECES * self.area.piece_px else large)

    def _of_hand(self, hand: Blob | None, blobs: Sequence[Blob], moves: bool, shifted: bool) -> Verdict:
        at_cards = not moves and any(shared_px(blob, self.area.cards) >= FINGERTIP_PX for blob in blobs)
        return Verdict("hand", phrase("eyes.hand"), moves, shifted, at_cards, self._arm(hand))

    def _hand(self, blobs: Sequence[Blob], before: Image) -> Blob | None:
        """The largest blob that is no thing."""
        by_area = sorted(blobs, key=lambda blob: -blob.area)
        return next((blob for blob in by_area if not self._is_thing(blob, before)), None)

    def _arm(self, hand: Blob | None) -> Arm | None:
        """A hand as an arm, unless it has not moved for long: something else may pass for it."""
        if hand is None or any(hand.at_s - old.at_s >= LASTING_S and same_thing(old, hand) for old in self._doubtful):
            return None
        return arm_of(hand, picture_edge(self._unseen))

    def _is_thing(self, blob: Blob, before: Image) -> bool:
        """Whether a blob is tolerated: it is light, does not look like a hand now and did not just before, is round
        or rectangular as a whole, with nothing of a hand beside it, or lies unchanged beside the play area; of what
        ends as a finger in its shade only the last is asked."""
        on_play = shared_px(blob, self.area.play) / blob.area
        if is_end_in_its_shade(blob, before, self.area, picture_edge(self._unseen)):
            return self._lasts(blob, before, on_play)
        if is_light(clear_of(blob, self.area.cards), before, self.area.play) and not may_show_fingers(
                cut_to(blob, self.area.cards), before, self.area):
            return True
        self._hands = [old for old in self._hands if 0.0 <= blob.at_s - old.at_s < LASTING_S]
        if looks_like_a_thing(blob, before, self.area, on_play):  # noise may make one picture of a finger look so
            return not any(same_thing(old, blob) for old in self._hands)
        whole = self._whole(blob, before)
        if whole is not blob and is_exact(whole, before, self.area.px_per_mm):
            return True
        beside = self._beside_disc(whole, before)
        if beside is not None and self._hand(beside, before) is None:
            return True
        apart = [] if any(blob is each for each in self._apart) else self._off_table(blob, before)
        self._apart += apart
        if apart and self._hand(apart, before) is None:
            return True
        return self._lasts(blob, before, on_play)

    def _lasts(self, blob: Blob, before: Image, on_play: float) -> bool:
        """Whether a blob that may be a hand lies beside the play area, unchanged for so long that it is none."""
        self._hands.append(blob)
        if on_play > BESIDE_SHARE:
            return False
        lasting = [old for old in self._doubtful if blob.at_s - old.at_s >= LASTING_S and same_thing(old, blob)]
        if not lasting:
            return False
        is_still = any(same_thing(old, blob, UNMOVED_SHARE) for old in lasting)
        longest = SHORT_MM if is_still else COMPACT_MM
        return blob_shape(blob, before, self.area.px_per_mm).length_mm <= longest

    def _whole(self, blob: Blob, before: Image) -> Blob:
        """A blob, or all of what was cut along the play area."""
        near_play = np.asarray(cv2.dilate(self.area.play, CLOSE, iterations=2), np.uint8)
        if blob.at_border or shared_px(blob, near_play) == 0:
            return blob
        return uncut(blob, before) or blob

    def _beside_disc(self, blob: Blob, before: Image) -> list[Blob] | None:
        """The blobs beside a disc, if there is one: a fingertip or more at the border, as the end of a mug's handle is
        not; and whatever is as large as two fingers, which may be the end of an arm that passes for its shadow. It is
        sought when the picture rests: what moves is not free anyway."""
        if blob.at_s - self._rests_s < RESTS_S or 0.0 < blob.at_s - self._discs_s < LASTING_S:
            return None
        rest = beside_disc(blob, before, self.area)
        if rest is None:
            self._discs_s = blob.at_s
            return None
        left = np.asarray(cv2.subtract(rest, self.area.cards), np.uint8)
        two_fingers_px = FINGERS_MM2 * self.area.px_per_mm ** 2
        return [replace(part, at_border=True) for part in self._parts(left, blob)
                if part.area > two_fingers_px or (part.at_border and part.area >= FINGERTIP_PX)]

    def _off_table(self, blob: Blob, before: Image) -> list[Blob]:
        """The blobs of what of a blob is not the table in the light or shade of a thing, if that is much less of it and
        lies beside the play area; in there only pieces that were played in the shade. None if so nothing is told."""
        hides = hides_table(blob, before)
        if cv2.countNonZero(hides) > (1 - TABLE_SHARE) * blob.area:
            return []
        parts = [replace(part, at_border=blob.at_border) for part in self._parts(hides, blob)
                 if part.at_border or shared_px(part, self.area.play) < part.area]
        return parts if all(shared_px(part, self.area.play) <= BESIDE_SHARE * part.area for part in parts) else []

    def _parts(self, rest: SmallMask, blob: Blob) -> list[Blob]:
        everywhere = np.full_like(rest, 255)
        return connected(rest, (blob.image, blob.at_s), everywhere, picture_edge(self._unseen))
