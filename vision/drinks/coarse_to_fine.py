"""All drinks compared with one crop: searched at half resolution for all shapes together, then at full resolution.

Coarse-to-fine search with pruning (beam search; B. Lowerre, "The Harpy speech recognition system", 1976): in ever finer
steps, as long as no other hypothesis is clearly better.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

import numpy as np

from companion.table import Drink, colour_of
from vision.drinks.canvas import Canvas, ShapePose
from vision.drinks.coarse_level import CoarseLevel, Compared
from vision.drinks.domain import Domain, PlacedSolid
from vision.drinks.models import Models
from vision.drinks.pattern_search import NEIGHBOURHOODS, STEPS_UNITS, Costs, Offset, descend
from vision.drinks.pixel_coverage import Coverage, cover_pixels
from vision.drinks.rendering import Renderings, render
from vision.drinks.residual import render_costs
from vision.drinks.ring_raster import at_centres

PRUNE_NATS = (20.0, 15.0, 12.0)
"""A hypothesis is pruned when it is this much behind the best after each of `STEPS_UNITS`: in the pictures of four sets
none such ended nearer than 12, 8 and 8 nats, and that far behind the outlier model bounds the log-likelihood anyway. Of
drinks learned in another light the true one may be more than nine behind before it is compared at full resolution."""

MAX_TURNS = 2
"""Turns of each shape that survive pruning."""

FoundPoses = tuple[dict[int, Offset], dict[Drink, float]]
"""The offset of the best pose of each shape, and the costs of all drinks there."""


class CoarseToFineSearch:
    """Searches the pose of the lowest cost for each shape, and the cost of each drink there."""

    def __init__(self, compared: Compared) -> None:
        self._compared = compared
        self._prune = [nats * compared.models.cost_per_nat for nats in PRUNE_NATS]

    def find(self, start: Sequence[Offset], reach: int, most: float = np.inf, likely: str | None = None
             ) -> FoundPoses | None:
        """The best pose of each shape, with its offset, and the costs of all drinks there. `start` has the first offset
        of each pose, `likely` is the shape that it most likely has. None if after the first step no drink costs less
        than `most`."""
        rough = self._rough(start, reach, most, likely)
        return None if rough is None else (rough[0], self.fine_costs(*rough))

    def _rough(self, start: Sequence[Offset], reach: int, most: float, likely: str | None) -> FoundPoses | None:
        """The same at half resolution."""
        coarse = CoarseLevel(self._compared)
        places = self._places(coarse, start, reach, most, likely)
        return None if places is None else (places, coarse.costs_of_all(places))

    def _places(self, coarse: CoarseLevel, start: Sequence[Offset], reach: int, most: float, likely: str | None
                ) -> dict[int, Offset] | None:
        """The best pose of each shape, with its offset. What was rendered for it, megabytes, goes when it is known.
        Drinks of one colour are searched: the cheapest of the likely shape, and if they cost too much of any."""
        firsts = {shape: first for shape, (first, *_) in self._turns_of_shapes().items()}
        colour = None
        for some in ([firsts[likely or self._middle_shape()]], [*firsts.values()]):
            before, colour = colour, colour_of(cheapest(coarse.costs_of_all({first: start[first] for first in some})))
            places = None if colour == before else self._descended(coarse.costs_in(colour), start, reach, most)
            if places is not None:
                return places
        return None

    def _descended(self, costs: Costs, start: Sequence[Offset], reach: int, most: float) -> dict[int, Offset] | None:
        """The best pose of each shape by the costs of drinks of one colour; None if they cost more than `most`."""
        found: dict[int, tuple[float, Offset]] = {}
        likely = around = dict(enumerate(start))
        for step, neighbours, behind in zip(STEPS_UNITS, NEIGHBOURHOODS, self._prune):
            found |= descend(costs, likely, step, around, reach, neighbours)
            if likely is around and min(found.values())[0] > most:
                return None
            likely = {index: found[index][1] for index in self._likely(found, behind)}
        best = [min(some, key=found.__getitem__) for some in self._turns_of_shapes().values()]
        return {index: found[index][1] for index in best}

    def fine_costs(self, places: Mapping[int, Offset], rough: Mapping[Drink, float]) -> dict[Drink, float]:
        """The cost of each drink at full resolution; those that are clearly behind keep their `rough` distance from the
        best."""
        best = cheapest(rough)
        fine = self.costs_at(places, [drink for drink in rough if rough[drink] <= rough[best] + self._prune[-1]])
        return {drink: fine.get(drink, rough[drink] + fine[best] - rough[best]) for drink in rough}

    def costs_at(self, places: Mapping[int, Offset], drinks: Collection[Drink]) -> dict[Drink, float]:
        """The costs of some drinks at full resolution, each in the pose of its shape at its offset."""
        costs: dict[Drink, float] = {}
        for index, offset in places.items():  # one after the other: all at once take megabytes
            some = [drink for drink in self._compared.models.of_shape[self._compared.poses[index].shape]
                    if drink in drinks]
            if some:
                each = render_costs(self._compared.crop, self._render(index, some), range(len(some)),
                                    [offset] * len(some))
                costs |= zip(some, (each + self._compared.penalty([(index, offset)] * len(some))).tolist())
        return costs

    def _middle_shape(self) -> str:
        """The shape of middle height: at its pose the colour is told of what may have any shape."""
        heights_mm = self._compared.models.heights_mm
        return sorted(heights_mm, key=heights_mm.__getitem__)[len(heights_mm) // 2]

    def _turns_of_shapes(self) -> dict[str, list[int]]:
        """The numbers of each shape's poses."""
        turns: dict[str, list[int]] = {}
        for index, pose in enumerate(self._compared.poses):
            turns.setdefault(pose.shape, []).append(index)
        return turns

    def _likely(self, found: Mapping[int, tuple[float, Offset]], behind: float) -> list[int]:
        """Poses that are not clearly worse than the best, at most `MAX_TURNS` of each shape."""
        poses, least = self._compared.poses, min(found.values())[0]
        likely: list[int] = []
        for index in sorted(found, key=found.__getitem__):
            alike = sum(poses[other].shape == poses[index].shape for other in likely)
            if found[index][0] <= least + behind and alike < MAX_TURNS:
                likely.append(index)
        return likely

    def _render(self, index: int, drinks: Sequence[Drink]) -> Renderings:
        """Some drinks of a pose's shape, rendered at full resolution."""
        compared = self._compared
        cover = _coverage_in_slot if compared.canvas.opening_px is not None else _coverage
        coverage = cover(compared.canvas, compared.poses[index], compared.models, compared.crop.domain.mask.tobytes())
        colours = np.array([[compared.models.textures[drink] for drink in drinks]])
        return render(coverage, colours, mixture=compared.mixture)


def _coverage(canvas: Canvas, pose: ShapePose, models: Models, mask: bytes) -> Coverage:
    """The coverage of a shape over those pixels of its canvas's box that are compared."""
    solid, painted = models.solids[pose.shape], canvas.paint(models.solids[pose.shape], pose.rings_px)
    domain = Domain(np.frombuffer(mask, np.bool_).reshape(at_centres(painted).shape))
    placed = PlacedSolid(solid, painted, models.shading.get(pose.shape), canvas.box_px(pose.rings_px))
    return cover_pixels([placed], domain, canvas.to_table)


_coverage_in_slot = lru_cache(maxsize=16)(_coverage)  # of the slots that were read last, each near half a megabyte


def forget_slot_coverages() -> None:
    """Drop the coverages that are cached for the rest of a look; they take much memory."""
    _coverage_in_slot.cache_clear()


def cheapest(costs: Mapping[Drink, float]) -> Drink:
    """The drink that costs least."""
    return min(costs, key=lambda drink: costs[drink])
