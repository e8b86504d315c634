"""Textures: the colour of each ring of a drink, learned from enrolment pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.table import Drink, shape_of
from vision.background import Lab
from vision.camera import Floats, View
from vision.solids import OVERSAMPLING, Box, Painted, Solid, blank, paint, paint_polygon, place

Texture = npt.NDArray[np.float32]
"""(rings + 1, 3) Lab; row 0 is not used."""

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
    painted = blank(box)
    opening = stand.opening_px(view)
    if opening is None:
        paint(painted, box, rings)
        return painted
    above = int(np.searchsorted(solid.heights_mm + stand.foot_mm[2], stand.rim_mm))
    paint(painted, box, rings, last=above)
    window = blank(box)
    paint_polygon(window, box, opening, 1)
    painted *= window
    paint(painted, box, rings, first=above)
    return painted


def ring_sums(painted: Painted, seen: Lab, rings: int) -> tuple[Floats, Floats]:
    """Sums (rings + 1, 3) of the colours of the pixels that show each ring, and how many they are (rings + 1,)."""
    middle = OVERSAMPLING // 2
    numbers = painted[middle::OVERSAMPLING, middle::OVERSAMPLING].ravel()
    count = np.bincount(numbers, minlength=rings + 1).astype(np.float64)
    sums = np.column_stack([np.bincount(numbers, weights=channel, minlength=rings + 1)
                            for channel in seen.reshape(-1, 3).T])
    return sums, count


def learn_textures(exemplars: Sequence[Exemplar], solids: Mapping[str, Solid],
                   known: Mapping[Drink, Texture] | None = None) -> dict[Drink, Texture]:
    """Textures of all drinks seen. With `known` (from the open table) these are crates': what the light in a crate does
    to a ring is taken from all drinks of one shape, so far as a drink's own pixels do not tell."""
    sums: dict[Drink, Floats] = {}
    counts: dict[Drink, Floats] = {}
    for each in exemplars:
        solid = solids[shape_of(each.drink)]
        painted = paint_drink(each.view, solid, each.stand, each.box)
        total, count = ring_sums(painted, each.seen, len(solid))
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
        crate = sum(sums[drink][:, 0] for drink in drinks)
        table = sum(counts[drink] * known[drink][:, 0] for drink in drinks)
        seen = np.flatnonzero(table > 100)
        if len(seen):
            ratio = np.interp(np.arange(len(table)), seen, np.asarray(crate)[seen] / np.asarray(table)[seen])
            shades[shape] = np.clip(ratio, 0.2, 1.5).astype(np.float32)[:, None]
    return shades
