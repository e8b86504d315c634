"""Is the board free? Answered from its small rectified picture alone, in a few milliseconds.

Whoever touches a piece reaches across the board's edge. So what differs from the last free look is a hand if it comes
from outside what is watched, or is larger than pieces are; motion, light that comes and goes and moving shadows only
have to come to rest. A hand that rests is never taken for a free board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from companion.errors import Phrase, phrase
from companion.table import LookState
from vision.boards.patch import GATE_PITCH_PX, LOG_OFFSET, logarithms
from vision.imaging.arrays import Mask, Values
from vision.imaging.frame import STREAM_S, Image

PLACE_PX: Final = GATE_PITCH_PX**2
"""Area of one place in the small picture."""
REST_S: Final = 0.09
"""So long nothing moves before a board is free, and for one picture at least."""
FIRST_REST_S: Final = 0.14
"""The same while no free look is known."""
MOTION, MOTION_SHARE = 0.1, 0.006
"""It moves where more than this share of the picture differs by so much from the one before."""
NOISE_TIMES, MOST_NOISE = 8.0, 0.25
"""Or by so many times what the middle pixel does while all rests, up to a limit: a poor camera's noise is no motion."""
CHANGE: Final = 0.15
"""What differs so much, in logarithms, from the last free look is something else."""
REACHING_PLACES: Final = 0.3
"""What comes from outside and is larger than this share of a place may be an arm."""
EDGE_PLACES: Final = 1.3
"""The same where the camera's picture ends: a piece at the board's edge may lean out of it."""
OUTSIDE_PLACES: Final = 0.9
"""What lies beside the board and is larger than this is no piece of it."""
LARGE_PLACES: Final = 5.0
"""No pieces that were moved together are as large as that."""
LASTING_S: Final = 1.0
"""What lies beside the board unchanged for so long is a thing: a piece that was taken."""
THING_PLACES: Final = 3.0
SAME_PX: Final = 4.0
"""A blob whose middle moved less is the same."""
DARK, BRIGHT = 18.0, 250.0
"""Grey values: less than a tenth of the board is lighter than the first, or more than half as light as the other."""
ARM_OFF: Final = 0.3
ARM_DEPTH, ARM_WIDTH = 0.8, 0.5
"""An arm covers this share of the margin's depth, on a width of so many places."""
LEAST_DEPTH: Final = 0.5
"""Where less of the margin is in the picture, as a share of a place, arms and leaning pieces look alike."""
ARM_PATIENCE_S: Final = 3.0
"""What looks like an arm at the very first and lies still for so long is something else."""
COMING_S: Final = 0.5
"""What moves beside a board that rests may be a hand that comes: so long it is waited for."""
COMING, COMING_SHARE = 0.25, 0.004
"""By how much, in logarithms, and on which share of the whole picture something moves beside the board."""
SAMPLE: Final = 5
"""Every so many pixels tell how much light there is."""
WHOLE_WH: Final = (160, 90)
"""Size of the whole picture in which motion beside the board is sought."""


@dataclass(frozen=True, slots=True)
class Gated:
    """Whether a picture can be read, and why not."""

    state: LookState
    why: Phrase | None = None


@dataclass(frozen=True, slots=True)
class _Blob:
    """A component of what changed: area in px, those beside the board, and its middle; `reaches` from outside."""

    area: int
    outside: int
    middle: tuple[float, float]
    reaches: bool
    at_s: float

    def is_like(self, other: _Blob) -> bool:
        """Whether this may be the same thing at another time."""
        off = np.hypot(*np.subtract(self.middle, other.middle))
        return bool(off < SAME_PX and 0.7 < self.area / max(other.area, 1) < 1.4)


