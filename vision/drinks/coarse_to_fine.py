"""All drinks held against one crop: searched half as large for all shapes together, then compared pixel by pixel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count

import numpy as np

from companion.table import Drink, colour_of, shape_of
from vision.drinks.band_texture import Shading, DrinkPose, Texture, paint_rings
from vision.drinks.pixel_coverage import Domain, Renderings, Coverage, PlacedSolid, render, cover_pixels
from vision.drinks.residual import (
    COARSE_FACTOR, STEPS_UNITS, NEIGHBOURHOODS, Costs, Crop, Offset, ShiftTrial, render_costs, descend,
)
from vision.drinks.ring_solid import Painted, Solid, at_centres
from vision.imaging.arrays import Floats
from vision.imaging.box import Box

PRUNE_NATS = (20.0, 15.0, 12.0)
"""What costs so much more than the best, once it was searched in steps of `STEPS`, is not looked at more finely: in
the pictures of four sets it never came nearer than 12, 8 and 8 nats in the end, and so far behind only the unforeseen
says how sure a sight is."""

MAX_TURNS = 2
"""Of the ways in which a shape may be turned so many are looked at finely."""


@dataclass(frozen=True, eq=False)
class Models:
    """What drinks look like: `solids` by shape, `textures` of all drinks (on the open table or in a crate), `shading`
    of each shape, and the cost that is one nat."""

    solids: Mapping[str, Solid]
    textures: Mapping[Drink, Texture]
    shading: Mapping[str, Shading]
    cost_per_nat: float

    @cached_property
    def of_shape(self) -> dict[str, list[Drink]]:
        """All drinks of each shape."""
        return {shape: [drink for drink in self.textures if shape_of(drink) == shape] for shape in self.solids}

    @cached_property
    def heights_mm(self) -> dict[str, float]:
        """How high each shape is."""
        return {shape: float(solid.heights_mm[-1]) for shape, solid in self.solids.items()}


@dataclass(frozen=True, slots=True, eq=False)
class ShapePose:
    """A shape in one of the ways it may be turned, with its rings in px of the picture; `small`: painted half as large.
    """

    shape: str
    turn_deg: float
    rings_px: Floats
    small: Painted


class Canvas:
    """What the drinks that may stand at a stand are painted on: a box of the picture, or one half as large. `to_table`
    is as in `sectors_of`."""

    def __init__(self, stand: DrinkPose, opening_px: Floats | None, box: Box, to_table: Floats) -> None:
        self._stand, self.opening_px, self._box, self.to_table = stand, opening_px, box, to_table
        self._small_box = Box(0, 0, box.width // COARSE_FACTOR, box.height // COARSE_FACTOR)

    def paint(self, solid: Solid, rings_px: Floats) -> Painted:
        """A solid with these rings in px of the picture."""
        return paint_rings(solid, self._stand, self._box, rings_px, self.opening_px)

    def paint_small(self, solid: Solid, rings_px: Floats) -> Painted:
        """The same half as large."""
        opening = None if self.opening_px is None else self.small_px(self.opening_px)
        return paint_rings(solid, self._stand, self._small_box, self.small_px(rings_px), opening)

    def box_px(self, points_px: Floats) -> Floats:
        """Points in px of the picture as px of the box."""
        return points_px - (self._box.left, self._box.top)

    def small_px(self, points_px: Floats) -> Floats:
        """Points in px of the picture as px of the box half as large, whose pixels' centres have whole coordinates."""
        return (self.box_px(points_px) - (COARSE_FACTOR - 1) / 2) / COARSE_FACTOR


