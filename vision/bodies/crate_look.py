"""The look of crates' rims, and a map of a picture's likeness to it.

The rim is a bright frame, 1.5 mm wide, 12 mm above the table, whose colour is learned at enrolment. The picture is
rectified at the rim's height and converted to likeness to the rim.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.table import Body, Point
from companion.table.crate import RIM_MM, SLOTS
from vision.bodies.orthopatch import OrthoArea, rectify
from vision.bodies.rim_templates import BESIDE_RIM_MM, RIM_INSIDE_MM, SIDE_SAMPLES, RimMap, dividers, outlines
from vision.imaging.arrays import Values
from vision.imaging.pose import Pose, pose_of
from vision.imaging.srgb import to_lab
from vision.photometry.white_reference import LitPicture

HALF_DIAGONAL_MM = 33.0
"""From the centre of a crate to the border of the rectified patch: half its diagonal and a margin."""

LEARN_PX_PER_MM = 4.0
MIN_CONTRAST_LAB = 3.0

RIM_SHADES = (1.0, 0.87, 0.75, 0.65, 0.55, 0.47)
"""The shades in which a side of a crate is looked for, see `CrateLook.shaded`; the last one is a tenth of the light."""

ON_DIVIDER_MM, BESIDE_DIVIDER_MM, DIVIDER_WEIGHT = (-0.25, 0.25), (-1.75, 1.75), 0.5
"""Lines, in mm aside of the middle of a divider: on it and beside it; and how much it counts beside a side: drinks on
both sides may look like it."""


@dataclass(frozen=True, slots=True)
class CrateLook:
    """The look of crates under this light: the rim's L*a*b*, its contrast to its surroundings (units of colour), and
    the bias of its brightest line against the middle of the wall, in mm along x and y of the table."""

    rim_lab: tuple[float, float, float]
    contrast: float
    bias_mm: Point = (0.0, 0.0)

    def lighter(self, by: float) -> CrateLook:
        """The same in other light: so much lighter."""
        lightness, a, b = self.rim_lab
        return replace(self, rim_lab=(lightness + by, a, b))

    def shaded(self, share: float) -> CrateLook:
        """The same where less light falls: 1 is all of it. In L*a*b* a factor on linear light is one on a*, b* and
        L* + 16 (its cube root); so is `share`."""
        lightness, a, b = self.rim_lab
        return replace(self, rim_lab=(share * (lightness + 16) - 16, share * a, share * b),
                       contrast=max(share * self.contrast, MIN_CONTRAST_LAB))


def learn_rim(pictures: Iterable[tuple[LitPicture, Body]]) -> CrateLook:
    """The rim's colour and contrast from crates whose poses in their pictures are known; at least one."""
    rim, around = [], []
    for picture, crate in pictures:
        lab = seen_at_rim_height(picture, [crate.at_mm], LEARN_PX_PER_MM)
        rim.append(lab.at(outlines(crate.size_mm[:2], RIM_INSIDE_MM), pose_of(crate)))
        around.append(lab.at(outlines(crate.size_mm[:2], BESIDE_RIM_MM), pose_of(crate)))
    middle = np.median(np.concatenate(rim), axis=0)
    far = np.linalg.norm(np.concatenate(around) - middle, axis=1)
    return CrateLook((float(middle[0]), float(middle[1]), float(middle[2])),
                     max(float(np.median(far)), MIN_CONTRAST_LAB))


def seen_at_rim_height(picture: LitPicture, around_mm: Sequence[Point], px_per_mm: float, margin_mm: float = 0.0
                       ) -> RimMap:
    """The L*a*b* (h, w, 3) of a patch around the middles of crates (mm), rectified at the rim's height."""
    patch = rectify(picture, OrthoArea(around_mm, margin_mm + HALF_DIAGONAL_MM, RIM_MM, px_per_mm))
    return RimMap(to_lab(patch.normalise(picture.white)), patch)


def rim_likeness(seen: RimMap, look: CrateLook) -> RimMap:
    """The likeness (h, w) to a rim of what is seen from above: 1 at the rim's colour, 0.5 at half its contrast from it,
    towards 0 beyond."""
    return RimMap(_likeness(seen.values, look), seen.patch)


def stands_out(seen: RimMap, look: CrateLook, body: Body, pose: Pose) -> float:
    """By how much the rims of a crate at a pose are likelier than what is beside them, from 0 to 1: the mean over its
    four sides, each in the shade in which it stands out most. One side may lie in the light, others in the shadow of
    drinks or of the crate itself."""
    return float(_sides_stand_out(seen, look, body, pose).mean())


def walls_stand_out(seen: RimMap, look: CrateLook, body: Body, pose: Pose) -> float:
    """The same of all walls, the dividers too: they have no neighbour that a side may be taken for."""
    sides = _sides_stand_out(seen, look, body, pose)
    on, beside = (seen.at(dividers(lines), pose) for lines in (ON_DIVIDER_MM, BESIDE_DIVIDER_MM))
    between = _by_wall(on, beside, look, sum(SLOTS) - len(SLOTS))
    return float((sides.sum() + DIVIDER_WEIGHT * between.sum()) / (len(sides) + DIVIDER_WEIGHT * len(between)))


def _sides_stand_out(seen: RimMap, look: CrateLook, body: Body, pose: Pose) -> Values:
    on, beside = (seen.at(outlines(body.size_mm, lines), pose) for lines in (RIM_INSIDE_MM, BESIDE_RIM_MM))
    return _by_wall(on, beside, look, 2 * len(SLOTS))


def _by_wall(on: Values, beside: Values, look: CrateLook, walls: int) -> Values:
    """By how much each of some walls is likelier than what is beside it, from colours in L*a*b* along lines on the
    walls and beside them (lines * walls * `SIDE_SAMPLES`, 3)."""
    shades = [look.shaded(share) for share in RIM_SHADES]
    lines = np.concatenate([on, beside])
    each = np.stack([_likeness(lines, shaded) for shaded in shades])
    by_line = np.median(each.reshape(len(shades), -1, walls, SIDE_SAMPLES), axis=3)
    lines_on = len(on) // (walls * SIDE_SAMPLES)
    by_shade = by_line[:, :lines_on].mean(axis=1) - by_line[:, lines_on:].mean(axis=1)
    return np.asarray(by_shade.max(axis=0).clip(0, None), np.float32)


def _likeness(colours: Values, look: CrateLook) -> Values:
    """The likeness (...) of colours (..., 3) in L*a*b* to a rim."""
    off = (colours - np.array(look.rim_lab, np.float32)) / np.float32(look.contrast / 2)
    return np.asarray(1 / (1 + np.einsum("...k,...k->...", off, off)), np.float32)
