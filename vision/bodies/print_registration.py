"""Registration of a body by its printed top, near its expected pose.

Each patch of the print is located near its predicted position by normalised cross-correlation; the rigid motion with
the most inliers gives the body's pose (B. Zitová and J. Flusser, "Image registration methods: a survey", 2003). Patches
under pieces or in a reflection are outliers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.bodies.patch_correlation import correlations, normalised, peaks, spreads, without_mean
from vision.bodies.print_model import PRINT_PX_PER_MM, Patches, Print, PrintRaster, take_print
from vision.bodies.rigid_consensus import consensus, residuals, rigid_motion
from vision.imaging.arrays import Floats, Mask, Values
from vision.imaging.camera import spin
from vision.imaging.picture import Picture
from vision.imaging.pose import Pose

PRINT_TURNS_DEG = np.arange(-8.0, 8.1, 1.0)
"""Turns about the expected one that are tried in the coarse search."""

PATCH_REACH_MM, REGISTER_ROUNDS = 1.5, 3
"""The search range of a patch, and the rounds of registration, each from the pose of the one before."""

MIN_PATCH_CORRELATION = 0.55
"""A patch is seen when its peak correlation is higher."""

MIN_PATCHES, MIN_PATCH_SHARE = 8, 0.04
"""A print is found when this many patches, and this share of all, are inliers."""

PATCHES_PER_BATCH = 32
"""Patches that are correlated at a time: what fits a processor's cache."""

SEARCH_STEP_PX = 16
"""For the coarse search the projection is computed at pixels this far apart."""

CHECKED_PATCHES = 12
"""The number of patches that are correlated to check whether a print lies where it lay."""

LAID_OUT_MM, EXACT_MM = 8.0, 0.5
"""A board laid out for enrolment lies within `LAID_OUT_MM` of where it was asked for, and is taken to lie exactly there
when it is measured within `EXACT_MM` of that."""


@dataclass(frozen=True, slots=True)
class PrintRegistration:
    """A registered print: its pose, the mean residual of the inliers (`off_mm`), their share of all patches, and their
    indices (`good`)."""

    pose: Pose
    off_mm: float
    share: float
    good: tuple[int, ...]


# ---------------------------------------------------------------- roughly


def coarse_pose(picture: Picture, known: Print, near: Pose, reach_mm: float) -> Pose:
    """The pose within reach, and within the turns of `PRINT_TURNS_DEG`, with the most votes of the coarse patches: each
    votes for the shifts at which it is seen (a generalised Hough transform, D. Ballard, 1981)."""
    scale = known.coarse_px_per_mm
    reach = round(reach_mm * scale)
    votes = np.zeros((len(PRINT_TURNS_DEG), 2 * reach + 1, 2 * reach + 1), np.float32)
    for correlated, corners in _correlated(_window(picture, known, near, reach_mm), known, reach):
        for number, (x, y) in enumerate(corners.tolist()):
            part = correlated[max(y, 0):y + 2 * reach + 1, max(x, 0):x + 2 * reach + 1]
            if part.shape == votes.shape[1:]:
                votes[number] += part
    votes = np.stack([cv2.blur(each, (3, 3)) for each in votes])
    best, down, right = np.unravel_index(int(votes.argmax()), votes.shape)
    off = spin(near.turn_deg) @ np.array([right - reach, reach - down]) / scale
    return Pose((near.at_mm[0] + float(off[0]), near.at_mm[1] + float(off[1])),
                near.turn_deg + float(PRINT_TURNS_DEG[int(best)]))


def _window(picture: Picture, known: Print, near: Pose, reach_mm: float) -> Values:
    """An orthophoto (h, w, 3) of the area in which a print may lie, turned as at the pose."""
    turn = np.radians(np.abs(PRINT_TURNS_DEG).max())
    margin_mm = reach_mm + float(np.abs(known.coarse.at_mm).max()) * np.sin(turn) + PATCH_REACH_MM
    wide, deep = (size + 2 * margin_mm for size in known.size_mm)
    raster = PrintRaster((wide, deep), known.height_mm, 2 * known.coarse_px_per_mm, SEARCH_STEP_PX)
    there = take_print(picture, near, raster).image
    return cv2.resize(there, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.float32)


def _correlated(window: Values, known: Print, reach_px: int) -> Iterator[tuple[Values, npt.NDArray[np.int_]]]:
    """For each coarse patch its votes (h, w), the squared positive NCC, and for each turn the column and row (turns, 2)
    of the upper left corner of its search range therein."""
    patches, side = known.coarse, known.coarse.side_px
    middle = np.array([(window.shape[1] - 1) / 2, (window.shape[0] - 1) / 2])
    aims = middle + np.stack([patches.at_mm @ spin(way).T for way in PRINT_TURNS_DEG], axis=1) * (
        known.coarse_px_per_mm, -known.coarse_px_per_mm)
    corners = np.rint(aims).astype(int) - reach_px - side // 2
    planes, spread = cv2.split(window), spreads(window[None], side)[0]
    for patch, corner in zip(without_mean(patches.images), corners):
        low, high = corner.min(axis=0), corner.max(axis=0) + 2 * reach_px + side
        low, high = low.clip(0), np.minimum(high, window.shape[1::-1])
        products = np.asarray(sum(cv2.matchTemplate(plane[low[1]:high[1], low[0]:high[0]], own, cv2.TM_CCORR)
                                  for plane, own in zip(planes, cv2.split(patch))), np.float32)
        here = spread[low[1]:high[1] - side + 1, low[0]:high[0] - side + 1]
        yield normalised(products, here, patch).clip(0, 1) ** 2, corner - low