class BoardGate:
    """Watches one board. `on_board` and `seen` (h, w) say where the small picture shows the board, and anything;
    `beside` (90, 160) where the camera's whole picture shows neither board nor margin."""

    def __init__(self, on_board: Mask, seen: Mask, beside: Mask) -> None:
        self._on_board, self._seen, self._beside = on_board, seen, beside
        self._sample = np.flatnonzero(seen)[::SAMPLE]
        self._whole: Values | None = None
        self._coming_since_s: float | None = None
        self._free: Values | None = None
        self._last: tuple[Values, float] | None = None
        self._noise: deque[float] = deque(maxlen=16)
        self._rests_since_s: float | None = None
        self._doubtful: deque[_Blob] = deque(maxlen=32)
        rim = np.zeros_like(seen)
        rim[[0, -1]] = True
        rim[:, [0, -1]] = True
        self._rim = rim & seen
        beyond = np.asarray(cv2.dilate((~seen).astype(np.uint8), np.ones((3, 3), np.uint8))) > 0
        self._picture_edge = beyond & seen

    @property
    def free(self) -> Values | None:
        """The small picture (h, w, 3), as logarithms, of the last free look."""
        return self._free

    def look(self, small: Values, whole: Image, at_s: float) -> Gated:
        """Judge a small rectified picture (h, w, 3), as logarithms, and the `whole` one that it is part of."""
        before, self._last = self._last, (small, at_s)
        is_coming = self._is_coming(whole, at_s)
        if (fault := self._exposure(small)) is not None:
            self._rests_since_s = None
            return fault
        is_stream = before is not None and at_s - before[1] <= STREAM_S
        if before is not None and is_stream and self._moving_share(small, before[0]) > MOTION_SHARE:
            self._rests_since_s = None
            return Gated("moving", phrase("board.moving"))
        if not is_stream or self._rests_since_s is None:
            self._rests_since_s = at_s if before is None or not is_stream else before[1]
        if self._has_hand(small, at_s):
            return Gated("hand", phrase("board.hand"))
        if is_coming and is_stream:
            return Gated("moving", phrase("board.moving"))
        rest_s = FIRST_REST_S if self._free is None else REST_S
        if at_s - self._rests_since_s < rest_s and (is_stream or self._free is None):
            return Gated("settling", phrase("board.settling"))
        return Gated("free")

    def rests_s(self, at_s: float) -> float:
        """For how long nothing has moved."""
        return 0.0 if self._rests_since_s is None else at_s - self._rests_since_s

    def changed_share(self, small: Values) -> float:
        """The share of a small rectified picture that differs from the last free look; 1 before one."""
        if self._free is None:
            return 1.0
        return float((self._off(small, self._free)[self._seen] > CHANGE).mean())

    def accept(self, small: Values) -> None:
        """This picture shows a free board: the next ones are compared with it."""
        self._free = small

    def _off(self, small: Values, before: Values) -> Values:
        """By how much (h, w) a picture differs, when as much more or less light fell on all of it."""
        off = small - before
        off -= np.median(off.reshape(-1, 3)[self._sample], axis=0)
        return np.asarray(np.abs(off, out=off).max(axis=2), np.float32)

    def _moving_share(self, small: Values, before: Values) -> float:
        off = self._off(small, before)[self._seen]
        self._noise.append(float(np.median(off)))
        return float((off > min(max(MOTION, NOISE_TIMES * min(self._noise)), MOST_NOISE)).mean())

    def _is_coming(self, whole: Image, at_s: float) -> bool:
        """Whether something moves beside the board, and has not done so for long."""
        now = logarithms(np.asarray(cv2.resize(whole, WHOLE_WH, interpolation=cv2.INTER_AREA), np.uint8))
        before, self._whole = self._whole, now
        if before is None:
            return False
        off = (now - before)[self._beside]
        off -= np.median(off[::SAMPLE], axis=0)
        if (np.abs(off).min(axis=1) > COMING).sum() <= COMING_SHARE * self._beside.size:
            self._coming_since_s = None
            return False
        self._coming_since_s = at_s if self._coming_since_s is None else self._coming_since_s
        return at_s - self._coming_since_s < COMING_S

    def _exposure(self, small: Values) -> Gated | None:
        light = np.exp(small.reshape(-1, 3)[self._sample].max(axis=1)) - LOG_OFFSET
        if np.quantile(light, 0.9) < DARK:
            return Gated("dark", phrase("board.dark"))
        return Gated("bright", phrase("board.bright")) if np.quantile(light, 0.5) > BRIGHT else None

    def _has_hand(self, small: Values, at_s: float) -> bool:
        if self._free is None:
            assert self._rests_since_s is not None
            return self._shows_arm(small) and at_s - self._rests_since_s < ARM_PATIENCE_S
        blobs = list(self._blobs(self._off(small, self._free) > CHANGE, at_s))
        hands = [blob for blob in blobs if not self._is_thing(blob)]
        self._doubtful.extend(blob for blob in hands if not any(blob.is_like(old) for old in self._doubtful))
        return bool(hands)

    def _blobs(self, change: Mask, at_s: float) -> Iterator[_Blob]:
        """The components of what changed that no moved piece explains."""
        change = change & self._seen
        number, labels, stats, middles = cv2.connectedComponentsWithStats(change.astype(np.uint8))
        for label in range(1, number):
            area = int(stats[label, cv2.CC_STAT_AREA])
            if area < REACHING_PLACES * PLACE_PX:
                continue
            blob = labels == label
            outside = int((blob & ~self._on_board).sum())
            reaches = bool((blob & self._rim).any()) or (
                area > EDGE_PLACES * PLACE_PX and bool((blob & self._picture_edge).any()))
            if reaches or outside > OUTSIDE_PLACES * PLACE_PX or area > LARGE_PLACES * PLACE_PX:
                x, y = middles[label].tolist()
                yield _Blob(area, outside, (x, y), reaches, at_s)

    def _is_thing(self, blob: _Blob) -> bool:
        """Whether it lies beside the board, small and unchanged."""
        if blob.area > THING_PLACES * PLACE_PX or blob.outside < 0.6 * blob.area:
            return False
        return any(blob.is_like(old) and blob.at_s - old.at_s >= LASTING_S for old in self._doubtful)

    def _shows_arm(self, small: Values) -> bool:
        """Whether something crosses the margin, while nothing is known of how it looks free."""
        rows, columns = np.nonzero(self._on_board)
        top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
        sides = ((small[:top, left:right], self._seen[:top, left:right], 0),
                 (small[bottom:, left:right], self._seen[bottom:, left:right], 0),
                 (small[top:bottom, :left], self._seen[top:bottom, :left], 1),
                 (small[top:bottom, right:], self._seen[top:bottom, right:], 1))
        return any(_is_crossed(strip, seen, depth) for strip, seen, depth in sides)


def _is_crossed(strip: Values, seen: Mask, depth: int) -> bool:
    """Whether something lies across a margin (h, w, 3) whose depth is this axis, where it is `seen` (h, w)."""
    if depth == 1:
        strip, seen = strip.transpose(1, 0, 2), seen.T
    rows = seen.all(axis=1)
    if rows.sum() < LEAST_DEPTH * GATE_PITCH_PX:
        return False
    strip = strip[rows]
    off = np.abs(strip - np.median(strip, axis=1, keepdims=True)).max(axis=2) > ARM_OFF
    crossed = (off.mean(axis=0) > ARM_DEPTH).astype(np.int8)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], crossed, [0]])))
    runs = edges[1::2] - edges[::2]
    return bool(len(runs)) and int(runs.max()) >= ARM_WIDTH * GATE_PITCH_PX
