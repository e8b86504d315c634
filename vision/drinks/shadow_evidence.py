"""What cast shadows say of the shapes of drinks on the open table: a higher one casts a longer shadow, also where it
stands straight below the camera and its lid hides its foot.

Renderings of drinks allow for any shadow beside them. Here only pixels count in which the bare table is seen whatever
shape stands there, so both are evidence of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product

import cv2
import numpy as np

from companion.table import Drink, shape_of
from vision.drinks.coarse_to_fine import cheapest
from vision.drinks.drink_reading import DrinkReading
from vision.drinks.models import Models
from vision.drinks.one_of_each import by_shape, named_together, rendered_nats
from vision.drinks.ring_raster import outline_of
from vision.drinks.shadow_trust import NO_TRUST, ShadowTrust
from vision.drinks.sky_light import all_occluded, fit_sky, occluded
from vision.imaging.arrays import Floats, Indices, Mask, Values
from vision.imaging.box import Box, box_within
from vision.imaging.polygons import mask_within
from vision.photometry.background_model import Lab, nearest_table
from vision.photometry.difference import LOOKS_ALIKE, misfit
from vision.photometry.shadow_tint import Shadow
from vision.photometry.white_reference import GAMMA
from vision.scene.scene import Scene
from vision.scene.surfaces import TABLE

MIN_DRINKS = 4
"""The light is not told from the shadows of fewer: it would fit whatever shapes they were taken for."""

SHADED_MM = 35.0
"""The shadow of a drink is looked at no farther from its foot."""

CLEAR_PX = 3
"""So far beyond a silhouette a pixel may still show some of the drink."""

BLUR_PX, MAX_POINTS = 1.0, 2200
"""The blur of the picture (standard deviation) before it is sampled, and about how many points are sampled."""

MIN_POINTS = 40
"""A drink beside which fewer are seen has no shadow to tell."""

CLOSE_NATS, MAX_SHAPES = 16.0, 4
"""Shapes that the rendering excludes by more than this are not compared, nor more than so many."""

MAX_SWEEPS = 4

STRIP_PX = 32
"""Points of the table are sought in strips of so many rows."""

MIN_LIGHT, MAX_LIGHT, MIN_BARE = 0.03, 1.3, 2.0
"""Limits of the light that is left of that of the bare table, and the least lightness of a table that shows it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Points:
    """Points of the table that are surely seen: their `light` (n,) as a share of that of the bare table, where they are
    (n, 2) in mm, and the area of the table that each stands for."""

    light: Values
    at_mm: Floats
    area_mm2: float


def read_shadows(scene: Scene, standing: Sequence[DrinkReading], new: Sequence[DrinkReading], models: Models
                 ) -> list[DrinkReading]:
    """The new readings of drinks in a zone, with what their shadows say; those that are `standing` stay as they are."""
    if models.shadows == NO_TRUST or not new or len(standing) + len(new) < MIN_DRINKS:
        return list(new)
    costs = CastShadows(scene, [*standing, *new], models, len(standing)).costs(models.shadows)[len(standing):]
    return [_told_by_shadow(reading, some, models) for reading, some in zip(new, costs)]


class CastShadows:
    """The shadows of the drinks of one zone, by what each may be; the first so many readings are `settled`."""

    def __init__(self, scene: Scene, readings: Sequence[DrinkReading], models: Models, settled: int = 0) -> None:
        self._solids, self._drinks = models.solids, list(models.textures)
        self._rendered = rendered_nats(readings, self._drinks, models, settled)
        self._feet = [_feet(each, dict(zip(self._drinks, nats))) for each, nats in zip(readings, self._rendered)]
        self._points = _points_beside(scene, readings, self._feet, models)

    def costs(self, trust: ShadowTrust) -> list[dict[str, float]]:
        """For each reading the cost of the shadows by its shape; the same for all where nothing is told. The light and
        the shapes are solved for in turn, each drink beside what the others are taken for."""
        costs: list[dict[str, float]] = [dict.fromkeys(feet, 0.0) for feet in self._feet]
        if len(self._points.light) < MIN_POINTS:
            return costs
        nats = self._rendered.copy()
        taken = self._taken(nats)
        lit = self._lit(taken)
        shades = [{shape: occluded(self._points.at_mm, foot, self._solids[shape], lit) for shape, foot in feet.items()}
                  for feet in self._feet]
        nearby = [self._near(next(iter(feet.values()))) for feet in self._feet]
        for _ in range(MAX_SWEEPS):
            light, sd = fit_sky(self._points.light, _joined(each[shape] for each, shape in zip(shades, taken)))
            for number, (mine, near) in enumerate(zip(shades, nearby)):
                if len(mine) < 2 or len(near) < MIN_POINTS:
                    continue
                others = _joined(each[shape][near] for other, (each, shape) in enumerate(zip(shades, taken))
                                 if other != number)
                costs[number] = {shape: self._cost(near, np.maximum(others, shade[near]), light, sd)
                                 for shape, shade in mine.items()}
                nats[number] = self._rendered[number] + by_shape(trust.nats(costs[number]), self._drinks)
            before, taken = taken, self._taken(nats)
            if taken == before:
                break
        return costs

    def _taken(self, nats: Floats) -> list[str]:
        """The shapes of all readings that are likeliest together."""
        named = map(shape_of, named_together(nats, self._drinks))
        return [shape if shape in feet else next(iter(feet)) for shape, feet in zip(named, self._feet)]

    def _lit(self, taken: Sequence[str]) -> Indices:
        """The directions from which light comes, if the drinks are what they are `taken` for."""
        standing = ((feet[shape], self._solids[shape]) for feet, shape in zip(self._feet, taken))
        light, _ = fit_sky(self._points.light, all_occluded(self._points.at_mm, standing))
        return np.flatnonzero(light > 0)

    def _near(self, foot_mm: Floats) -> Indices:
        """The points near a foot (2,)."""
        off = self._points.at_mm - foot_mm
        return np.flatnonzero(np.hypot(off[:, 0], off[:, 1]) < SHADED_MM)

    def _cost(self, near: Indices, shade: Values, light: Values, sd: float) -> float:
        """The loss of some points under a sky, of whose directions so much (n, k) is kept away."""
        off = (self._points.light[near] - (1 - shade) @ light) / (2 * sd)
        return float(np.log1p(off * off).sum()) * self._points.area_mm2


