"""Is the table free? Answered from the small picture alone, in a few milliseconds.

A hand belongs to an arm and an arm comes from outside: so what is new against an earlier free look, once the light is
made equal, and touches the picture's border is a hand, and so is anything larger than a piece where no pieces
stand. Not a hand is a thing, such as a mug: it keeps off the play area and has no skin colour, or it is still the same
on a later look. Pieces come and go within the play area only. Nothing is taken for free because it does not move.
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
from vision.camera import View
from vision.frames import SMALL_WH, Image
from vision.gamma import linear
from vision.marker import MARKER_AT_MM

Mask = npt.NDArray[np.uint8]
"""(180, 320), 0 or 255."""

SURE, FAINT = 12, 6
"""In grey values: a change to start from, and one that belongs to it when it touches it."""

FINGERTIP_PX = 20
"""A change at the border smaller than this, some 120 square millimetres, is noise."""

THING_MM, THING_PX = 180.0, 8 * FINGERTIP_PX
"""A thing at the border, a mug with its handle, is not longer than this, and large enough to judge its colour."""

SKIN_SHARE = 0.25
"""Pieces that lie at the very border have at most this share of skin colour."""

MUG_SKIN_SHARE, MUG_ROUND, MUG_RADIUS_MM = 0.45, 0.45, (25.0, 100.0)
"""A mug may shine in skin colours on a warm table, but so much of its outline lies on one circle of such a radius."""

LASTING_S, SAME = 2.0, 0.85
"""What was there so long ago in the same shape, but for a few pixels, is a thing."""

BESIDE, WITHIN = 0.25, 0.95
"""A thing beside the play area overlaps it, with its shadow, by at most this share; pieces lie on it by at least."""

FORGET_S = 60.0

STREAM_S, MOTION, MOTION_SHARE = 0.7, 10, 0.004
"""Pictures no farther apart than `STREAM_S` are a stream; when so many of their pixels differ so much, it moves."""

PIECE_MM = 100.0
"""What is larger is a board: it stays."""

TABLE_SHINE = 0.9
"""A dark thing shines in the table's colour, though less red; dark skin is redder than what it lies on."""

