"""Reading one place or one standing thing: how well each drink, and nothing, explains what is seen there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import EMPTY, Appearance, Drink, Point, shape_of
from vision.drinks.band_texture import DrinkPose, image_to_table, paint_drink
from vision.drinks.coarse_to_fine import CoarseToFineSearch, Models, ShapePose, Canvas, cheapest
from vision.drinks.pixel_coverage import PlacedSolid, blend, render, cover_pixels
from vision.drinks.residual import (
    STEPS_UNITS,
    UNIT_PX,
    NEIGHBOURHOODS,
    Crop,
    Offset,
    ShiftTrial,
    render_costs,
    descend,
    background_share,
)
from vision.drinks.ring_solid import OVERSAMPLING, Painted, at_centres, outline_of, place, place_each
from vision.drinks.seeds import starts_by_lid, starts_by_middle
from vision.imaging.arrays import Floats, Values
from vision.imaging.box import Box, box_around, even
from vision.imaging.camera import View
from vision.photometry.shadow_tint import DEEPEST_SHADOW
from vision.scene.scene import Scene
from vision.scene.occluders import Drawn, far_mm

__all__ = [
    "CLEARLY_EMPTY_NATS", "DrinkReading", "Models", "draw_reading", "find_foot", "is_empty", "loglik", "outline_px",
    "read_drink", "render_drink",
]

HALO_PX = 4
"""Pixels this near to where any drink could be seen are explained."""

SLOT_PLAY_SD_MM = 0.27
"""So far from its slot's middle a drink is read, along x and along y, as a standard deviation: slots are 1.3 mm wider
than drinks (0.25 mm in the enrolments at hand), and a crate's fit is unsure by 0.1 mm."""

EMPTY_SLOT_SHARE, CLEARLY_EMPTY_NATS = 0.95, 15.0
"""A slot is clearly empty when so much of where any drink would be seen looks like the slot itself: a body may have the
colour of the crate, but a cap has not, and it covers a tenth. All drinks are held against what looks less empty."""

OUTLIER_RATE, OUTLIER_TEMPERATURE, MIN_OUTLIER_NATS = 5e-4, 8.0, -6.0
"""How often a sight is expected to be fooled by what no drink's picture tells (a reflection, a crumb); how many times
less its costs are believed then, and the least that is left of anything."""

UNCHANGED_NATS = 1.0
"""A drink stands as it was read before when it is not worse explained by more than this, and when how much worse the
others are did not change by more."""

SQUARE_TURNS_DEG = (0.0, 15.0, 30.0, 45.0, 60.0, 75.0)


@dataclass(frozen=True, slots=True, eq=False)
class DrinkReading:
    """What one place looks like. `costs` by drink and for EMPTY; `feet_mm` where each drink would stand best."""

    stand: DrinkPose
    costs: Mapping[Appearance, float]
    feet_mm: Mapping[Drink, Point]
    best: Drink
    offset: Offset
    turn_deg: float
    turns_deg: Mapping[str, float]
    """How each shape would be turned best."""
    offsets: Mapping[str, Offset] = field(default_factory=dict)
    """Where each shape would stand best."""


