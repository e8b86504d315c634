"""Textures: the colour of each ring of a drink, learned from enrolment pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Drink, shape_of
from vision.background import Lab
from vision.camera import Floats, View
from vision.forms import SECTORS, sectors_of
from vision.solids import OVERSAMPLING, Box, Painted, Solid, blank, paint, paint_polygon, place

Texture = npt.NDArray[np.float32]
"""(rings + 1, 3) Lab; row 0 is not used."""

Shading = npt.NDArray[np.float32]
"""(bands, SECTORS): how much brighter than its mean each band is from each side."""

PRIOR_LIGHT = 600.0
"""That light comes from everywhere counts as so much lightness seen."""

EDGE_PX, ENOUGH_PIXELS = 1, 4
"""Pixels this near to the outline are mixed with what lies around; the others tell a ring if there are enough."""

PRIOR_PIXELS = 15.0
"""What is known of a ring from other drinks counts as so many of its own pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Stand:
    """Where a drink stands or may stand: its foot's centre x, y, z (3,) in mm and its turn. In a crate `opening_mm`
    (corners, 2) is the slot's opening at the height `rim_mm`, through which alone what is lower can be seen."""

    foot_mm: Floats
    turn_deg: float
    opening_mm: Floats | None = None
    rim_mm: float = 0.0

    def opening_px(self, view: View) -> Floats | None:
        """The opening's corners (n, 2) in the picture."""
        return None if self.opening_mm is None else view.project_at(self.opening_mm, self.rim_mm)


def moved(stand: Stand, foot_mm: Floats) -> Stand:
    """A stand, with its slot's opening, moved so that the foot stands at x, y (2,)."""
    by = np.asarray(foot_mm, np.float64) - stand.foot_mm[:2]
    opening = None if stand.opening_mm is None else stand.opening_mm + by
    return replace(stand, foot_mm=np.array([*foot_mm, stand.foot_mm[2]]), opening_mm=opening)


@dataclass(frozen=True, slots=True, eq=False)
class Exemplar:
    """A drink that was laid out for enrolment, as seen in one picture."""

    drink: Drink
    stand: Stand
    view: View
    box: Box
    seen: Lab


def paint_drink(view: View, solid: Solid, stand: Stand, box: Box) -> Painted:
    """The drink as it is seen, without what the walls of its slot hide."""
    rings = place(view, solid, stand.foot_mm, stand.turn_deg)
    return paint_rings(solid, stand, box, rings, stand.opening_px(view))


def paint_rings(solid: Solid, stand: Stand, box: Box, rings_px: Floats, opening_px: Floats | None) -> Painted:
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


def ring_sums(painted: Painted, seen: Lab, rings: int) -> tuple[Floats, Floats]:
    """Sums (rings + 1, 3) of the colours of the pixels that show each ring, and how many they are (rings + 1,)."""
    middle = OVERSAMPLING // 2
    numbers = painted[middle::OVERSAMPLING, middle::OVERSAMPLING].ravel()
    count = np.bincount(numbers, minlength=rings + 1)
    sums = np.column_stack([np.bincount(numbers, weights=channel, minlength=rings + 1)
                            for channel in seen.reshape(-1, 3).T])
    return sums.astype(np.float64), count.astype(np.float64)


def _inner_sums(painted: Painted, seen: Lab, rings: int) -> tuple[Floats, Floats]:
    """The same from pixels away from the outline, where the table's colour shows in; from all for a ring without."""
    width = 2 * EDGE_PX * OVERSAMPLING + 1
    inner = cv2.erode((painted > 0).astype(np.uint8), np.ones((width, width), np.uint8))
    sums, counts = ring_sums(painted, seen, rings)
    inner_sums, inner_counts = ring_sums(np.asarray(painted * inner, np.uint8), seen, rings)
    enough = inner_counts >= ENOUGH_PIXELS
    return np.where(enough[:, None], inner_sums, sums), np.where(enough, inner_counts, counts)