def _joined(shades: Iterable[Values]) -> Values:
    """The light (n, k) that any of some things keep away, each (n, k)."""
    return reduce(np.maximum, shades)


def _told_by_shadow(reading: DrinkReading, costs: Mapping[str, float], models: Models) -> DrinkReading:
    """A reading with what its shadow says: the drinks of all shapes but the likeliest cost more."""
    drinks, per_nat = list(models.textures), models.effective_cost_per_nat(reading)
    nats = by_shape(models.shadows.nats(costs), drinks)
    told = {drink: reading.costs[drink] + float(worse) for drink, worse in zip(drinks, per_nat * (nats.max() - nats))}
    best = cheapest(told)
    shape = shape_of(best)
    return replace(reading, costs={**reading.costs, **told}, best=best,
                   offset=reading.offsets[shape], turn_deg=reading.turn_of(shape))


def _feet(reading: DrinkReading, nats: Mapping[Drink, float]) -> dict[str, Floats]:
    """The shapes that the rendering leaves, the likeliest first, and where the foot (2,) is if it has them."""
    feet: dict[str, Floats] = {}
    for drink in sorted(nats, key=nats.__getitem__, reverse=True):
        if nats[drink] > -CLOSE_NATS and len(feet) < MAX_SHAPES:
            feet.setdefault(shape_of(drink), np.array(reading.feet_mm[drink], np.float64))
    return feet


def _points_beside(scene: Scene, readings: Sequence[DrinkReading], feet: Sequence[Mapping[str, Floats]], models: Models
                   ) -> _Points:
    """Points of the bare table near drinks, outside the silhouettes of all that may stand there."""
    outlines = [outline_of(scene.view, models.solids[shape], np.array([*foot, 0.0]), each.turn_of(shape))
                for each, own in zip(readings, feet) for shape, foot in own.items()]
    stands = np.array([each.at_mm for each in readings])
    around = [stands + np.array(off) for off in product((-SHADED_MM, SHADED_MM), repeat=2)]
    box = box_within(scene.view.project_at(np.concatenate(around), 0.0), 0, scene.image.shape)
    seen, bare, table = _lightness(scene, box)
    table &= _is_clear(scene, box, outlines)
    step = max(1, round(float(np.sqrt(table.sum() / MAX_POINTS))))
    rows, columns = (step * each for each in np.nonzero(table[::step, ::step]))
    at_mm = scene.view.to_table(np.column_stack([columns + box.left, rows + box.top]).astype(np.float64))
    beside = np.hypot(*(at_mm[:, None] - stands).transpose(2, 0, 1)).min(axis=1) < SHADED_MM
    light = _light(seen, bare)[rows[beside], columns[beside]]
    return _Points(light, at_mm[beside], (step / scene.view.px_per_mm(stands.mean(axis=0), 0.0)) ** 2)


def _is_clear(scene: Scene, box: Box, outlines_px: Sequence[Floats]) -> Mask:
    """Where (h, w) in a box there are neither crates nor things, clear of all outlines (n, 2)."""
    near = cv2.dilate(mask_within(box, outlines_px), np.ones((2 * CLEAR_PX + 1, 2 * CLEAR_PX + 1), np.uint8))
    return np.asarray((near == 0) & (scene.kinds(box) == TABLE), np.bool_)


def _lightness(scene: Scene, box: Box) -> tuple[Values, Values, Mask]:
    """The lightness (h, w) of what is seen in a box and of the bare table, and where (h, w) the one looks like the
    other, in whatever shadow; strip by strip, as all colours at once take megabytes."""
    now, clear = np.empty((2, box.height, box.width), np.float32)
    table = np.empty((box.height, box.width), np.bool_)
    for strip in box.strips(STRIP_PX):
        here, _ = box.overlap(strip)
        seen, bare = scene.plain(strip), scene.plain_bare(strip)
        now[here], clear[here], table[here] = seen[..., 0], bare[..., 0], _shows_table(seen, bare, scene.shadow)
    return now, clear, table


def _shows_table(seen: Lab, bare: Lab, shadow: Shadow) -> Mask:
    table = nearest_table(seen, bare, shadow=shadow)
    alike = misfit(np.moveaxis(seen, -1, 0), np.moveaxis(table, -1, 0)) < LOOKS_ALIKE ** 2
    return np.asarray(alike & (bare[..., 0] > MIN_BARE), np.bool_)


def _light(seen: Values, bare: Values) -> Values:
    """The light (h, w) as a share of that of the bare table, from the lightness (h, w) of both."""
    now, clear = (cv2.GaussianBlur(lightness, (0, 0), BLUR_PX) for lightness in (seen, bare))
    return np.asarray(np.clip(now / np.maximum(clear, MIN_BARE), MIN_LIGHT, MAX_LIGHT) ** GAMMA, np.float32)