STRIP_PX = 3
CLOSE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What the small picture shows where: `play`, where pieces may stand and lean; `cards`, the tag cards;
    `piece_px`, how many pixels the largest piece covers; `px_per_mm`."""

    play: Mask
    cards: Mask
    piece_px: float
    px_per_mm: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """Free, or why not. `shifted`: the picture as a whole seems moved; the cards can tell whether the camera was."""

    state: Literal["free", "hand", "moving"]
    why: Phrase | None = None
    shifted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Blob:
    """Something new, with the pixels it covers and the small picture it was seen in."""

    mask: Mask
    box: tuple[int, int, int, int]
    area: int
    at_border: bool
    image: Image
    at_s: float


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
    card = np.array([(0, 0), (100, 0), (100, 60), (0, 60)], np.float64) - MARKER_AT_MM
    for at, turn_deg in lying:
        turn = np.radians(turn_deg)
        spin = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
        _fill(card_mask, view.project_at(card @ spin.T + at, 0.0) * shrink)
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
        self._doubtful: list[_Blob] = []

    def look(self, small: Image, at_s: float) -> Verdict:
        """Judge one small picture taken at `at_s` (monotonic seconds). A free one becomes the reference."""
        moves = self._moves(small, at_s)
        self._last = (small, at_s)
        if self._free is None and not self._references:
            if moves is None or moves:  # two still pictures are needed to begin with
                return Verdict("moving", phrase("eyes.moving"))
            self._free = small
            return Verdict("free")
        blobs = self._new(small, at_s)
        hands = [blob for blob in blobs if not self._is_thing(blob)]
        self._doubtful = self._remember(blobs, at_s)
        if hands:
            return Verdict("hand", phrase("eyes.hand"), shifted=self._shifted(small))
        if moves:
            return Verdict("moving", phrase("eyes.moving"))
        self._free = small
        return Verdict("free")

    def accept(self, small: Image) -> None:
        """A person says that this picture shows a free table."""
        self._free = small

    def realign(self, before: View, after: View, ground: Ground) -> None:
        """The camera was bumped: turn what is known to the new view."""
        lens = before.lens
        corners = np.array([(0, 0), (lens.width, 0), (lens.width, lens.height), (0, lens.height)], np.float64)
        shrink = np.array([SMALL_WH[0] / lens.width, SMALL_WH[1] / lens.height])
        moved = after.project_at(before.to_table(corners), 0.0)
        warp = cv2.getPerspectiveTransform((corners * shrink).astype(np.float32), (moved * shrink).astype(np.float32))

        def turned(image: Image) -> Image:
            return np.asarray(cv2.warpPerspective(image, warp, SMALL_WH, borderMode=cv2.BORDER_REPLICATE), np.uint8)

        self._references = [turned(image) for image in self._references]
        self._free = None if self._free is None else turned(self._free)
        self.ground, self._doubtful = ground, []

    def _moves(self, small: Image, at_s: float) -> bool | None:
        """Whether the picture differs from the one just before; None without one."""
        if self._last is None or at_s - self._last[1] > STREAM_S:
            return None
        off = cv2.absdiff(cv2.blur(small, (3, 3)), cv2.blur(self._last[0], (3, 3))).max(axis=2)
        return bool(np.mean(off > MOTION) > MOTION_SHARE)

    def _new(self, small: Image, at_s: float) -> list[_Blob]:
        """What is new in the picture, too large or at the wrong place to be a piece."""
        references = self._references if self._free is None else [self._free]
        blobs = self._blobs(_change(references, small), small, at_s)
        if blobs and self._free is not None and self._references:
            # what looks as at enrolment is not new: a mug that was taken away
            blobs = self._blobs(_change([self._free, *self._references], small), small, at_s)
        return blobs

    def _blobs(self, change: Mask, small: Image, at_s: float) -> list[_Blob]:
        change[self.ground.cards > 0] = 0
        if not (change > SURE).any():
            return []
        outside = np.asarray(cv2.bitwise_not(self.ground.play), np.uint8)
        whole = _components(change, small, at_s, np.full_like(outside, 255))
        at_border = [blob for blob in whole if blob.at_border and blob.area >= FINGERTIP_PX]
        apart = [blob for blob in _components(change, small, at_s, outside) if not blob.at_border]
        large = [blob for blob in apart if blob.area > self.ground.piece_px]
        scattered = sum(blob.area for blob in apart) > 2.5 * self.ground.piece_px
        return at_border + (apart if scattered else large)

    def _is_thing(self, blob: _Blob) -> bool:
        """Whether something new is a thing that may stay: beside the play area and like a mug, or there for a while; or
        pieces that lie at the picture's very border."""
        on_play = float((self.ground.play[blob.mask > 0] > 0).mean())
        lasts = any(blob.at_s - old.at_s >= LASTING_S and _same(old, blob) for old in self._doubtful)
        if BESIDE < on_play < WITHIN or blob.area < THING_PX:
            return lasts and on_play <= BESIDE
        skin = _skin_share(blob, self._before(), self.ground)
        if on_play >= WITHIN:
            return skin <= SKIN_SHARE and blob.area <= 4 * self.ground.piece_px
        compact = max(blob.box[2:]) <= THING_MM * self.ground.px_per_mm
        return lasts or (compact and skin <= MUG_SKIN_SHARE and _is_round(blob, self._before(), self.ground))

    def _before(self) -> Image:
        return self._free if self._free is not None else self._references[0]

    def _remember(self, blobs: Sequence[_Blob], at_s: float) -> list[_Blob]:
        """The first sight of each blob, and of those that something else hides for a while."""
        known = [old for old in self._doubtful if at_s - old.at_s < FORGET_S]
        return known + [blob for blob in blobs if not any(_same(old, blob) for old in known)]

    def _shifted(self, small: Image) -> bool:
        """Whether the whole picture lies beside the reference by a pixel or more."""
        then, now = (cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
                     for image in (self._before(), small))
        (dx, dy), clear = cv2.phaseCorrelate(then, now)
        return bool(clear > 0.3 and np.hypot(dx, dy) > 0.8)