def learn_textures(exemplars: Sequence[Exemplar], solids: Mapping[str, Solid],
                   known: Mapping[Drink, Texture] | None = None) -> dict[Drink, Texture]:
    """Textures of all drinks seen. With `known` (from the open table) these are crates': what the light in a crate does
    to a ring is taken from all drinks of one shape, so far as a drink's own pixels do not tell."""
    sums: dict[Drink, Floats] = {}
    counts: dict[Drink, Floats] = {}
    for each in exemplars:
        solid = solids[shape_of(each.drink)]
        painted = paint_drink(each.view, solid, each.stand, each.box)
        total, count = _inner_sums(painted, each.seen, len(solid))
        sums[each.drink] = sums.get(each.drink, 0) + total
        counts[each.drink] = counts.get(each.drink, 0) + count
    if known is None:
        return {drink: _fill(sums[drink], counts[drink]) for drink in sums}
    shade = _shade(sums, counts, known)
    textures = {drink: known[drink] * shade.get(shape_of(drink), np.ones((1, 1), np.float32)) for drink in known}
    for drink in sums:
        own = sums[drink] + PRIOR_PIXELS * textures[drink]
        textures[drink] = (own / (counts[drink] + PRIOR_PIXELS)[:, None]).astype(np.float32)
    return textures


def learn_shading(exemplars: Sequence[Exemplar], solids: Mapping[str, Solid], textures: Mapping[Drink, Texture]
                  ) -> dict[str, Shading]:
    """For each shape how brightly each band is lit from each side, over all drinks of that shape."""
    seen = {shape: np.full((len(solid.cap), SECTORS), PRIOR_LIGHT) for shape, solid in solids.items()}
    expected = {shape: np.full((len(solid.cap), SECTORS), PRIOR_LIGHT) for shape, solid in solids.items()}
    for each in exemplars:
        shape = shape_of(each.drink)
        solid = solids[shape]
        rings = place(each.view, solid, each.stand.foot_mm, each.stand.turn_deg)
        painted = paint_drink(each.view, solid, each.stand, each.box)
        middle = OVERSAMPLING // 2
        numbers = painted[middle::OVERSAMPLING, middle::OVERSAMPLING]
        shown = numbers > 0
        rings_shown = numbers[shown].astype(int)
        at = np.argwhere(shown)[:, ::-1].astype(np.float64)
        sectors = sectors_of(numbers[shown], at, rings - (each.box.left, each.box.top),
                             directions(each.view, each.stand.foot_mm))
        cell = solid.bands[rings_shown - 1], np.rint(sectors).astype(int) % SECTORS
        np.add.at(seen[shape], cell, each.seen[..., 0][shown])
        np.add.at(expected[shape], cell, textures[each.drink][rings_shown, 0])
    return {shape: np.clip(seen[shape] / expected[shape], 0.5, 1.6).astype(np.float32) for shape in solids}


def directions(view: View, at_mm: Floats) -> Floats:
    """The matrix (2, 2) that turns directions in the picture into directions on the table."""
    here, right, up = view.project(np.asarray(at_mm) + np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)]))
    return np.asarray(np.linalg.inv(np.column_stack([right - here, up - here])), np.float64)


def _fill(sums: Floats, count: Floats) -> Texture:
    """Mean colours by ring; a ring that is hardly seen takes those of its neighbours."""
    seen = np.flatnonzero(count[1:] >= 3) + 1
    rings = np.arange(len(count))
    means = sums[seen] / count[seen][:, None]
    return np.column_stack([np.interp(rings, seen, channel) for channel in means.T]).astype(np.float32)


def _shade(sums: Mapping[Drink, Floats], counts: Mapping[Drink, Floats], known: Mapping[Drink, Texture]
           ) -> dict[str, Texture]:
    """For each shape how much brighter (rings + 1, 1) each ring is in a crate than on the open table."""
    shades: dict[str, Texture] = {}
    for shape in {shape_of(drink) for drink in sums}:
        drinks = [drink for drink in sums if shape_of(drink) == shape]
        crate = np.sum([sums[drink][:, 0] for drink in drinks], axis=0)
        table = np.sum([counts[drink] * known[drink][:, 0] for drink in drinks], axis=0)
        seen = np.flatnonzero(table > 100)
        if len(seen):
            ratio = np.interp(np.arange(len(table)), seen, crate[seen] / table[seen])
            shades[shape] = np.clip(ratio, 0.2, 1.5).astype(np.float32)[:, None]
    return shades
