"""Exemplars: drinks laid out for enrolment, as seen in pictures, and samples of their bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.table import Drink
from vision.drinks.band_unmixing import BandSample
from vision.drinks.domain import Domain, PlacedSolid
from vision.drinks.drink_pose import HALO_PX, DrinkPose, image_to_table, paint_drink, paint_rings
from vision.drinks.pixel_coverage import cover_pixels
from vision.drinks.ring_raster import OVERSAMPLING, at_centres, project_rings
from vision.drinks.ring_solid import Solid
from vision.imaging.arrays import Mask
from vision.imaging.box import Box
from vision.imaging.camera import View
from vision.photometry.background_model import Lab


@dataclass(frozen=True, slots=True, eq=False)
class Exemplar:
    """A drink that was laid out for enrolment, as `seen` (h, w, 3) in a box of one picture, where it has this `number`;
    `behind` (h, w, 3): the background without it; `shown` (h, w): where no other drink occludes it."""

    drink: Drink
    number: int
    pose: DrinkPose
    view: View
    box: Box
    seen: Lab
    behind: Lab
    shown: Mask


def group_by_drink(exemplars: Sequence[Exemplar]) -> dict[Drink, list[Exemplar]]:
    """The exemplars of each drink."""
    found: dict[Drink, list[Exemplar]] = {}
    for each in exemplars:
        found.setdefault(each.drink, []).append(each)
    return found


def domain_around(exemplar: Exemplar, solid: Solid) -> Domain:
    """The pixels of an exemplar's box in which the drink may be seen, and those next to them."""
    painted = paint_drink(exemplar.view, solid, exemplar.pose, exemplar.box)
    width = 2 * HALO_PX * OVERSAMPLING + 1
    near = cv2.dilate((painted > 0).astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)))
    return Domain(np.asarray((at_centres(np.asarray(near, np.uint8)) > 0) & exemplar.shown, np.bool_))


def sample_bands(exemplar: Exemplar, solid: Solid, domain: Domain | None = None) -> BandSample:
    """The band sample of an exemplar as this solid, over a domain; `domain_around` it if none is given."""
    domain = domain_around(exemplar, solid) if domain is None else domain
    view, pose, box = exemplar.view, exemplar.pose, exemplar.box
    rings = project_rings(view, solid, pose.foot_mm, pose.turn_deg)
    painted = paint_rings(solid, pose, box, rings, pose.opening_px(view))
    rings = rings - (box.left, box.top)
    coverage = cover_pixels([PlacedSolid(solid, painted, None, rings)], domain, image_to_table(view, pose.foot_mm))
    seen, behind = (each.reshape(-1, 3) for each in (exemplar.seen, exemplar.behind))
    return BandSample(coverage.cover[:, 0], coverage.side[0], seen[domain.flat],
                      behind[domain.flat[coverage.beside[0]]])