class CoarseToFineSearch:
    """Of all drinks with one crop: searched half as large, ever finer where others are not clearly better, then
    compared pixel by pixel."""

    def __init__(self, crop: Crop, models: Models, options: Sequence[ShapePose], paper: Canvas,
                 penalty: Callable[[Sequence[ShiftTrial]], Floats]) -> None:
        self._crop, self._models, self._options, self._penalty = crop, models, options, penalty
        self._paper = paper
        self._behind = [nats * models.cost_per_nat for nats in PRUNE_NATS]

    def find(self, start: Sequence[Offset], reach: int) -> tuple[dict[int, Offset], dict[Drink, float]]:
        """The options that explain each shape best, with their offsets, and what each drink costs there."""
        turns: dict[str, list[int]] = {}
        for index, option in enumerate(self._options):
            turns.setdefault(option.shape, []).append(index)
        firsts = {first: start[first] for first, *_ in turns.values()}
        costs = self._costs_in(colour_of(cheapest(self._costs_of_all(firsts))))
        found: dict[int, tuple[float, Offset]] = {}
        likely = around = dict(enumerate(start))
        for step, ways, behind in zip(STEPS_UNITS, NEIGHBOURHOODS, self._behind):
            found |= descend(costs, likely, step, around, reach, ways)
            likely = {index: found[index][1] for index in self._likely(found, behind)}
        best = [min(some, key=found.__getitem__) for some in turns.values()]
        at = {index: found[index][1] for index in best}
        return at, self.fine_costs(at, self._costs_of_all(at))

    @cached_property
    def _drawings(self) -> Renderings:
        """All drinks of each option's shape, half as large, in order of `_alike`."""
        return Renderings.of([self._small(indices) for indices in self._alike])

    @cached_property
    def _alike(self) -> list[list[int]]:
        """The options, those together whose shapes have equally many bands and drinks: they are painted at once."""
        groups: dict[tuple[int, int], list[int]] = {}
        for index, option in enumerate(self._options):
            key = len(self._models.solids[option.shape].cap), len(self._models.of_shape[option.shape])
            groups.setdefault(key, []).append(index)
        return list(groups.values())

    @cached_property
    def _rows(self) -> dict[int, dict[Drink, int]]:
        """Which of the drawings each option's drinks are."""
        row = count()
        return {index: {drink: next(row) for drink in self._models.of_shape[self._options[index].shape]}
                for indices in self._alike for index in indices}

    def _likely(self, found: Mapping[int, tuple[float, Offset]], behind: float) -> list[int]:
        """Options that are not clearly worse than the best, at most two of each shape."""
        least = min(found.values())[0]
        likely: list[int] = []
        for index in sorted(found, key=found.__getitem__):
            like = sum(self._options[other].shape == self._options[index].shape for other in likely)
            if found[index][0] <= least + behind and like < MAX_TURNS:
                likely.append(index)
        return likely

    def _small(self, indices: Sequence[int]) -> Renderings:
        """All drinks of the shapes of some options, half as large."""
        models, options = self._models, [self._options[index] for index in indices]
        form = cover_pixels([PlacedSolid(models.solids[option.shape], option.small, models.shading.get(option.shape),
                                self._paper.small_px(option.rings_px)) for option in options],
                         self._crop.halved.domain, self._paper.to_table, COARSE_FACTOR)
        return render(form, np.array([[models.textures[drink] for drink in models.of_shape[option.shape]]
                                             for option in options]), COARSE_FACTOR)

    def _whole(self, index: int, drinks: Sequence[Drink]) -> Renderings:
        """Some drinks of an option's shape, as large as they are seen."""
        make = _form_in_slot if self._paper.opening_px is not None else _form
        form = make(self._paper, self._options[index], self._models, self._crop.domain.mask.tobytes())
        return render(form, np.array([[self._models.textures[drink] for drink in drinks]]))

    def _rough_costs(self, rows: Sequence[int], trials: Sequence[ShiftTrial]) -> Floats:
        """What drinks cost by the crop half as large: which rows of `_drawings` they are, and as which option each is
        tried where."""
        whole, half = self._crop, self._crop.halved
        costs = render_costs(half, self._drawings, rows, [offset for _, offset in trials])
        pixels_each = len(whole.domain.flat) / max(len(half.domain.flat), 1)
        return np.asarray(pixels_each * costs + self._penalty(trials), np.float64)

    def _costs_in(self, colour: str) -> Costs:
        """What options of one colour cost, roughly; each place is compared once."""
        rows = [self._rows[index][f"{colour}/{option.shape}"] for index, option in enumerate(self._options)]
        known: dict[ShiftTrial, float] = {}

        def costs(trials: Sequence[ShiftTrial]) -> Floats:
            new = [trial for trial in trials if trial not in known]
            if new:
                known.update(zip(new, self._rough_costs([rows[index] for index, _ in new], new).tolist()))
            return np.array([known[trial] for trial in trials])

        return costs

    def _costs_of_all(self, places: Mapping[int, Offset]) -> dict[Drink, float]:
        """What all drinks of some options cost at their places, roughly."""
        rows = {drink: row for index in places for drink, row in self._rows[index].items()}
        trials = [(index, offset) for index, offset in places.items() for _ in self._rows[index]]
        return dict(zip(rows, self._rough_costs(list(rows.values()), trials).tolist()))

    def fine_costs(self, places: Mapping[int, Offset], rough: Mapping[Drink, float]) -> dict[Drink, float]:
        """What each drink costs pixel by pixel; those that are clearly behind stay as far behind as they roughly are.
        """
        best = cheapest(rough)
        drinks: list[Drink] = []
        drawings: list[Renderings] = []
        trials: list[ShiftTrial] = []
        for index, offset in places.items():
            close = [drink for drink in self._models.of_shape[self._options[index].shape]
                     if rough[drink] <= rough[best] + self._behind[-1]]
            if close:
                drinks += close
                drawings.append(self._whole(index, close))
                trials += [(index, offset)] * len(close)
        costs = render_costs(self._crop, Renderings.of(drawings), range(len(drinks)), [offset for _, offset in trials])
        costs += self._penalty(trials)
        fine = dict(zip(drinks, costs.tolist()))
        return {drink: fine.get(drink, rough[drink] + fine[best] - rough[best]) for drink in rough}


def _form(paper: Canvas, option: ShapePose, models: Models, mask: bytes) -> Coverage:
    """The form of an option over those pixels of its paper's box that are compared."""
    solid, painted = models.solids[option.shape], paper.paint(models.solids[option.shape], option.rings_px)
    domain = Domain(np.frombuffer(mask, np.bool_).reshape(at_centres(painted).shape))
    shape = PlacedSolid(solid, painted, models.shading.get(option.shape), paper.box_px(option.rings_px))
    return cover_pixels([shape], domain, paper.to_table)


_form_in_slot = lru_cache(maxsize=64)(_form)  # slots are read again when their neighbours were


def forget_slot_coverages() -> None:
    """A look is over: what is kept of slots for the rest of it takes much room."""
    _form_in_slot.cache_clear()


def cheapest(costs: Mapping[Drink, float]) -> Drink:
    """The drink that costs least."""
    return min(costs, key=lambda drink: costs[drink])
