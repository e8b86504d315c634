"""Textures: the colour of each band of a drink, and how light falls on it, learned from enrolment pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Drink, shape_of
from vision.drinks.band_unmixing import (
    SMOOTHNESS_PX, MIN_LIGHT, BandSample, smoothness_prior, directional_design, lighting_prior, side_gain,
    solve_with_prior, unmix,
)
from vision.drinks.pixel_coverage import (
    SECTORS, FULL_COVER, Domain, PlacedSolid, as_light, as_lightness, cover_pixels, sectors_of,
)
from vision.drinks.ring_solid import OVERSAMPLING, Painted, Solid, at_centres, blank, paint, paint_polygon, place
from vision.imaging.arrays import Floats, Mask
from vision.imaging.box import Box
from vision.imaging.camera import View
from vision.photometry.background_model import Lab

Texture = npt.NDArray[np.float32]
"""(bands, 3) Lab."""

Shading = npt.NDArray[np.float32]
"""(bands, SECTORS): how much brighter than its mean each band is from each side."""

CRATE_SHADE_LIMITS = (0.2, 1.5)
"""A band may be so much darker or brighter in a crate than on the table."""

HALO_PX = 4
"""Pixels this near to a drink are explained with it."""

PRIOR_PX = 15.0
"""What is known of a band from other drinks counts as so many of its own pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class DrinkPose:
    """Where a drink stands or may stand: its foot's centre x, y, z (3,) in mm and its turn. In a crate `opening_mm`
    (corners, 2) is the slot's opening at the height `rim_mm`, through which alone what is lower can be seen."""

    foot_mm: Floats
    turn_deg: float
    opening_mm: Floats | None = None
    rim_mm: float = 0.0

    def opening_px(self, view: View) -> Floats | None:
        """The opening's corners (n, 2) in the picture."""
        return None if self.opening_mm is None else view.project_at(self.opening_mm, self.rim_mm)


def moved_to(stand: DrinkPose, foot_mm: Floats) -> DrinkPose:
    """A stand, with its slot's opening, moved so that the foot stands at x, y (2,)."""
    by = np.asarray(foot_mm, np.float64) - stand.foot_mm[:2]
    opening = None if stand.opening_mm is None else stand.opening_mm + by
    return replace(stand, foot_mm=np.array([*foot_mm, stand.foot_mm[2]]), opening_mm=opening)


@dataclass(frozen=True, slots=True, eq=False)
class Exemplar:
    """A drink that was laid out for enrolment, as `seen` in a box of one picture, where it has this `number`; `behind`:
    the box without it; `shown` (h, w): where no other drink stands before it."""

    drink: Drink
    number: int
    stand: DrinkPose
    view: View
    box: Box
    seen: Lab
    behind: Lab
    shown: Mask


def paint_drink(view: View, solid: Solid, stand: DrinkPose, box: Box) -> Painted:
    """The drink as it is seen, without what the walls of its slot hide."""
    rings = place(view, solid, stand.foot_mm, stand.turn_deg)
    return paint_rings(solid, stand, box, rings, stand.opening_px(view))


def paint_rings(solid: Solid, stand: DrinkPose, box: Box, rings_px: Floats, opening_px: Floats | None) -> Painted:
    """The drink as it is seen with its rings (n, points, 2) at these pixels; below the rim through an opening."""
    painted = blank(box)
    if opening_px is None:
        paint(painted, box, rings_px)
        return painted
    above = int(np.searchsorted(solid.heights_mm + stand.foot_mm[2], stand.rim_mm))
    paint(painted, box, rings_px, last=above)
    window = blank(box)
    paint_polygon(window, box, opening_px, 1)
    painted *= window
    paint(painted, box, rings_px, first=above)
    return painted


def domain_around(exemplar: Exemplar, solid: Solid) -> Domain:
    """The pixels of an exemplar's box in which the drink may be seen, and those next to them."""
    painted = paint_drink(exemplar.view, solid, exemplar.stand, exemplar.box)
    width = 2 * HALO_PX * OVERSAMPLING + 1
    near = cv2.dilate((painted > 0).astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)))
    return Domain(np.asarray((at_centres(np.asarray(near, np.uint8)) > 0) & exemplar.shown, np.bool_))


def sample_bands(exemplar: Exemplar, solid: Solid, domain: Domain) -> BandSample:
    """An exemplar as a drink of this form, over some pixels."""
    view, stand, box = exemplar.view, exemplar.stand, exemplar.box
    rings = place(view, solid, stand.foot_mm, stand.turn_deg)
    painted = paint_rings(solid, stand, box, rings, stand.opening_px(view))
    rings = rings - (box.left, box.top)
    to_table = image_to_table(view, stand.foot_mm)
    form = cover_pixels([PlacedSolid(solid, painted, None, rings)], domain, to_table)
    rows, columns = domain.at
    numbers = at_centres(painted)[rows, columns].astype(np.intp)
    angle = sectors_of(numbers - 1, np.column_stack([columns, rows]), rings, to_table) * (2 * np.pi / SECTORS)
    side = np.stack([np.cos(angle), np.sin(angle)]) * (numbers > 0)
    seen, behind = (each.reshape(-1, 3) for each in (exemplar.seen, exemplar.behind))
    return BandSample(form.cover[:, 0], side.astype(np.float32), seen[domain.flat], behind[domain.flat[form.beside[0]]])


