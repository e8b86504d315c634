"""The poses of crates: located as a block near the expected pose, then each fitted on its own.

The block is located by template matching, coarse to fine; then each side is measured where its ridge is brightest. The
bias that shading gives the ridge (an outer wall in the light, an inner one in shadow) is the same for all crates and is
learned at enrolment too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.errors import SightError, phrase
from companion.table import Body, Point, Spot
from companion.table.crate import RIM_MM
from vision.bodies.crate_look import CrateLook, learn_rim, rim_likeness, seen_at_rim_height, stands_out, walls_stand_out
from vision.bodies.crate_search import NARROW, WIDE, Reach, match_crates
from vision.bodies.ridge_fit import fit_ridges
from vision.bodies.rim_templates import BLOCK_SHIFT_MM, RIM_INSIDE_MM, RimMap, find_block, outlines
from vision.bodies.slot_grid import on_its_slots
from vision.imaging.pose import Pose, pose_of
from vision.photometry.white_reference import LitPicture

BLOCK_PX_PER_MM, FINE_PX_PER_MM, QUICK_PX_PER_MM = 1.0, 4.0, 2.5
"""The scales at which a block is searched for, at which a crate is searched for and fitted, and at which it is refitted
from its last pose."""

SLOT_SHIFT_MM = 15.0
"""A block may stand a slot from where it seems to."""

GLARE_LIGHTNESS = (-15.0, 15.0)
"""How much darker or lighter rims are tried."""

SHADE_LIGHTNESS, SHADE_STANDS_OUT = (-7.0, -15.0), 0.1
"""How much darker rims in the shade are tried, and by how much more they must then stand out: a table of their colour
must not pull them."""

CLEARLY_STANDS_OUT = 0.4
"""A crate that stands out by as much is not tried in the shade: of those in full light nearly all do."""

CLOSE_REACH_MM = 0.75
"""Where a fit strayed, one is tried that looks for ridges no farther away than this."""

FAR_MM, HALF_LENGTH_MM = 2.5, 23.0
"""What is farther from where it is expected counts no more than this; a turn moves the ends of a crate by
`HALF_LENGTH_MM` times its angle."""

MIN_BLOCK_LIKENESS = 0.45
"""A block is found when the median likeness of its crates is at least this; drinks may occlude a part of them."""


@dataclass(frozen=True, slots=True)
class FittedBody:
    """The fitted pose of a body in the table frame. `residual_px`: the mean residual of its sides; `likeness`: the
    median of that of its rims to enrolled ones, 0 to 1; `stands_out`: by how much each side is likelier than what is
    beside it, in whatever shade it lies, less what it costs to lie elsewhere than expected."""

    spot: Spot
    at_mm: Point
    turn_deg: float
    residual_px: float
    likeness: float
    stands_out: float = 0.0

    @property
    def pose(self) -> Pose:
        """Its centre and turn."""
        return Pose(self.at_mm, self.turn_deg)


@dataclass(frozen=True, slots=True)
class Expectation:
    """How surely crates stand where they are expected. A fit that moves their ends farther than `strayed_mm` may have
    followed other ridges than their own; it must stand out more by `for_each_mm` that it lies farther off."""

    strayed_mm: float
    for_each_mm: float


ANYWHERE, IN_LINE, STAYED = Expectation(0.75, 0.0), Expectation(0.5, 0.02), Expectation(0.25, 0.05)
"""Crates at a first look, those that others stand in line with, and those that stood there before."""


@dataclass(frozen=True, slots=True, eq=False)
class CratePicture(LitPicture):
    """A picture for learning the look of crates, with their known poses in the table frame."""

    crates: tuple[Body, ...]


def learn_crates(pictures: Iterable[CratePicture]) -> CrateLook | None:
    """The look of crates, learned from pictures in which their poses are known; None without any crate."""
    crates = [(picture, crate) for picture in pictures for crate in picture.crates]
    if not crates:
        return None
    look = learn_rim(crates)
    off = [np.subtract(_refit(picture, look, [crate])[0].at_mm, crate.at_mm) for picture, crate in crates]
    bias = np.median(off, axis=0)
    return replace(look, bias_mm=(float(bias[0]), float(bias[1])))


def fit_crates(picture: LitPicture, look: CrateLook, expected: Sequence[Body]) -> tuple[FittedBody, ...]:
    """The poses of crates that are expected (in the table frame) as one block within 15 mm and 8 degrees.

    Raises `SightError` when no such block is found.
    """
    seen = seen_at_rim_height(picture, [body.at_mm for body in expected], BLOCK_PX_PER_MM, BLOCK_SHIFT_MM)
    rims = rim_likeness(seen, look).thin()  # the floors of white crates look like rims too
    near = [_moved(body, pose) for body, pose in zip(expected, find_block(rims, expected))]
    fitted = _refit(picture, look, near, NARROW)
    poses = [each.pose for each in fitted]
    around = seen_at_rim_height(picture, [body.at_mm for body in near], FINE_PX_PER_MM, SLOT_SHIFT_MM)
    there = on_its_slots(rim_likeness(around, look), expected, poses)
    if there != poses:
        fitted = _refit(picture, look, [_moved(body, pose) for body, pose in zip(expected, there)], NARROW)
    if np.median([body.likeness for body in fitted]) < MIN_BLOCK_LIKENESS:
        raise SightError(phrase("eyes.no_crates"))
    return fitted


def refit_crates(picture: LitPicture, look: CrateLook, expected: Sequence[Body], before: Sequence[FittedBody]
                 ) -> tuple[FittedBody, ...]:
    """The poses of crates that have moved by less than a wall's thickness since an earlier fit."""
    poses = {body.spot: body.pose for body in before}
    return _refit(picture, look, [_moved(body, poses[body.spot]) for body in expected], stays=STAYED)


