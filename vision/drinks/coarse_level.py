"""All drinks compared with a crop at half resolution: the likeliest colour, and the rough offset of each shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from companion.table import Drink, colour_of
from vision.drinks.canvas import Canvas, ShapePose
from vision.drinks.crop import COARSE_FACTOR, Crop
from vision.drinks.domain import PlacedSolid
from vision.drinks.models import Models
from vision.drinks.pattern_search import Costs, Offset, ShiftTrial
from vision.drinks.pixel_coverage import Coverage, cover_pixels
from vision.drinks.rendering import Renderings, render
from vision.drinks.residual import render_costs
from vision.imaging.arrays import Floats, Values

DRINKS_AT_ONCE = 12
"""No more drinks are rendered and compared at a time."""

Penalty = Callable[[Sequence[ShiftTrial]], Floats]
"""The prior cost (n,) of trials by their shapes and offsets."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A crop that is compared with shapes in some poses, painted on a canvas. `mixture`: as `Shadow.mixture`;
    `unlikely`: so much a shape is behind another before it is compared; with it, drinks that are clearly behind are not
    compared to the end."""

    crop: Crop
    models: Models
    poses: Sequence[ShapePose]
    canvas: Canvas
    penalty: Penalty
    mixture: Values | None = None
    unlikely: Mapping[str, float] = field(default_factory=dict)

    def behind(self, shape: str) -> float:
        """How much a shape is behind another before it is compared."""
        return self.unlikely.get(shape, 0.0)


class CoarseLevel:
    """The same at half resolution. It takes megabytes, and can go once the offsets are known."""

    def __init__(self, compared: Compared) -> None:
        self._compared, self._half = compared, compared.crop.halved()

    def costs_in(self, colour: str) -> Costs:
        """The cost function of poses for drinks of one colour; each offset is compared once."""
        one = {index: [f"{colour}/{pose.shape}"] for index, pose in enumerate(self._compared.poses)}
        groups = list(self._rendered(one, len(one)))
        row_of = {index: row for row, (index, _) in enumerate(each for shown, _ in groups for each in shown)}
        renderings = Renderings.of([rendered for _, rendered in groups])
        known: dict[ShiftTrial, float] = {}

        def costs(trials: Sequence[ShiftTrial]) -> Floats:
            new = [trial for trial in trials if trial not in known]
            if new:
                known.update(zip(new, self._costs(renderings, [row_of[index] for index, _ in new], new).tolist()))
            return np.array([known[trial] for trial in trials])

        return costs

    def costs_of(self, colours: Set[str], places: Mapping[int, Offset]) -> dict[Drink, float]:
        """The costs of all drinks of some colours in some of the poses, at their offsets."""
        of_shape = self._compared.models.of_shape
        some = {index: [drink for drink in of_shape[self._compared.poses[index].shape] if colour_of(drink) in colours]
                for index in places}
        costs: dict[Drink, float] = {}
        for shown, renderings in self._rendered(some, max(DRINKS_AT_ONCE // len(colours), 1)):
            each = self._costs(renderings, range(len(shown)), [(index, places[index]) for index, _ in shown])
            costs |= zip((drink for _, drink in shown), each.tolist())
            del renderings  # before the next are made
        return costs

    def _costs(self, renderings: Renderings, rows: Sequence[int], trials: Sequence[ShiftTrial]) -> Floats:
        """The costs of some rows of renderings, each with the pose and offset of its trial."""
        costs = render_costs(self._half, renderings, rows, [offset for _, offset in trials])
        pixels_each = len(self._compared.crop.domain.flat) / max(len(self._half.domain.flat), 1)
        return np.asarray(pixels_each * costs + self._compared.penalty(trials), np.float64)

    def _rendered(self, drinks: Mapping[int, Sequence[Drink]], at_once: int
                  ) -> Iterator[tuple[list[tuple[int, Drink]], Renderings]]:
        """Some drinks of each of some poses, rendered batch by batch of so many poses: which pose and drink each row
        shows, and the rows. Only what is compared: all drinks of all poses take megabytes."""
        for alike, coverage in self._coverages:
            numbers = [len(drinks.get(index, ())) for index in alike]
            for number in sorted({*numbers} - {0}):
                wanted = [at for at, each in enumerate(numbers) if each == number]
                for which in (wanted[first:first + at_once] for first in range(0, len(wanted), at_once)):
                    shown = [(alike[at], drink) for at in which for drink in drinks[alike[at]]]
                    textures = np.array([self._compared.models.textures[drink] for _, drink in shown])
                    by_pose = textures.reshape(len(which), number, *textures.shape[1:])
                    yield shown, render(coverage.some(which), by_pose, COARSE_FACTOR, self._compared.mixture)

    @cached_property
    def _coverages(self) -> list[tuple[list[int], Coverage]]:
        """The poses, grouped by the number of bands and drinks of their shapes: each group is rendered in one batch."""
        groups: dict[tuple[int, int], list[int]] = {}
        models = self._compared.models
        for index, pose in enumerate(self._compared.poses):
            key = len(models.solids[pose.shape].cap), len(models.of_shape[pose.shape])
            groups.setdefault(key, []).append(index)
        return [(indices, self._cover([self._compared.poses[index] for index in indices]))
                for indices in groups.values()]

    def _cover(self, poses: Sequence[ShapePose]) -> Coverage:
        models = self._compared.models
        placed = [PlacedSolid(models.solids[pose.shape], pose.small, models.shading.get(pose.shape),
                              self._compared.canvas.small_px(pose.rings_px)) for pose in poses]
        return cover_pixels(placed, self._half.domain, self._compared.canvas.to_table, COARSE_FACTOR)
