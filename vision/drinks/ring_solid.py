"""Drinks as solids: a profile of radius over height, and how it paints into a picture.

A solid is a stack of rings, lowest first. Seen from above, each ring covers what is below it, so that painting the
rings in order gives for each pixel the ring that is seen there; a texture then gives each ring its colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats
from vision.imaging.box import Box
from vision.imaging.camera import View

OVERSAMPLING = 3
"""A painted picture has so many points to a pixel, along each side."""

SUBPIXEL_BITS = 4

RING_STEP_MM = 1.0
BODY_BANDS, LOWER_BANDS = 5, 2
LID_RINGS = (1.0, 0.85, 0.7, 0.5, 0.3)
"""Radii of the rings on top, as shares of the lid's."""

Painted = npt.NDArray[np.uint8]
"""(height, width) times OVERSAMPLING: number of the ring seen, from 1; 0 where the solid is not."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The form of a drink, in mm. Up to `shoulder` its radius (half its width if `square`) is `body`, from there it
    narrows to `top` at `neck`, and stays so up to `height`. `lid` is the radius of the lid inside its rim, `corner`
    that of a square drink's upright edges."""

    height: float
    body: float
    shoulder: float
    neck: float
    top: float
    lid: float
    square: bool = False
    corner: float = 1.0


@dataclass(frozen=True, eq=False)
class Solid:
    """Rings of a profile: `heights_mm` (n,), `outlines_mm` (n, points, 2) about the axis, and `bands` (n,): the band
    that each ring belongs to, from 0 at the foot. `cap` (bands,): whether it is of the lid or cap, which other light
    may reach than the body."""

    heights_mm: Floats
    outlines_mm: Floats
    bands: npt.NDArray[np.intp]
    cap: npt.NDArray[np.bool_]

    @cached_property
    def parts(self) -> npt.NDArray[np.float32]:
        """(3, bands): 1 where a band belongs to the lower body, the upper body, the cap: each may have other light."""
        lower = np.arange(len(self.cap)) < LOWER_BANDS
        return np.stack([lower & ~self.cap, ~lower & ~self.cap, self.cap]).astype(np.float32)

    def __len__(self) -> int:
        return len(self.heights_mm)


_ANGLES = np.linspace(0, 2 * np.pi, 33)[:-1]
_CIRCLE = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_CORNER = np.sign(np.column_stack([np.cos(_ANGLES + 1e-3), np.sin(_ANGLES + 1e-3)]))


def make_solid(profile: Profile) -> Solid:
    """The rings of a profile, lowest first."""
    body = np.arange(0, profile.shoulder - 0.3, RING_STEP_MM)
    slope = np.linspace(0, 1, max(2, round((profile.neck - profile.shoulder) / RING_STEP_MM) + 1))
    neck = np.arange(profile.neck + RING_STEP_MM / 2, profile.height - 0.3, RING_STEP_MM)
    rings: list[tuple[float, Floats, bool]] = [(z, _outline(profile, profile.body, 0.0), False) for z in body]
    for share in slope:
        radius = profile.body + (profile.top - profile.body) * (1 - np.cos(np.pi * share)) / 2
        height = profile.shoulder + (profile.neck - profile.shoulder) * share
        rings.append((height, _outline(profile, radius, float(share)), False))
    rings += [(z, _CIRCLE * profile.top, True) for z in neck]
    rim = [profile.top] if profile.lid < profile.top else []
    tops = rim + [profile.lid * share for share in LID_RINGS]
    rings += [(profile.height, _CIRCLE * radius, True) for radius in tops]
    heights, outlines, on_cap = zip(*rings)
    bands = _bands(np.array(on_cap, np.bool_), len(rim))
    cap = np.array([on_cap[int(np.flatnonzero(bands == band)[0])] for band in range(bands.max() + 1)], np.bool_)
    return Solid(np.array(heights, np.float64), np.array(outlines, np.float64), bands, cap)