def read_drink(scene: Scene, stand: DrinkPose, models: Models, free: bool = False, reach_mm: float = 0.8,
               number: int = 0,
               like: DrinkReading | None = None, before: DrinkReading | None = None, lid_only: bool = False,
               taken_for: str | None = None) -> DrinkReading:
    """Compare all drinks at a stand. `free`: it stands on the open table, turned in any way, and its foot was found as
    if it were what was read before (`like`), else as if it had the shape that it was `taken_for`. Drinks of other
    numbers than `number` that are drawn in the scene are taken into account. What was read `before` at this very stand
    is tried first: if it still is what is seen, nothing else is searched. `lid_only`: perhaps only the lid was seen of
    what `like` was read before."""
    ways = [(shape, turn) for shape in models.solids for turn in _turns(shape, stand, free, None if lid_only else like)]
    by_lid = (starts_by_lid(scene.view, stand, models, shape_of(like.best), like.feet_mm[like.best])
              if lid_only and like is not None else {})
    turned = [*ways, *ways] if by_lid else ways
    laid = _lay_out(scene, stand, models, turned, reach_mm, number, by_lid.values())
    if stand.opening_mm is not None and background_share(laid.crop, laid.anywhere) > EMPTY_SLOT_SHARE:
        return _nothing(stand, models, laid.crop)
    comparison = _comparison(scene, stand, models, laid)
    again = None if before is None or is_empty(before) else _again(before, models, laid, comparison)
    if again is not None:
        return again
    shape = taken_for if like is None else shape_of(like.best)
    by_middle = starts_by_middle(scene.view, stand, models, shape, laid.reach)
    start = [by_middle[shape] for shape, _ in ways] + [by_lid[shape] for shape, _ in ways if by_lid]
    return _reading(scene, stand, laid, *comparison.find(start, laid.reach))


def find_foot(scene: Scene, stand: DrinkPose, drink: Drink, models: Models, reach_mm: float = 1.2) -> Floats:
    """Where (2,) on the table a known drink stands, near a stand."""
    view, solid = scene.view, models.solids[shape_of(drink)]
    rings = place(view, solid, stand.foot_mm, stand.turn_deg)
    box = box_around(rings, HALO_PX + 4)
    painted = paint_drink(view, solid, stand, box)
    crop = _crop(scene, box, at_centres(painted) > 0, stand, 0)
    shape = PlacedSolid(solid, painted, models.shading.get(shape_of(drink)), rings - (box.left, box.top))
    form = cover_pixels([shape], crop.domain, image_to_table(view, stand.foot_mm))
    drawings = render(form, models.textures[drink][None, None])
    reach = int(reach_mm * view.px_per_mm(stand.foot_mm[:2], float(stand.foot_mm[2])) / UNIT_PX)

    def costs(trials: Sequence[ShiftTrial]) -> Values:
        return render_costs(crop, drawings, [0] * len(trials), [offset for _, offset in trials])

    at = middle = {0: (0, 0)}
    for step, ways in zip(STEPS_UNITS, NEIGHBOURHOODS):
        at = {0: descend(costs, at, step, middle, reach, ways)[0][1]}
    offset = at[0]
    nominal = view.project(stand.foot_mm)[0]
    return np.asarray(view.to_table(nominal + np.array(offset) * UNIT_PX, float(stand.foot_mm[2]))[0], np.float64)


def loglik(costs: Mapping[Appearance, float], cost_per_nat: float) -> dict[Appearance, float]:
    """Costs as log-likelihoods in nats. However sure the pixels are, something unforeseen may have fooled them."""
    names = list(costs)
    nats = -np.array([costs[name] for name in names]) / cost_per_nat
    nats -= nats.max()
    sure, doubtful = np.exp(nats), np.exp(np.maximum(nats / OUTLIER_TEMPERATURE, MIN_OUTLIER_NATS))
    shares = (1 - OUTLIER_RATE) * sure / sure.sum() + OUTLIER_RATE * doubtful / doubtful.sum()
    return {name: float(value) for name, value in zip(names, np.log(shares))}