# ---------------------------------------------------------------- exactly


def register_print(picture: Picture, known: Print, near: Pose) -> PrintRegistration | None:
    """The print registered from an initial pose that is nearly right; None when too few patches are inliers."""
    found: PrintRegistration | None = None
    for _ in range(REGISTER_ROUNDS):
        off, correlated = _offsets(picture, known, known.fine, near)
        seen = correlated > MIN_PATCH_CORRELATION
        good = consensus(known.fine.at_mm, off, seen) if seen.sum() >= MIN_PATCHES else None
        if good is None:
            return None
        found = _moved(near, good, off, known.fine.at_mm)
        near = found.pose
    is_enough = found is not None and len(found.good) >= MIN_PATCHES and found.share >= MIN_PATCH_SHARE
    return found if is_enough else None


def still_there(picture: Picture, known: Print, found: PrintRegistration) -> float | None:
    """The shift (mm) of a print since it was found, by the median of a few patches; None when too few are seen."""
    count = min(CHECKED_PATCHES, len(found.good))
    some = np.array(found.good, np.intp)[np.linspace(0, len(found.good) - 1, count).astype(int)]
    off, correlated = _offsets(picture, known, known.fine.some(some), found.pose)
    seen = off[correlated > MIN_PATCH_CORRELATION]
    return None if len(seen) < CHECKED_PATCHES // 3 else float(np.linalg.norm(np.median(seen, axis=0)))


def _offsets(picture: Picture, known: Print, patches: Patches, near: Pose) -> tuple[Floats, Floats]:
    """For each patch its displacement from the predicted position, (n, 2) in mm in the body's frame, and its peak
    correlation (n,)."""
    reach = round(PATCH_REACH_MM * patches.px_per_mm)
    side = patches.side_px + 2 * reach
    aims = _window_corners(picture, known, patches, near, side)
    raster = np.array([(0, 0), (side - 1, 0), (side - 1, side - 1), (0, side - 1)], np.float32)
    at, correlated = [], []
    for first in range(0, len(patches), PATCHES_PER_BATCH):
        windows = np.empty((len(aims[first:first + PATCHES_PER_BATCH]), side, side, 3), np.uint8)
        for window, aim in zip(windows, aims[first:]):
            turn = cv2.getPerspectiveTransform(raster, aim)
            cv2.warpPerspective(picture.image, turn, (side, side), window, cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        where, how_well = peaks(correlations(windows, patches.images[first:first + PATCHES_PER_BATCH]))
        at.append(where)
        correlated.append(how_well)
    return (np.concatenate(at) - reach) * (1, -1) / patches.px_per_mm, np.concatenate(correlated)


def _window_corners(picture: Picture, known: Print, patches: Patches, near: Pose, side_px: int) -> Values:
    """The corners (n, 4, 2) in px of the windows, `side_px` wide when rectified, in which patches are searched for."""
    half_mm = (side_px - 1) / 2 / patches.px_per_mm
    corners = np.array([(-half_mm, half_mm), (half_mm, half_mm), (half_mm, -half_mm), (-half_mm, -half_mm)])
    own = patches.at_mm[:, None] + corners
    px = picture.view.project_at(near.to_table(own).reshape(-1, 2), known.height_mm)
    return np.asarray(px.reshape(-1, 4, 2), np.float32)


def _moved(near: Pose, good: Mask, off_mm: Floats, at_mm: Floats) -> PrintRegistration:
    """The registration after the rigid motion of the inliers."""
    motion = rigid_motion(at_mm[good], off_mm[good])
    shift = spin(near.turn_deg) @ motion[:2]
    pose = Pose((near.at_mm[0] + float(shift[0]), near.at_mm[1] + float(shift[1])),
                near.turn_deg + float(np.degrees(motion[2])))
    miss = residuals(at_mm[good], off_mm[good], motion)
    return PrintRegistration(pose, float(np.linalg.norm(miss, axis=1).mean()), float(good.mean()),
                        tuple(int(each) for each in np.flatnonzero(good)))


# ---------------------------------------------------------------- at enrolment


def learn_print(picture: Picture, laid: Pose, size_mm: tuple[float, float, float], drawn: Print | None = None) -> Print:
    """The top of a body of that size (x, y, height in mm) that was laid out for enrolment. With its artwork (`drawn`)
    its pose is registered, for hands lay things within some mm; the asked pose is kept when the registration confirms
    it."""
    if drawn is not None:
        found = register_print(picture, drawn, coarse_pose(picture, drawn, laid, LAID_OUT_MM))
        if found is not None and np.hypot(*np.subtract(found.pose.at_mm, laid.at_mm)) > EXACT_MM:
            laid = found.pose
    return take_print(picture, laid, PrintRaster(size_mm[:2], size_mm[2], PRINT_PX_PER_MM))
