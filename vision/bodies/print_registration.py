"""Finding a body by its printed top, near where it is expected.

Each patch of the print is looked for near where it should be, by correlation of its colours, whatever the light; the
place and turn on which most patches agree is the body's. What pieces cover, or a lamp shines on, does not agree and
does not count.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Body
from vision.bodies.print_model import PX_PER_MM, Patches, Pose, Print, take_print
from vision.imaging.arrays import Floats
from vision.imaging.camera import View, spin
from vision.imaging.frame import Image

Values = npt.NDArray[np.float32]

TURNS_DEG = np.arange(-8.0, 8.1, 1.0)
"""Turns about the expected one that are tried at first."""

FINE_REACH_MM, ROUNDS = 1.5, 3
LIKE, AGREES_MM = 0.55, 0.35
"""A patch is seen where its correlation is higher; it agrees with a pose when it is no farther off."""

LEAST_PATCHES, LEAST_SHARE = 8, 0.04
"""A print is found when so many patches, and such a share of all, agree."""

PAIRS = 30
"""So many pairs of patches are tried for the move on which most agree."""

AT_ONCE = 32
"""So many patches are compared at a time: what fits a processor's cache."""

EVEN = 0.5
"""Less than a single pixel that is off by a single grey value: all is of one colour."""

SEARCH_STEP_PX = 16
"""For a search the way into the picture is worked out at every so many pixels."""

CHECKED = 12
"""So many patches tell whether a print lies where it lay."""

LAID_MM, EXACT_MM = 8.0, 0.5
"""A board laid out for enrolment lies within this of where it should; exactly there when it seems so near."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A print as found: where, how far (mm) the patches that agree are off on average, and which share of all they
    are; `good` are the numbers of the patches."""

    pose: Pose
    off_mm: float
    share: float
    good: tuple[int, ...]


def search(image: Image, view: View, known: Print, near: Pose, reach_mm: float) -> Pose:
    """The pose within reach, and within the turns of `TURNS_DEG`, on which most of the large patches agree."""
    patches = known.coarse
    turn = np.radians(np.abs(TURNS_DEG).max())
    margin_mm = reach_mm + float(np.abs(patches.at_mm).max()) * np.sin(turn) + FINE_REACH_MM
    wide, deep = (size + 2 * margin_mm for size in known.size_mm)
    scale = known.coarse_px_per_mm
    there = take_print(image, view, near, (wide, deep), known.height_mm, 2 * scale, SEARCH_STEP_PX).image
    window = cv2.resize(there, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.float32)
    reach = round(reach_mm * scale)
    total = np.zeros((len(TURNS_DEG), 2 * reach + 1, 2 * reach + 1), np.float32)
    middle = np.array([(window.shape[1] - 1) / 2, (window.shape[0] - 1) / 2])
    aims = middle + np.stack([patches.at_mm @ spin(way).T for way in TURNS_DEG], axis=1) * (scale, -scale)
    corners = np.rint(aims).astype(int) - reach - patches.side_px // 2
    planes, spread = cv2.split(window), _spread(window[None], patches.side_px)[0]
    for patch, corner in zip(_even(patches.images), corners):
        low, high = corner.min(axis=0), corner.max(axis=0) + 2 * reach + patches.side_px
        low, high = low.clip(0), np.minimum(high, window.shape[1::-1])
        alike = np.asarray(sum(cv2.matchTemplate(plane[low[1]:high[1], low[0]:high[0]], own, cv2.TM_CCORR)
                               for plane, own in zip(planes, cv2.split(patch))), np.float32)
        some = spread[low[1]:high[1] - patches.side_px + 1, low[0]:high[0] - patches.side_px + 1]
        like = _likeness(alike, some, patch).clip(0, 1) ** 2
        for number, (x, y) in enumerate((corner - low).tolist()):
            part = like[max(y, 0):y + 2 * reach + 1, max(x, 0):x + 2 * reach + 1]
            if part.shape == total.shape[1:]:
                total[number] += part
    total = np.stack([cv2.blur(each, (3, 3)) for each in total])
    best, down, right = np.unravel_index(int(total.argmax()), total.shape)
    off = spin(near.turn_deg) @ np.array([right - reach, reach - down]) / scale
    return Pose((near.at_mm[0] + float(off[0]), near.at_mm[1] + float(off[1])),
                near.turn_deg + float(TURNS_DEG[int(best)]))


def measure(image: Image, view: View, known: Print, near: Pose) -> Fit | None:
    """The print's pose close to one that is nearly right; None when too few patches are seen."""
    fit = None
    for _ in range(ROUNDS):
        off, like = _look(image, view, known, known.fine, near, FINE_REACH_MM)
        found = _agree(known.fine.at_mm, off, like)
        if found is None:
            return None
        fit = _moved(near, found, off, known.fine.at_mm)
        near = fit.pose
    assert fit is not None
    good_enough = len(fit.good) >= LEAST_PATCHES and fit.share >= LEAST_SHARE
    return fit if good_enough else None