def _turns(shape: str, stand: DrinkPose, free: bool, like: DrinkReading | None) -> Sequence[float]:
    if not free or not shape.startswith("square"):
        return (stand.turn_deg,)
    if like is None:
        return SQUARE_TURNS_DEG
    step = SQUARE_TURNS_DEG[1]
    turn = like.turns_deg[shape]
    return (turn - step, turn, turn + step) if shape == shape_of(like.best) else (turn,)


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """The drinks that may stand at a stand, laid out: the options, what they are painted on, and where (h, w) in the
    box any drink may be seen."""

    options: Sequence[ShapePose]
    paper: Canvas
    box: Box
    anywhere: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A stand laid out for comparing: the same, the part of the picture, and how many units of `UNIT_PX` a drink may
    stand away."""

    options: Sequence[ShapePose]
    paper: Canvas
    crop: Crop
    anywhere: npt.NDArray[np.bool_]
    reach: int


def _lay_out(scene: Scene, stand: DrinkPose, models: Models, turned: Sequence[tuple[str, float]], reach_mm: float,
             number: int, far: Iterable[Offset]) -> _Laid:
    """`far`: from where else drinks are sought within the reach."""
    reach_px = reach_mm * scene.view.px_per_mm(stand.foot_mm[:2], float(stand.foot_mm[2]))
    farthest_px = UNIT_PX * max((float(np.abs(offset).max()) for offset in far), default=0.0)
    lay = _paint if stand.opening_mm is None else _paint_in_slot
    sheet = lay(scene.view, stand, models, tuple(turned), reach_px + farthest_px)
    crop = _crop(scene, sheet.box, sheet.anywhere, stand, number)
    return _Laid(sheet.options, sheet.paper, crop, sheet.anywhere, int(np.ceil(reach_px / UNIT_PX)))


def _paint(view: View, stand: DrinkPose, models: Models, turned: Sequence[tuple[str, float]],
           reach_px: float) -> _Sheet:
    rings = place_each(view, [(models.solids[shape], turn) for shape, turn in turned], stand.foot_mm)
    box = even(box_around(np.concatenate(rings), HALO_PX + int(np.ceil(reach_px)) + 1))
    paper = Canvas(stand, stand.opening_px(view), box, image_to_table(view, stand.foot_mm))
    options = [ShapePose(shape, turn, at, paper.paint_small(models.solids[shape], at))
               for (shape, turn), at in zip(turned, rings)]
    return _Sheet(options, paper, box, _at_pixels(np.maximum.reduce([option.small for option in options])))


_paint_in_slot = lru_cache(maxsize=48)(_paint)  # a slot stays where it is from look to look


def _at_pixels(small: Painted) -> npt.NDArray[np.bool_]:
    """Whether something is painted at the centre of each pixel of the picture (h, w), from it half as large."""
    near = [at for cell in range(0, small.shape[0], OVERSAMPLING) for at in (cell, cell + OVERSAMPLING - 1)]
    across = [at for cell in range(0, small.shape[1], OVERSAMPLING) for at in (cell, cell + OVERSAMPLING - 1)]
    return np.asarray(small[near][:, across] > 0, np.bool_)


def _crop(scene: Scene, box: Box, anywhere: npt.NDArray[np.bool_], stand: DrinkPose, number: int) -> Crop:
    """The box with the pixels around where `anywhere` (h, w) a drink may be seen."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * HALO_PX + 1, 2 * HALO_PX + 1))
    seen = scene.plain(box)
    around = cv2.dilate(anywhere.astype(np.uint8), kernel) > 0
    shown = ~scene.hidden(box, number, far_mm(scene.view, stand.foot_mm))
    deepest = scene.shadow.deepest if stand.opening_mm is None else DEEPEST_SHADOW  # crates throw deeper ones
    return Crop(seen, scene.background(box, seen, number, deepest), np.asarray(around & shown, np.bool_), shown)


def outline_px(scene: Scene, reading: DrinkReading, models: Models) -> Floats:
    """The convex outline (n, 2) within which the drink that was read is seen."""
    x, y = reading.feet_mm[reading.best]
    foot = np.array([x, y, reading.stand.foot_mm[2]])
    return outline_of(scene.view, models.solids[shape_of(reading.best)], foot, reading.turn_deg)


def draw_reading(scene: Scene, number: int, reading: DrinkReading, models: Models) -> None:
    """Draw the drink that was read into the scene, for the reading of its neighbours."""
    drink = reading.best
    scene.draw(number, _drawn(scene.view, reading.stand, drink, reading.feet_mm[drink], reading.turn_deg, models))


@lru_cache(maxsize=96)  # what stands untouched is drawn into every picture
def _drawn(view: View, stand: DrinkPose, drink: Drink, at_mm: Point, turn_deg: float, models: Models) -> Drawn:
    """A drink as it should look if it stands at a place near a stand."""
    return render_drink(view, replace(stand, foot_mm=np.array([*at_mm, stand.foot_mm[2]]), turn_deg=turn_deg), drink,
                        models)