def fit_in_glare(picture: LitPicture, look: CrateLook, near: Sequence[Body], beside: Sequence[FittedBody]
                 ) -> tuple[FittedBody, ...]:
    """As `fit_each`, where a lamp is mirrored in the rims or they lie in shade: of fits with lighter and with darker
    rims that which stands out most."""
    fits = fit_each(picture, [look.lighter(by) for by in GLARE_LIGHTNESS], near, beside)
    return tuple(max(some, key=lambda each: each.stands_out) for some in zip(*fits))


def fit_in_shade(picture: LitPicture, look: CrateLook, near: Sequence[Body], beside: Sequence[FittedBody] = (),
                 wide: bool = False) -> tuple[FittedBody, ...]:
    """As `fit_each`, where less light may fall on some crates than at enrolment: of fits with darker rims, too, that
    which stands out most, for those that do not stand out anyway."""
    reach, stays = _sought(beside, wide)
    (lit,) = _fits(picture, [look], near, reach, beside, stays)
    dim = [at for at, each in enumerate(lit) if each.stands_out < CLEARLY_STANDS_OUT]
    if not dim:
        return lit
    clear = [each for each in lit if each.stands_out >= CLEARLY_STANDS_OUT]
    looks = [look.lighter(by) for by in SHADE_LIGHTNESS]
    shaded = _fits(picture, looks, [near[at] for at in dim], reach, (*beside, *clear), stays)
    found = list(lit)
    for at, *darker in zip(dim, *shaded):
        found[at] = _clearest(lit[at], darker)
    return tuple(found)


def _clearest(lit: FittedBody, darker: Sequence[FittedBody]) -> FittedBody:
    return max((lit, *darker), key=lambda one: one.stands_out - SHADE_STANDS_OUT * (one is not lit))


def fit_each(picture: LitPicture, looks: Sequence[CrateLook], near: Sequence[Body],
             beside: Sequence[FittedBody] = (), wide: bool = False) -> list[tuple[FittedBody, ...]]:
    """For each of some looks of rims the best fits of crates near candidate poses (in the table frame), within 2.5 mm
    to each side, or 7 mm when `wide`, overlapping neither each other nor those `beside` them. The likeness tells
    whether a crate is there."""
    reach, stays = _sought(beside, wide)
    return _fits(picture, looks, near, reach, beside, stays)


