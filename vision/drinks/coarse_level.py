"""All drinks compared with a crop at half resolution: the likeliest colour, and the rough offset of each shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

import numpy as np

from companion.table import Drink
from vision.drinks.canvas import Canvas, ShapePose
from vision.drinks.crop import COARSE_FACTOR, Crop
from vision.drinks.domain import PlacedSolid
from vision.drinks.models import Models
from vision.drinks.pattern_search import Costs, Offset, ShiftTrial
from vision.drinks.pixel_coverage import cover_pixels
from vision.drinks.rendering import Renderings, render
from vision.drinks.residual import render_costs
from vision.imaging.arrays import Floats, Values

Penalty = Callable[[Sequence[ShiftTrial]], Floats]
"""The prior cost (n,) of trials by their shapes and offsets."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A crop that is compared with shapes in some poses, painted on a canvas. `mixture`: as `Shadow.mixture`."""

    crop: Crop
    models: Models
    poses: Sequence[ShapePose]
    canvas: Canvas
    penalty: Penalty
    mixture: Values | None = None


class CoarseLevel:
    """The same at half resolution. It takes megabytes, and can go once the offsets are known."""

    def __init__(self, compared: Compared) -> None:
        self._compared, self._half = compared, compared.crop.halved()

    def costs_in(self, colour: str) -> Costs:
        """The cost function of poses for drinks of one colour; each offset is compared once."""
        rows = [self._rows[index][f"{colour}/{pose.shape}"] for index, pose in enumerate(self._compared.poses)]
        known: dict[ShiftTrial, float] = {}

        def costs(trials: Sequence[ShiftTrial]) -> Floats:
            new = [trial for trial in trials if trial not in known]
            if new:
                known.update(zip(new, self._costs([rows[index] for index, _ in new], new).tolist()))
            return np.array([known[trial] for trial in trials])

        return costs

    def costs_of_all(self, places: Mapping[int, Offset]) -> dict[Drink, float]:
        """The costs of all drinks in some of the poses, at their offsets."""
        rows = {drink: row for index in places for drink, row in self._rows[index].items()}
        trials = [(index, offset) for index, offset in places.items() for _ in self._rows[index]]
        return dict(zip(rows, self._costs(list(rows.values()), trials).tolist()))

    def _costs(self, rows: Sequence[int], trials: Sequence[ShiftTrial]) -> Floats:
        """The costs of some rows of the renderings, each with the pose and offset of its trial."""
        costs = render_costs(self._half, self._renderings, rows, [offset for _, offset in trials])
        pixels_each = len(self._compared.crop.domain.flat) / max(len(self._half.domain.flat), 1)
        return np.asarray(pixels_each * costs + self._compared.penalty(trials), np.float64)

    @cached_property
    def _renderings(self) -> Renderings:
        """All drinks of each pose's shape, in order of `_alike`."""
        return Renderings.of([self._render(indices) for indices in self._alike])

    @cached_property
    def _alike(self) -> list[list[int]]:
        """The poses, grouped by the number of bands and drinks of their shapes: each group is rendered in one batch."""
        groups: dict[tuple[int, int], list[int]] = {}
        models = self._compared.models
        for index, pose in enumerate(self._compared.poses):
            key = len(models.solids[pose.shape].cap), len(models.of_shape[pose.shape])
            groups.setdefault(key, []).append(index)
        return list(groups.values())

    @cached_property
    def _rows(self) -> dict[int, dict[Drink, int]]:
        """The row of each pose's drinks in the renderings."""
        row, models, poses = count(), self._compared.models, self._compared.poses
        return {index: {drink: next(row) for drink in models.of_shape[poses[index].shape]}
                for indices in self._alike for index in indices}

    def _render(self, indices: Sequence[int]) -> Renderings:
        """All drinks of the shapes of some poses."""
        models, poses = self._compared.models, [self._compared.poses[index] for index in indices]
        placed = [PlacedSolid(models.solids[pose.shape], pose.small, models.shading.get(pose.shape),
                              self._compared.canvas.small_px(pose.rings_px)) for pose in poses]
        coverage = cover_pixels(placed, self._half.domain, self._compared.canvas.to_table, COARSE_FACTOR)
        textures = np.array([[models.textures[drink] for drink in models.of_shape[pose.shape]] for pose in poses])
        return render(coverage, textures, COARSE_FACTOR, self._compared.mixture)