def _change(references: Sequence[Image], small: Image) -> Mask:
    """By how many grey values each pixel (180, 320) differs from all references, those brought to the same light.

    A pixel may differ as far as its neighbours do: edges wander by a pixel.
    """
    least: Mask | None = None
    for reference in references:
        same_light = _relight(reference, small)
        above = cv2.subtract(small, cv2.dilate(same_light, CLOSE))
        below = cv2.subtract(cv2.erode(same_light, CLOSE), small)
        blue, green, red = cv2.split(cv2.max(above, below))
        change = cv2.max(cv2.max(blue, green), red)
        least = np.asarray(change if least is None else cv2.min(least, change), np.uint8)
    assert least is not None
    return least


def _relight(reference: Image, small: Image) -> Image:
    """The reference in the light of another picture: for each channel a curve of second degree, fitted to a sample of
    all pixels, of which those that really changed hardly count."""
    x = reference[2::6, 2::6].reshape(-1, 3).T.astype(np.float32) / 255
    y = small[2::6, 2::6].reshape(-1, 3).T.astype(np.float32)
    columns = np.stack([np.ones_like(x), x, x * x], axis=1)
    weight = np.ones(x.shape[1], np.float32)
    steady = len(weight) * np.diag(np.array((1e-9, 1e-9, 1e-5), np.float32))
    for _ in range(3):
        weighted = columns * weight
        normal = weighted @ columns.transpose(0, 2, 1) + steady
        found = np.linalg.solve(normal, weighted @ y[..., None])
        off = np.abs(y - (found.transpose(0, 2, 1) @ columns)[:, 0]).sum(axis=0)
        weight = 1 / (1 + (off / (2 * max(float(np.median(off)), 2.0))) ** 2)
    value = np.arange(256) / 255
    table = found[..., 0] @ np.stack([np.ones(256), value, value * value])
    return np.asarray(cv2.LUT(reference, table.clip(0, 255).T[None].astype(np.uint8)), np.uint8)


def _components(change: Mask, small: Image, at_s: float, within: Mask) -> list[_Blob]:
    """Connected changes that are sure somewhere."""
    faint = cv2.bitwise_and(cv2.threshold(change, FAINT, 255, cv2.THRESH_BINARY)[1], within)
    joined = cv2.morphologyEx(faint, cv2.MORPH_CLOSE, CLOSE)
    opened = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(opened, np.uint8), connectivity=8)
    sure = np.bincount(labels[(change > SURE) & (within > 0)], minlength=count)
    width, height = SMALL_WH
    blobs = []
    for label in range(1, count):
        if sure[label] < FINGERTIP_PX // 2:
            continue
        x, y, across, down, area = (int(value) for value in stats[label])
        at_border = x < STRIP_PX or y < STRIP_PX or x + across > width - STRIP_PX or y + down > height - STRIP_PX
        mask = np.where(labels == label, 255, 0).astype(np.uint8)
        blobs.append(_Blob(mask, (x, y, across, down), area, at_border, small, at_s))
    return blobs


def _same(old: _Blob, new: _Blob) -> bool:
    """Whether both cover the same pixels with the same colours."""
    both = cv2.bitwise_and(old.mask, new.mask)
    either = cv2.bitwise_or(old.mask, new.mask)
    shared = cv2.countNonZero(both)
    if shared < SAME * cv2.countNonZero(either):
        return False
    off = np.abs(old.image[both > 0].astype(np.int16) - new.image[both > 0]).max(axis=1)
    return bool(np.mean(off > 2 * SURE) < 1 - SAME)