def _sought(beside: Sequence[FittedBody], wide: bool) -> tuple[Reach, Expectation]:
    """How far around their expected poses crates are sought, and how surely they stand there."""
    return (WIDE, ANYWHERE) if wide else (NARROW, IN_LINE if beside else ANYWHERE)


def _refit(picture: LitPicture, look: CrateLook, near: Sequence[Body], reach: Reach | None = None,
           stays: Expectation = ANYWHERE) -> tuple[FittedBody, ...]:
    """Crates fitted from their expected poses, or from the best within reach of these."""
    return _fits(picture, [look], near, reach, (), stays)[0]


def _fits(picture: LitPicture, looks: Sequence[CrateLook], near: Sequence[Body], reach: Reach | None,
          beside: Iterable[FittedBody], stays: Expectation) -> list[tuple[FittedBody, ...]]:
    """The fits of the same crates for each of some looks of their rims; the picture is rectified once. `stays`: how
    surely they stand where they are expected."""
    seen = seen_at_rim_height(picture, [body.at_mm for body in near], FINE_PX_PER_MM if reach else QUICK_PX_PER_MM)
    away = [other.pose for other in beside]
    found = []
    for look in looks:
        rims = rim_likeness(seen, look)
        poses = [pose_of(body) for body in near]
        if reach:  # ridges are found there, too
            matched = match_crates(rims.halved().thin(), near, reach, away)
            poses = [_shifted(pose, look.bias_mm, -1) for pose in matched]
        found.append(tuple(_fit_one(picture, look, seen, rims, body, pose, stays) for body, pose in zip(near, poses)))
    return found


def _fit_one(picture: LitPicture, look: CrateLook, colours: RimMap, rims: RimMap, body: Body, pose: Pose,
             stays: Expectation) -> FittedBody:
    """A crate fitted from an initial pose, less the bias of its ridges against the middle of its walls. If it strayed,
    as where sides without a ridge have that of a neighbour near, it is also fitted close by, and compared with where it
    is expected: what stands out more."""
    start, expected = (_shifted(each, look.bias_mm, 1) for each in (pose, pose_of(body)))
    fits = [fit_ridges(rims, body, start)]
    if _strayed_mm(fits[0][0], start) > stays.strayed_mm:
        fits.append(fit_ridges(rims, body, start, CLOSE_REACH_MM))
        if stays == STAYED:
            fits.append((expected, fits[0][1]))
    if stays == IN_LINE and _strayed_mm(start, expected) > stays.strayed_mm:
        fits.append(fit_ridges(rims, body, expected, CLOSE_REACH_MM))
    farther = [stays.for_each_mm * min(_strayed_mm(fit, expected), FAR_MM) for fit, _ in fits]
    best = 0 if len(fits) == 1 else int(np.argmax([
        walls_stand_out(colours, look, body, fit) - less for (fit, _), less in zip(fits, farther)]))
    seen, residual_mm = fits[best]
    likeness = float(np.median(rims.at(outlines(body.size_mm, RIM_INSIDE_MM), seen)))
    at_mm = _shifted(seen, look.bias_mm, -1).at_mm
    return FittedBody(body.spot, at_mm, (seen.turn_deg + 180) % 360 - 180,
                      residual_mm * picture.view.px_per_mm(at_mm, RIM_MM), likeness,
                      stands_out(colours, look, body, seen) - farther[best])


def _strayed_mm(pose: Pose, start: Pose) -> float:
    """How far the ends of a crate are from where they would be at another pose, at most."""
    return math.dist(pose.at_mm, start.at_mm) + HALF_LENGTH_MM * math.radians(abs(pose.turn_deg - start.turn_deg))


def _shifted(pose: Pose, by_mm: Point, sign: int) -> Pose:
    return Pose((pose.at_mm[0] + sign * by_mm[0], pose.at_mm[1] + sign * by_mm[1]), pose.turn_deg)


def _moved(body: Body, pose: Pose) -> Body:
    return replace(body, at_mm=pose.at_mm, turn_deg=pose.turn_deg)