def render_drink(view: View, stand: DrinkPose, drink: Drink, models: Models) -> Drawn:
    """A drink at a stand as it should look."""
    solid = models.solids[shape_of(drink)]
    box = box_around(place(view, solid, stand.foot_mm, stand.turn_deg), HALO_PX)
    colours, share = blend(paint_drink(view, solid, stand, box), solid, models.textures[drink])
    return Drawn(box, colours, share, far_mm(view, stand.foot_mm))


def is_empty(reading: DrinkReading) -> bool:
    """Whether nothing explains the place best."""
    return reading.costs[EMPTY] <= reading.costs[reading.best]


def _again(before: DrinkReading, models: Models, laid: _Laid, comparison: CoarseToFineSearch) -> DrinkReading | None:
    """What was read before, as it is now seen: what was close is compared again, at the places that were found. None if
    that changes anything."""
    at = {index: before.offsets[option.shape] for index, option in enumerate(laid.options)}
    known = {drink: before.costs[drink] for drink in models.textures}
    costs = comparison.fine_costs(at, known)
    now = replace(before, costs={EMPTY: laid.crop.empty, **costs})
    worse = np.array([costs[drink] - known[drink] for drink in known])
    shift = costs[before.best] - known[before.best]
    changed = max(shift, np.abs(worse - shift).max())
    return None if is_empty(now) or changed > UNCHANGED_NATS * models.cost_per_nat else now


def _comparison(scene: Scene, stand: DrinkPose, models: Models, laid: _Laid) -> CoarseToFineSearch:
    in_slot = stand.opening_mm is not None
    per_mm = UNIT_PX / scene.view.px_per_mm(stand.foot_mm[:2], float(stand.foot_mm[2]))

    def penalty(trials: Sequence[ShiftTrial]) -> Floats:
        if not in_slot:
            return np.zeros(len(trials))
        far = np.array([offset for _, offset in trials]) * per_mm / SLOT_PLAY_SD_MM
        return np.asarray((far * far).sum(axis=-1) / 2 * models.cost_per_nat)

    return CoarseToFineSearch(laid.crop, models, laid.options, laid.paper, penalty)


def _nothing(stand: DrinkPose, models: Models, crop: Crop) -> DrinkReading:
    """A slot in which only the slot itself is to be seen."""
    empty = crop.empty
    at = (float(stand.foot_mm[0]), float(stand.foot_mm[1]))
    costs: dict[Appearance, float] = dict.fromkeys(models.textures, empty + CLEARLY_EMPTY_NATS * models.cost_per_nat)
    any_drink = next(iter(models.textures))
    feet = dict.fromkeys(models.textures, at)
    return DrinkReading(stand, {EMPTY: empty, **costs}, feet, any_drink, (0, 0), stand.turn_deg,
                   dict.fromkeys(map(shape_of, models.textures), stand.turn_deg))


def _reading(scene: Scene, stand: DrinkPose, laid: _Laid, places: Mapping[int, Offset], costs: Mapping[Drink, float]
             ) -> DrinkReading:
    options = laid.options
    nominal = scene.view.project(stand.foot_mm)[0]
    at_px = nominal + np.array(list(places.values())) * UNIT_PX
    feet_mm = scene.view.to_table(at_px, float(stand.foot_mm[2])).tolist()
    feet = {options[index].shape: (x, y) for index, (x, y) in zip(places, feet_mm)}
    best = cheapest(costs)
    option = {options[index].shape: index for index in places}
    drinks = list(costs)
    return DrinkReading(stand, {EMPTY: laid.crop.empty, **costs}, {drink: feet[shape_of(drink)] for drink in drinks},
                        best,
                   places[option[shape_of(best)]], options[option[shape_of(best)]].turn_deg,
                   {shape: options[index].turn_deg for shape, index in option.items()},
                   {shape: places[index] for shape, index in option.items()})