def still_there(image: Image, view: View, known: Print, fit: Fit) -> float | None:
    """How far (mm) a print seems to have moved since it was measured, by a few patches; None when too few are seen."""
    spread = np.array(fit.good, np.intp)[np.linspace(0, len(fit.good) - 1, min(CHECKED, len(fit.good))).astype(int)]
    off, like = _look(image, view, known, known.fine.some(spread), fit.pose, FINE_REACH_MM)
    seen = off[like > LIKE]
    return None if len(seen) < CHECKED // 3 else float(np.linalg.norm(np.median(seen, axis=0)))


def _look(image: Image, view: View, known: Print, patches: Patches, near: Pose, reach_mm: float
          ) -> tuple[Floats, Floats]:
    """For each patch by how much it lies beside where it should, (n, 2) in mm in the body's frame, and how alike the
    picture is there (n,)."""
    reach = round(reach_mm * patches.px_per_mm)
    side = patches.side_px + 2 * reach
    half_mm = (side - 1) / 2 / patches.px_per_mm
    corners = np.array([(-half_mm, half_mm), (half_mm, half_mm), (half_mm, -half_mm), (-half_mm, -half_mm)])
    own = patches.at_mm[:, None] + corners
    px = view.project_at(near.to_table(own).reshape(-1, 2), known.height_mm).reshape(-1, 4, 2).astype(np.float32)
    raster = np.array([(0, 0), (side - 1, 0), (side - 1, side - 1), (0, side - 1)], np.float32)
    off, alike = [], []
    for first in range(0, len(patches), AT_ONCE):
        windows = np.empty((len(px[first:first + AT_ONCE]), side, side, 3), np.uint8)
        for window, aim in zip(windows, px[first:]):
            turn = cv2.getPerspectiveTransform(raster, aim)
            cv2.warpPerspective(image, turn, (side, side), window, cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        at, like = _peaks(_likenesses(windows, patches.images[first:first + AT_ONCE]))
        off.append(at)
        alike.append(like)
    return (np.concatenate(off) - reach) * (1, -1) / patches.px_per_mm, np.concatenate(alike)


def _likenesses(windows: Image, patches: Image) -> Values:
    """The correlations (n, d, d) of patches (n, s, s, 3), each with its window (n, s + d - 1, s + d - 1, 3) at each
    place: for many small ones quicker than one after the other."""
    number, wide, side = len(windows), windows.shape[1], patches.shape[1]
    places = wide - side + 1
    own, seen = _even(patches), windows.astype(np.float32)
    parts = np.lib.stride_tricks.sliding_window_view(seen.reshape(number, wide, wide * 3), side * 3, axis=2)[:, :, ::3]
    by_line = parts.reshape(number, -1, side * 3) @ own.reshape(number, side, side * 3).transpose(0, 2, 1)
    by_line = by_line.reshape(number, wide, places, side)  # each line of a window with each of its patch
    alike = np.asarray(sum(by_line[:, line:line + places, :, line] for line in range(side)), np.float32)
    return _likeness(alike, _spread(seen, side), own)


def _even(patches: Image) -> Values:
    """Patches (n, side, side, 3) less their mean colours."""
    flat = patches.reshape(len(patches), -1, 3).astype(np.float32)
    flat -= np.full((1, flat.shape[1]), 1 / flat.shape[1], np.float32) @ flat
    return flat.reshape(patches.shape)


def _spread(seen: Values, side: int) -> Floats:
    """The sums (n, h - side + 1, w - side + 1) of the squares in which the colours of each square of some pictures (n,
    h, w, 3) differ from their mean."""
    height, width = seen.shape[1:3]
    sums, squares = (of(seen.reshape(-1, width, 3), cv2.CV_64F, (side, side), anchor=(0, 0), normalize=False)
                     .reshape(seen.shape)[:, :height - side + 1, :width - side + 1]
                     for of in (cv2.boxFilter, cv2.sqrBoxFilter))
    return np.asarray(np.einsum("nijc->nij", squares - sums * sums / side ** 2), np.float64)


def _likeness(alike: Values, spread: Floats, patches: Values) -> Values:
    """Correlations (..., d, d) from the sums of products with even patches (..., side, side, 3), and from how the
    colours seen spread; 0 where all is of one colour."""
    own = np.square(patches).sum(axis=(-3, -2, -1))[..., None, None]
    both = np.where(np.minimum(spread, own) < EVEN, np.inf, spread * own)
    return np.asarray(alike / np.sqrt(both), np.float32)


def _peaks(like: Values) -> tuple[Floats, Floats]:
    """Column and row (n, 2) of the highest of values (n, d, d) each, to a part of a pixel, and the values (n,); 0 where
    it lies at the edge."""
    number, places, _ = like.shape
    each = np.arange(number)
    row, column = np.divmod(like.reshape(number, -1).argmax(axis=1), places)
    inside = (np.minimum(row, column) > 0) & (np.maximum(row, column) < places - 1)
    y, x = row.clip(1, places - 2), column.clip(1, places - 2)
    here = like[each, y, x].astype(np.float64)

    def top(before: Values, after: Values) -> Floats:
        bend = np.minimum(before - 2 * here + after, -1e-9)
        return np.asarray(np.where(inside, (before - after) / (2 * bend), 0.0), np.float64)

    at = np.column_stack([column + top(like[each, y, x - 1], like[each, y, x + 1]),
                          row + top(like[each, y - 1, x], like[each, y + 1, x])])
    return at, np.where(inside, here, 0.0)


def _agree(at_mm: Floats, off_mm: Floats, like: Floats) -> npt.NDArray[np.bool_] | None:
    """The patches that agree on one small shift and turn: tried by pairs, then by all that agree."""
    seen = np.flatnonzero(like > LIKE)
    if len(seen) < LEAST_PATCHES:
        return None
    random = np.random.default_rng(0)
    pairs = random.permuted(np.tile(seen, (PAIRS, 1)), axis=1)[:, :2]
    close = _near(at_mm, off_mm, _rigid(at_mm[pairs], off_mm[pairs])[:, None]) & (like > LIKE)
    best = close[close.sum(axis=1).argmax()]
    for _ in range(3):
        if best.sum() < 3:
            return None
        best = _near(at_mm, off_mm, _rigid(at_mm[best], off_mm[best])) & (like > LIKE)
    return best if best.sum() >= 3 else None


def _rigid(at_mm: Floats, off_mm: Floats) -> Floats:
    """Shift and small turn (..., 3: x, y, radians) that fit best how points (..., n, 2) moved."""
    middle, shift = at_mm.mean(axis=-2), off_mm.mean(axis=-2)
    own = at_mm - middle[..., None, :]
    turn = (own * _turned(off_mm)).sum(axis=(-2, -1)) / -np.maximum(np.square(own).sum(axis=(-2, -1)), 1e-9)
    return np.concatenate([shift - turn[..., None] * _turned(middle), turn[..., None]], axis=-1)


def _near(at_mm: Floats, off_mm: Floats, moved: Floats) -> npt.NDArray[np.bool_]:
    """Whether points (n, 2) moved so (..., 3)."""
    return np.asarray(np.linalg.norm(_miss(at_mm, off_mm, moved), axis=-1) < AGREES_MM)


def _miss(at_mm: Floats, off_mm: Floats, moved: Floats) -> Floats:
    """How far (..., n, 2) points are beside where they would be if they had moved so."""
    return np.asarray(off_mm - moved[..., :2] - moved[..., 2:] * _turned(at_mm), np.float64)


def _turned(at: Floats) -> Floats:
    """Directions (..., 2), turned by a quarter anticlockwise."""
    return np.stack([-at[..., 1], at[..., 0]], axis=-1)


def _moved(near: Pose, good: npt.NDArray[np.bool_], off_mm: Floats, at_mm: Floats) -> Fit:
    moved = _rigid(at_mm[good], off_mm[good])
    shift = spin(near.turn_deg) @ moved[:2]
    pose = Pose((near.at_mm[0] + float(shift[0]), near.at_mm[1] + float(shift[1])),
                near.turn_deg + float(np.degrees(moved[2])))
    miss = _miss(at_mm[good], off_mm[good], moved)
    return Fit(pose, float(np.linalg.norm(miss, axis=1).mean()), float(good.mean()),
               tuple(int(each) for each in np.flatnonzero(good)))


def pose_of(body: Body) -> Pose:
    """Where a body is expected."""
    return Pose(body.at_mm, body.turn_deg)


def learn_print(image: Image, view: View, laid: Pose, size_mm: tuple[float, float, float],
                drawn: Print | None = None) -> Print:
    """The top of a body of that size (x, y, height) that was laid out for enrolment. Where it lies is found by how it
    is drawn, if that is known: hands lay things within some mm; if it lies where it should, that is more exact."""
    if drawn is not None:
        found = measure(image, view, drawn, search(image, view, drawn, laid, LAID_MM))
        if found is not None and np.hypot(*np.subtract(found.pose.at_mm, laid.at_mm)) > EXACT_MM:
            laid = found.pose
    return take_print(image, view, laid, size_mm[:2], size_mm[2], PX_PER_MM)