def _skin_share(blob: _Blob, before: Image, ground: Ground) -> float:
    """The share of a blob's pixels, its shadow on the table left out, that could be skin, of anybody, in this light."""
    lit = blob.image[ground.cards > 0]
    white = np.percentile(lit, 92, axis=0) if len(lit) else np.full(3, 255.0)
    white_light = np.maximum(linear(white.astype(np.uint8)[None])[0], 0.02)
    then_image = _relight(before, blob.image)
    now, then = (linear(image[blob.mask > 0]) / white_light for image in (blob.image, then_image))
    ratio = (now + 0.002) / (then + 0.002)
    shadow = (ratio.max(axis=1) < 1.05) & (ratio.max(axis=1) < 1.3 * ratio.min(axis=1))
    thing, table = now[~shadow], then[~shadow]
    if len(thing) < FINGERTIP_PX:
        return 1.0
    lab = cv2.cvtColor((0.8 * thing).clip(0, 1).astype(np.float32)[None], cv2.COLOR_LBGR2Lab)[0]
    over_green, over_blue = ((thing[:, 2] + 0.002) / (thing[:, other] + 0.002) for other in (1, 0))
    redness = np.interp(lab[:, 0], (30, 60), (1.5, 1.25))  # the darker skin is, the redder
    table_red = (table[:, 2] + 0.002) / (table[:, 1] + 0.002)
    redness = np.where(lab[:, 0] < 30, np.maximum(redness, TABLE_SHINE * table_red), redness)
    hue = np.degrees(np.arctan2(lab[:, 2], lab[:, 1]))
    return float(np.mean((over_green > redness) & (over_blue > redness) & (hue > 5) & (hue < 82)))


def _is_round(blob: _Blob, before: Image, ground: Ground) -> bool:
    """Whether the outline of what stands there, its soft shadow left out, is for a good part one circle."""
    off = cv2.absdiff(blob.image, _relight(before, blob.image)).max(axis=2)
    hard = ((blob.mask > 0) & (off > 0.5 * np.percentile(off[blob.mask > 0], 90))).astype(np.uint8)
    outlines, _ = cv2.findContours(cv2.morphologyEx(hard, cv2.MORPH_CLOSE, CLOSE), cv2.RETR_EXTERNAL,
                                   cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=len)[:, 0].astype(np.float64)
    inner = ((outline > 1) & (outline < np.array(SMALL_WH) - 2)).all(axis=1)
    points = outline[inner]
    if len(points) < FINGERTIP_PX:
        return False
    share, radius = _circle(points)
    low, high = MUG_RADIUS_MM
    return share >= MUG_ROUND and low <= radius / ground.px_per_mm <= high


def _circle(points: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The circle that most points (n, 2) lie on, to a pixel: their share, and its radius. Tries triples of points."""
    triples = points[np.random.default_rng(0).integers(0, len(points), (300, 3))]
    (ax, ay), (bx, by), (cx, cy) = (triples[:, corner].T for corner in range(3))
    double = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
    fit = np.abs(double) > 1e-6
    squares = np.square(triples).sum(axis=2)
    columns = [(by - cy, cx - bx), (cy - ay, ax - cx), (ay - by, bx - ax)]
    centre = sum((squares[:, i, None] * np.column_stack(column) for i, column in enumerate(columns)),
                 np.zeros((len(triples), 2))) / np.where(fit, double, 1.0)[:, None]
    radius = np.hypot(ax - centre[:, 0], ay - centre[:, 1])
    off = np.abs(np.linalg.norm(points[None] - centre[:, None], axis=2) - radius[:, None])
    share = np.where(fit, (off < 1).mean(axis=1), 0.0)
    best = int(share.argmax())
    return float(share[best]), float(radius[best])