def learn_textures(exemplars: Sequence[Exemplar], solids: Mapping[str, Solid]
                   ) -> tuple[dict[Drink, Texture], dict[str, Shading]]:
    """How drinks look on the open table: textures of all that were seen, and the shading of each shape, from all its
    drinks."""
    found = {}
    for drink, some in group_by_drink(exemplars).items():
        solid = solids[shape_of(drink)]
        found[drink] = unmix([sample_bands(each, solid, domain_around(each, solid)) for each in some], solid.cap)
    shading = {}
    for shape, solid in solids.items():
        same = [found[drink] for drink in found if shape_of(drink) == shape]
        slopes = sum((each.slopes for each in same), np.zeros((2, len(solid.cap))))
        light = sum((each.colours[:, 0] for each in same), np.zeros(len(solid.cap)))
        shading[shape] = _shading(slopes / np.maximum(light, 1.0))
    return {drink: each.colours.astype(np.float32) for drink, each in found.items()}, shading


def learn_crate_textures(exemplars: Sequence[Exemplar], solids: Mapping[str, Solid], known: Mapping[Drink, Texture]
                         ) -> tuple[dict[Drink, Texture], dict[str, Shading]]:
    """How drinks look in crates, where less of them is seen. What the light in a crate does to a band is taken from all
    drinks of one shape; `known` from the open table, and so shaded, they look as far as their own pixels do not tell.
    """
    shown = {drink: [_whole(sample_bands(each, solids[shape_of(drink)], domain_around(each, solids[shape_of(drink)])))
                     for each in some] for drink, some in group_by_drink(exemplars).items()}
    textures, shading = {}, {}
    for shape, solid in solids.items():
        shade, shading[shape] = _crate_light({drink: some for drink, some in shown.items() if shape_of(drink) == shape},
                                             known, solid)
        for drink in known:
            if shape_of(drink) == shape:
                expected = np.asarray(known[drink] * shade[:, None], np.float64)
                textures[drink] = _own(shown.get(drink, []), expected, solid.cap).astype(np.float32)
    return textures, shading


def group_by_drink(exemplars: Sequence[Exemplar]) -> dict[Drink, list[Exemplar]]:
    """The exemplars of each drink."""
    found: dict[Drink, list[Exemplar]] = {}
    for each in exemplars:
        found.setdefault(each.drink, []).append(each)
    return found


def _whole(shown: BandSample) -> BandSample:
    """The pixels that show nothing but the drink: in a crate others stand and walls rise around it."""
    whole = (shown.cover.sum(axis=2) > FULL_COVER).all(axis=0)
    return BandSample(shown.cover[:, whole], shown.side[:, whole], shown.seen[whole], shown.behind[whole])


def _crate_light(shown: Mapping[Drink, Sequence[BandSample]], known: Mapping[Drink, Texture], solid: Solid
                 ) -> tuple[Floats, Shading]:
    """How much brighter (bands,) drinks of one shape are in a crate than on the open table, and their shading."""
    bands = len(solid.cap)
    light = {drink: as_light(known[drink][:, 0]) for drink in shown}
    alight = [(each, each.cover[0] * light[drink]) for drink, some in shown.items() for each in some]
    if not alight:
        return np.ones(bands), _shading(np.zeros((2, bands)))
    usual = float(np.mean([np.square(each).mean() for each in light.values()]))
    found = solve_with_prior([directional_design(cover, each.side) for each, cover in alight],
                             [each.rest(0) for each, _ in alight],
                  usual * lighting_prior(solid.cap))
    shade = np.clip(np.sqrt(np.maximum(found[:bands], 0)), *CRATE_SHADE_LIMITS)
    return shade, _shading(found[bands:].reshape(2, bands) / np.square(shade) / 2)


def _own(shown: Sequence[BandSample], expected: Floats, cap: Mask) -> Floats:
    """Colours (bands, 3) of a drink that is expected to look so, from what is seen of it: what is off in one band is
    mostly off in the next."""
    light, *colour = (solve_with_prior([each.cover[min(channel, 1)] for each in shown],
                                       [each.rest(channel) for each in shown],
                            PRIOR_PX * np.eye(len(cap)) + smoothness_prior(cap, pixels),
                            as_light(expected[:, 0]) if channel == 0 else expected[:, channel])
                      for channel, pixels in enumerate(SMOOTHNESS_PX))
    return np.column_stack([as_lightness(np.maximum(light, MIN_LIGHT)), *colour])


def _shading(slopes: Floats) -> Shading:
    """From how much brighter (2, bands), as shares, bands are along x and y of the table."""
    angle = np.arange(SECTORS) * 2 * np.pi / SECTORS
    return side_gain(np.stack([np.cos(angle), np.sin(angle)]).astype(np.float32), slopes).T


def image_to_table(view: View, at_mm: Floats) -> Floats:
    """The matrix (2, 2) that turns directions in the picture into directions on the table."""
    here, right, up = view.project(np.asarray(at_mm) + np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)]))
    return np.asarray(np.linalg.inv(np.column_stack([right - here, up - here])), np.float64)
