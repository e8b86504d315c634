"""Drinks as solids of revolution, or with square sections: a profile of radius over height as a stack of rings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.imaging.arrays import Floats

RING_STEP_MM = 1.0
BODY_BANDS, LOWER_BANDS = 5, 2
FOOT_RINGS = (0.0, 0.15, 0.45)
"""Heights of the rings of a rounded foot, as shares of its radius; at 1 begins the upright side."""
LID_RINGS = (1.0, 0.85, 0.7, 0.5, 0.3)
"""Radii of the rings on top, as shares of the lid's."""

LID_BANDS = (0, 0, 1, 1, 2)
"""The band of each of these rings: edge, ring and middle of the lid."""

Ring = tuple[float, Floats, bool]
"""Height in mm, outline (points, 2) in mm about the axis, and whether the ring belongs to the cap."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The profile of a drink, in mm. Up to `shoulder` its radius (half its width if `square`) is `body`, from there it
    narrows to `throat` at `neck`; from `collar` to `height` a cap has the radius `top`, and most caps are broader than
    the throat. A can ends at its neck. `lid` is the radius of the lid inside its rim, `corner` that of a square drink's
    upright edges, `foot` that of the rounded edge at the bottom."""

    height: float
    body: float
    shoulder: float
    neck: float
    top: float
    lid: float
    square: bool = False
    corner: float = 1.0
    foot: float = 0.0
    throat: float = 0.0
    """0: as broad as the cap."""
    collar: float = 0.0
    """0: at the neck."""

    @property
    def is_can(self) -> bool:
        """Whether it ends at its neck, without a cap."""
        return self.neck >= self.height


@dataclass(frozen=True, eq=False)
class Solid:
    """Rings of a profile: `heights_mm` (n,), `outlines_mm` (n, points, 2) about the axis, and `bands` (n,): the band
    that each ring belongs to, from 0 at the foot. `cap` (bands,): whether it belongs to the lid or cap, which may be
    lit otherwise than the body."""

    heights_mm: Floats
    outlines_mm: Floats
    bands: npt.NDArray[np.intp]
    cap: npt.NDArray[np.bool_]

    @cached_property
    def parts(self) -> npt.NDArray[np.float32]:
        """(3, bands): 1 where a band belongs to the lower body, the upper body, the cap: each has gains of its own."""
        lower = np.arange(len(self.cap)) < LOWER_BANDS
        return np.stack([lower & ~self.cap, ~lower & ~self.cap, self.cap]).astype(np.float32)

    def __len__(self) -> int:
        return len(self.heights_mm)


_ANGLES = np.linspace(0, 2 * np.pi, 33)[:-1]
_CIRCLE = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_CORNER = np.sign(np.column_stack([np.cos(_ANGLES + 1e-3), np.sin(_ANGLES + 1e-3)]))


def make_solid(profile: Profile) -> Solid:
    """The rings of a profile, lowest first."""
    rims = 1 if profile.lid < profile.top else 0
    heights, outlines, on_cap = zip(*_body(profile), *_shoulder(profile), *_cap(profile, rims))
    bands = _bands(np.array(on_cap, np.bool_), rims)
    cap = np.array([on_cap[int(np.flatnonzero(bands == band)[0])] for band in range(bands.max() + 1)], np.bool_)
    return Solid(np.array(heights, np.float64), np.array(outlines, np.float64), bands, cap)


def _body(profile: Profile) -> Iterator[Ring]:
    for share in FOOT_RINGS if profile.foot else ():
        radius = profile.body - profile.foot * (1 - np.sqrt(1 - (1 - share) ** 2))
        yield profile.foot * share, _outline(profile, radius, 0.0), False
    for z in np.arange(profile.foot, profile.shoulder - 0.3, RING_STEP_MM):
        yield z, _outline(profile, profile.body, 0.0), False


def _shoulder(profile: Profile) -> Iterator[Ring]:
    """From the body to the neck, along half a cosine, and up to the cap."""
    rise, narrow = profile.neck - profile.shoulder, profile.throat or profile.top
    for share in np.linspace(0, 1, max(2, round(rise / RING_STEP_MM) + 1)):
        radius = profile.body + (narrow - profile.body) * (1 - np.cos(np.pi * share)) / 2
        yield profile.shoulder + rise * share, _outline(profile, radius, float(share)), False
    for z in np.arange(profile.neck + RING_STEP_MM, profile.collar, RING_STEP_MM):
        yield z, _CIRCLE * narrow, False


def _cap(profile: Profile, rims: int) -> Iterator[Ring]:
    """The cap's upright side, then the rim of a can, if there is one, and the rings of the lid."""
    for z in np.arange(max(profile.neck, profile.collar) + RING_STEP_MM / 2, profile.height - 0.3, RING_STEP_MM):
        yield z, _CIRCLE * profile.top, True
    for radius in [profile.top] * rims + [profile.lid * share for share in LID_RINGS]:
        yield profile.height, _CIRCLE * radius, True


def _bands(on_cap: npt.NDArray[np.bool_], rims: int) -> npt.NDArray[np.intp]:
    """Body rings in `BODY_BANDS` bands; the cap's side in one; a can's rim in one; the lid in `LID_BANDS`."""
    body = int(np.sum(~on_cap))
    lid = np.array([*range(rims), *(np.array(LID_BANDS) + rims)])
    sides = len(on_cap) - body - len(lid)
    first = (np.arange(body) * BODY_BANDS) // body
    return np.concatenate([first, np.full(sides, BODY_BANDS), lid + BODY_BANDS + (1 if sides else 0)]).astype(np.intp)


def _outline(profile: Profile, radius: float, roundness: float) -> Floats:
    """A ring of the body: a circle, or for a square drink a square whose corners become rounder towards the neck."""
    if not profile.square:
        return np.asarray(_CIRCLE * radius, np.float64)
    corner = min(radius, profile.corner + (profile.top - profile.corner) * roundness)
    return np.asarray(_CORNER * (radius - corner) + _CIRCLE * corner, np.float64)