def _bands(on_cap: npt.NDArray[np.bool_], rim: int) -> npt.NDArray[np.intp]:
    """Body rings in `BODY_BANDS` bands; the cap's side in one; a can's rim; the lid in an edge, a ring and its middle.
    """
    body = int(np.sum(~on_cap))
    lid = np.array([*range(rim), *(np.array([0, 0, 1, 1, 2]) + rim)])
    sides = len(on_cap) - body - len(lid)
    first = (np.arange(body) * BODY_BANDS) // body
    return np.concatenate([first, np.full(sides, BODY_BANDS), lid + BODY_BANDS + (1 if sides else 0)]).astype(np.intp)


def _outline(profile: Profile, radius: float, roundness: float) -> Floats:
    """A ring of the body: a circle, or for a square drink a square whose corners become rounder towards the neck."""
    if not profile.square:
        return np.asarray(_CIRCLE * radius, np.float64)
    corner = min(radius, profile.corner + (profile.top - profile.corner) * roundness)
    return np.asarray(_CORNER * (radius - corner) + _CIRCLE * corner, np.float64)


def place(view: View, solid: Solid, foot_mm: Floats, turn_deg: float) -> Floats:
    """The rings (n, points, 2) in px of a solid whose foot's centre stands at x, y, z (3,)."""
    rings, = place_each(view, [(solid, turn_deg)], foot_mm)
    return rings


def place_each(view: View, turned: Sequence[tuple[Solid, float]], foot_mm: Floats) -> list[Floats]:
    """The same for several solids, each turned in its own way, that might stand there."""
    at = [_turned(solid, turn_deg) + foot_mm for solid, turn_deg in turned]
    px = view.project(np.concatenate(at).reshape(-1, 3)).reshape(-1, at[0].shape[1], 2)
    return np.split(px, np.cumsum([len(rings) for rings in at])[:-1])


@lru_cache(maxsize=32)
def _turned(solid: Solid, turn_deg: float) -> Floats:
    """The rings (n, points, 3) in mm about the foot's centre."""
    turn = np.radians(turn_deg)
    spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    heights = np.broadcast_to(solid.heights_mm[:, None, None], (*solid.outlines_mm.shape[:2], 1))
    return np.concatenate([solid.outlines_mm @ spin, heights], axis=2)


def outline_of(view: View, solid: Solid, foot_mm: Floats, turn_deg: float) -> Floats:
    """The convex outline (n, 2) within which a solid is seen that stands so, in px."""
    rings = place(view, solid, foot_mm, turn_deg).reshape(-1, 2)
    return np.asarray(cv2.convexHull(rings.astype(np.float32)).reshape(-1, 2), np.float64)


def blank(box: Box) -> Painted:
    """A picture with nothing painted in it."""
    return np.zeros((box.height * OVERSAMPLING, box.width * OVERSAMPLING), np.uint8)


def at_centres(painted: Painted) -> Painted:
    """The number (h, w) painted at the centre of each pixel."""
    return painted[OVERSAMPLING // 2::OVERSAMPLING, OVERSAMPLING // 2::OVERSAMPLING]


def paint_polygon(painted: Painted, box: Box, corners_px: Floats, number: int) -> None:
    """Fill a convex polygon (n, 2) in px with a number. A pixel's centre has whole coordinates."""
    cv2.fillConvexPoly(painted, _fine(box, corners_px), number, shift=SUBPIXEL_BITS)


def paint(painted: Painted, box: Box, rings_px: Floats, first: int = 0, last: int | None = None) -> None:
    """Paint the rings `first` to `last` (not included) with their numbers, counted from 1."""
    for number, corners in enumerate(_fine(box, rings_px[first:last]), first + 1):
        cv2.fillConvexPoly(painted, corners, number, shift=SUBPIXEL_BITS)


def _fine(box: Box, points_px: Floats) -> npt.NDArray[np.int32]:
    """Points (..., 2) in px as OpenCV paints them into the oversampled picture of a box."""
    at = (points_px - (box.left, box.top) + 0.5) * OVERSAMPLING - 0.5
    return np.rint(at * (1 << SUBPIXEL_BITS)).astype(np.int32)
