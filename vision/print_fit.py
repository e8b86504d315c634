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
from vision.camera import Floats, View, spin
from vision.frames import Image
from vision.prints import PX_PER_MM, Patches, Pose, Print, take_print

TURNS_DEG = np.arange(-8.0, 8.1, 1.0)
"""Turns about the expected one that are tried at first."""

FINE_REACH_MM, ROUNDS = 1.5, 3
LIKE, AGREES_MM = 0.55, 0.35
"""A patch is seen where its correlation is higher; it agrees with a pose when it is no farther off."""

LEAST_PATCHES, LEAST_SHARE = 8, 0.04
"""A print is found when so many patches, and such a share of all, agree."""

PAIRS = 30
"""So many pairs of patches are tried for the move on which most agree."""

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
    there = take_print(image, view, near, (wide, deep), known.height_mm, 2 * scale).image
    window = cv2.resize(there, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    reach = round(reach_mm * scale)
    total = np.zeros((len(TURNS_DEG), 2 * reach + 1, 2 * reach + 1), np.float32)
    middle = np.array([(window.shape[1] - 1) / 2, (window.shape[0] - 1) / 2])
    for patch, at in zip(patches.images, patches.at_mm):
        aims = np.array([middle + (spin(way) @ at) * (1, -1) * scale for way in TURNS_DEG])
        corner = np.rint(aims).astype(int) - reach - patches.side_px // 2
        low, high = corner.min(axis=0), corner.max(axis=0) + 2 * reach + patches.side_px
        low, high = low.clip(0), np.minimum(high, window.shape[1::-1])
        like = _likeness(window[low[1]:high[1], low[0]:high[0]], patch).clip(0, 1) ** 2
        for number, (x, y) in enumerate(corner - low):
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
    off, alike = np.zeros((len(patches), 2)), np.zeros(len(patches))
    for number, (patch, aim) in enumerate(zip(patches.images, px)):
        turn = cv2.getPerspectiveTransform(raster, aim)
        window = cv2.warpPerspective(image, turn, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        off[number], alike[number] = _peak(_likeness(window, patch))
    return (off - reach) * (1, -1) / patches.px_per_mm, alike


def _likeness(window: npt.NDArray[np.generic], patch: Image) -> npt.NDArray[np.float32]:
    """The correlation of a patch with a window at each place; 0 where all is of one colour."""
    like = cv2.matchTemplate(np.asarray(window, np.uint8), patch, cv2.TM_CCOEFF_NORMED)
    return np.asarray(np.nan_to_num(like, nan=0.0, posinf=0.0, neginf=0.0), np.float32)


def _peak(like: npt.NDArray[np.float32]) -> tuple[tuple[float, float], float]:
    """Column and row of the highest value, to a part of a pixel, and the value."""
    row, column = (int(each) for each in np.unravel_index(int(like.argmax()), like.shape))
    if not (0 < row < like.shape[0] - 1 and 0 < column < like.shape[1] - 1):
        return (float(column), float(row)), 0.0

    def top(before: float, here: float, after: float) -> float:
        bend = before - 2 * here + after
        return 0.0 if bend >= 0 else (before - after) / (2 * bend)

    here = float(like[row, column])
    return (column + top(like[row, column - 1], here, like[row, column + 1]),
            row + top(like[row - 1, column], here, like[row + 1, column])), here


def _agree(at_mm: Floats, off_mm: Floats, like: Floats) -> npt.NDArray[np.bool_] | None:
    """The patches that agree on one small shift and turn: tried by pairs, then by all that agree."""
    seen = np.flatnonzero(like > LIKE)
    if len(seen) < LEAST_PATCHES:
        return None
    random = np.random.default_rng(0)
    best = np.zeros(len(at_mm), np.bool_)
    for pair in random.permuted(np.tile(seen, (PAIRS, 1)), axis=1)[:, :2]:
        close = _near(at_mm, off_mm, _rigid(at_mm[pair], off_mm[pair])) & (like > LIKE)
        if close.sum() > best.sum():
            best = close
    for _ in range(3):
        if best.sum() < 3:
            return None
        best = _near(at_mm, off_mm, _rigid(at_mm[best], off_mm[best])) & (like > LIKE)
    return best if best.sum() >= 3 else None


def _rigid(at_mm: Floats, off_mm: Floats) -> Floats:
    """Shift and small turn (x, y, radians) that fit how points (n, 2) moved."""
    rows = np.zeros((2 * len(at_mm), 3))
    rows[0::2, 0], rows[1::2, 1] = 1, 1
    rows[0::2, 2], rows[1::2, 2] = -at_mm[:, 1], at_mm[:, 0]
    return np.asarray(np.linalg.lstsq(rows, off_mm.ravel(), rcond=None)[0], np.float64)


def _near(at_mm: Floats, off_mm: Floats, moved: Floats) -> npt.NDArray[np.bool_]:
    miss = off_mm - moved[:2] - moved[2] * np.column_stack([-at_mm[:, 1], at_mm[:, 0]])
    return np.asarray(np.linalg.norm(miss, axis=1) < AGREES_MM)


def _moved(near: Pose, good: npt.NDArray[np.bool_], off_mm: Floats, at_mm: Floats) -> Fit:
    moved = _rigid(at_mm[good], off_mm[good])
    shift = spin(near.turn_deg) @ moved[:2]
    pose = Pose((near.at_mm[0] + float(shift[0]), near.at_mm[1] + float(shift[1])),
                near.turn_deg + float(np.degrees(moved[2])))
    miss = off_mm[good] - moved[:2] - moved[2] * np.column_stack([-at_mm[good, 1], at_mm[good, 0]])
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
