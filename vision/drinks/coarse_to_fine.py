"""All drinks compared with one crop: searched at half resolution for all shapes together, then at full resolution.

Coarse-to-fine search with pruning (beam search; B. Lowerre, "The Harpy speech recognition system", 1976): in ever finer
steps, as long as no other hypothesis is clearly better.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from companion.table import Drink, colour_of, shape_of
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

COLOUR_NATS = 40.0
"""A colour that is so much behind another where all are compared first is compared no further."""

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
        """The same at half resolution. Where the network was asked, drinks are compared no further whose colour was
        clearly behind at first, or whose shape was when it was searched; so much they stay behind."""
        coarse = CoarseLevel(self._compared)
        found = self._found(coarse, start, reach, most, likely)
        if found is None:
            return None
        poses, colours = found
        near, close = {*poses}, {*colours}
        if self._compared.unlikely:
            near = {*self._near_best(poses, self._prune[0])}
            close = {colour for colour in colours
                     if colours[colour] <= COLOUR_NATS * self._compared.models.cost_per_nat}
        costs = coarse.costs_of(close, {index: poses[index][1] for index in near})
        for index, (cost, _) in poses.items():
            for drink in self._compared.models.of_shape[self._compared.poses[index].shape]:
                costs.setdefault(drink, cost + colours[colour_of(drink)])
        return {index: offset for index, (_, offset) in poses.items()}, costs

    def _found(self, coarse: CoarseLevel, start: Sequence[Offset], reach: int, most: float, likely: str | None
               ) -> tuple[dict[int, tuple[float, Offset]], dict[str, float]] | None:
        """The best pose of each shape with its cost and offset, and by how much each colour was behind at first. What
        was rendered for it, megabytes, goes when it is known. Drinks of one colour are searched: the cheapest of the
        likely shape, and if they cost too much of any."""
        firsts = {shape: first for shape, (first, *_) in self._turns_of_shapes().items()}
        colour = None
        for some in ([firsts[likely or self._middle_shape()]], [*firsts.values()]):
            colours = self._colours(coarse, {first: start[first] for first in some})
            before, colour = colour, min(colours, key=colours.__getitem__)
            found = None if colour == before else self._descended(coarse.costs_in(colour), start, reach, most)
            if found is not None:
                return found, colours
        return None

    def _colours(self, coarse: CoarseLevel, places: Mapping[int, Offset]) -> dict[str, float]:
        """By how much each colour is behind the best, in any of some poses; one that is of none of these shapes by
        nothing."""
        every = dict.fromkeys(map(colour_of, self._compared.models.textures))  # in their order, not that of a set
        lowest = lowest_by_colour(coarse.costs_of(every.keys(), places))
        least = min(lowest.values())
        return {colour: lowest.get(colour, least) - least for colour in every}

    def _descended(self, costs: Costs, start: Sequence[Offset], reach: int, most: float
                   ) -> dict[int, tuple[float, Offset]] | None:
        """The best pose of each shape, with its cost and offset, by the costs of drinks of one colour; None if they
        cost more than `most`."""
        found: dict[int, tuple[float, Offset]] = {}
        likely = around = dict(enumerate(start))
        for step, neighbours, behind in zip(STEPS_UNITS, NEIGHBOURHOODS, self._prune):
            found |= descend(costs, likely, step, around, reach, neighbours)
            if likely is around and min(found.values())[0] > most:
                return None
            likely = {index: found[index][1] for index in self._likely(found, behind)}
        best = [min(some, key=found.__getitem__) for some in self._turns_of_shapes().values()]
        return {index: found[index] for index in best}

    def fine_costs(self, places: Mapping[int, Offset], rough: Mapping[Drink, float]) -> dict[Drink, float]:
        """The cost of each drink at full resolution; those that are clearly behind keep their `rough` distance from the
        best."""
        behind = {drink: cost + self._compared.behind(shape_of(drink)) for drink, cost in rough.items()}
        best = cheapest(behind)
        fine = self.costs_at(places, [drink for drink in rough if behind[drink] <= behind[best] + self._prune[-1]])
        return {drink: fine.get(drink, rough[drink] + fine[best] - rough[best]) for drink in rough}

    def costs_at(self, places: Mapping[int, Offset], drinks: Collection[Drink]) -> dict[Drink, float]:
        """The costs of some drinks at full resolution, each in the pose of its shape at its offset."""
        compared, costs = self._compared, dict[Drink, float]()
        alike: dict[tuple[int, int], list[tuple[int, list[Drink]]]] = {}  # shapes of so many bands, as so many drinks
        for index in places:
            shape = compared.poses[index].shape
            some = [drink for drink in compared.models.of_shape[shape] if drink in drinks]
            if some:
                alike.setdefault((len(compared.models.solids[shape].cap), len(some)), []).append((index, some))
        for shown in alike.values():
            trials = [(index, places[index]) for index, some in shown for _ in some]
            each = render_costs(compared.crop, self._render(shown), range(len(trials)), [at for _, at in trials])
            costs |= zip(chain.from_iterable(some for _, some in shown), (each + compared.penalty(trials)).tolist())
        return costs

    def _middle_shape(self) -> str:
        """The shape of middle height: at its pose the colour is told of what may have any shape."""
        compared = {pose.shape for pose in self._compared.poses}
        shapes = [shape for shape in self._compared.models.by_height if shape in compared]
        return shapes[len(shapes) // 2]

    def _turns_of_shapes(self) -> dict[str, list[int]]:
        """The numbers of each shape's poses."""
        turns: dict[str, list[int]] = {}
        for index, pose in enumerate(self._compared.poses):
            turns.setdefault(pose.shape, []).append(index)
        return turns

    def _likely(self, found: Mapping[int, tuple[float, Offset]], behind: float) -> list[int]:
        """Poses that are not clearly worse than the best, at most `MAX_TURNS` of each shape."""
        poses, likely = self._compared.poses, list[int]()
        for index in self._near_best(found, behind):
            if sum(poses[other].shape == poses[index].shape for other in likely) < MAX_TURNS:
                likely.append(index)
        return likely

    def _near_best(self, found: Mapping[int, tuple[float, Offset]], behind: float) -> list[int]:
        """Poses that are not clearly worse than the best, the best first."""
        costs = {index: cost + self._compared.behind(self._compared.poses[index].shape)
                 for index, (cost, _) in found.items()}
        least = min(costs.values())
        return [index for index in sorted(found, key=found.__getitem__) if costs[index] <= least + behind]

    def _render(self, shown: Sequence[tuple[int, Sequence[Drink]]]) -> Renderings:
        """Some drinks of the shapes of some poses, as many of each, rendered at full resolution."""
        compared, mask = self._compared, self._compared.crop.domain.mask.tobytes()
        cover = _coverage_in_slot if compared.canvas.opening_px is not None else _coverage
        coverage = Coverage.of([cover(compared.canvas, compared.poses[index], compared.models, mask)
                                for index, _ in shown])
        colours = np.array([[compared.models.textures[drink] for drink in drinks] for _, drinks in shown])
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


def lowest_by_colour(costs: Mapping[Drink, float]) -> dict[str, float]:
    """The lowest cost of the drinks of each colour."""
    lowest: dict[str, float] = {}
    for drink, cost in costs.items():
        lowest[colour_of(drink)] = min(cost, lowest.get(colour_of(drink), np.inf))
    return lowest
