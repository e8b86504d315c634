"""The crates: found as a block near where they are expected, then each fitted with its own place and turn.

The block is found by templates, coarse to fine; then each side is measured where its ridge is brightest. What the
ridge's shading adds (an outer wall in the light, an inner one in shadow) is the same for all crates and is learned at
enrolment too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.errors import SightError, phrase
from companion.table import Body, Point, Spot
from companion.table.crate import RIM_MM
from vision.bodies.crate_look import CrateLook, learn_rim, rim_map
from vision.bodies.crate_search import NARROW, WIDE, Reach, match_crates
from vision.bodies.ridge_fit import fit_ridges
from vision.bodies.rim_templates import BLOCK_SHIFT_MM, RIM_INSIDE_MM, RimMap, find_block, outlines
from vision.imaging.pose import Pose, pose_of
from vision.photometry.white_reference import LitPicture

BLOCK_PX_PER_MM, FINE_PX_PER_MM, QUICK_PX_PER_MM = 1.0, 4.0, 2.5
"""The scales at which a block is sought, and at which a crate is sought and fitted, or fitted where it stood."""

MIN_BLOCK_LIKENESS = 0.45
"""A block counts as found when its rims look at least so much like a rim; drinks may hide a part of them."""


@dataclass(frozen=True, slots=True)
class FittedBody:
    """Where a body stands in the table frame. `residual_px`: how far its sides are, on average, off the fit;
    `likeness`: how much they look as enrolled, 0 to 1."""

    spot: Spot
    at_mm: Point
    turn_deg: float
    residual_px: float
    likeness: float

    @property
    def pose(self) -> Pose:
        """Its place and turn."""
        return Pose(self.at_mm, self.turn_deg)


@dataclass(frozen=True, slots=True, eq=False)
class CratePicture(LitPicture):
    """A picture with crates, as needed to learn how they look: they stand at places in the table frame."""

    crates: tuple[Body, ...]


def learn_crates(pictures: Iterable[CratePicture]) -> CrateLook | None:
    """The look of crates from pictures in which their places are known; None without any crate."""
    crates = [(picture, crate) for picture in pictures for crate in picture.crates]
    if not crates:
        return None
    look = learn_rim(crates)
    off = [np.subtract(_refit(picture, look, [crate])[0].at_mm, crate.at_mm) for picture, crate in crates]
    bias = np.median(off, axis=0)
    return replace(look, bias_mm=(float(bias[0]), float(bias[1])))


def fit_crates(picture: LitPicture, look: CrateLook, expected: Sequence[Body]) -> tuple[FittedBody, ...]:
    """Where the crates stand that are expected (in the table frame) as one block within 15 mm and 8 degrees.

    Raises `SightError` when no such block is there.
    """
    rims = rim_map(picture, look, [body.at_mm for body in expected], BLOCK_PX_PER_MM, BLOCK_SHIFT_MM)
    near = [_moved(body, pose) for body, pose in zip(expected, find_block(rims, expected))]
    fitted = _refit(picture, look, near, NARROW)
    if np.median([body.likeness for body in fitted]) < MIN_BLOCK_LIKENESS:
        raise SightError(phrase("eyes.no_crates"))
    return fitted


def refit_crates(picture: LitPicture, look: CrateLook, expected: Sequence[Body], before: Sequence[FittedBody]
                 ) -> tuple[FittedBody, ...]:
    """Where crates stand that have moved by less than a wall since an earlier fit."""
    poses = {body.spot: body.pose for body in before}
    return _refit(picture, look, [_moved(body, poses[body.spot]) for body in expected])


def fit_each(picture: LitPicture, look: CrateLook, near: Sequence[Body], beside: Iterable[FittedBody] = (),
             wide: bool = False) -> tuple[FittedBody, ...]:
    """The best fits of crates near where they might stand (in the table frame), none in another or in those that stand
    `beside` them: 2.5 mm to each side, or 7 mm when `wide`. Their likeness tells whether one stands there."""
    return _refit(picture, look, near, WIDE if wide else NARROW, beside)


def _refit(picture: LitPicture, look: CrateLook, near: Sequence[Body], reach: Reach | None = None,
           beside: Iterable[FittedBody] = ()) -> tuple[FittedBody, ...]:
    """Crates fitted where they are expected, or in reach of there."""
    rims = rim_map(picture, look, [body.at_mm for body in near], FINE_PX_PER_MM if reach else QUICK_PX_PER_MM)
    poses = [pose_of(body) for body in near]
    if reach:
        poses = match_crates(rims.halved(), near, reach, [other.pose for other in beside])
    return tuple(_fit_one(picture, look, rims, body, pose) for body, pose in zip(near, poses))


def _fit_one(picture: LitPicture, look: CrateLook, rims: RimMap, body: Body, pose: Pose) -> FittedBody:
    """A crate fitted from a pose that is nearly right. Its ridges are seen beside the middle of its walls."""
    seen, residual_mm = fit_ridges(rims, body, _shifted(pose, look.bias_mm, 1))
    likeness = float(np.median(rims.at(outlines(body.size_mm, RIM_INSIDE_MM), seen)))
    at_mm = _shifted(seen, look.bias_mm, -1).at_mm
    return FittedBody(body.spot, at_mm, (seen.turn_deg + 180) % 360 - 180,
                      residual_mm * picture.view.px_per_mm(at_mm, RIM_MM), likeness)


def _shifted(pose: Pose, by_mm: Point, sign: int) -> Pose:
    return Pose((pose.at_mm[0] + sign * by_mm[0], pose.at_mm[1] + sign * by_mm[1]), pose.turn_deg)


def _moved(body: Body, pose: Pose) -> Body:
    return replace(body, at_mm=pose.at_mm, turn_deg=pose.turn_deg)
