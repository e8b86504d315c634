"""Reading one place or one standing thing: how well each drink, and nothing, explains what is seen there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import EMPTY, Appearance, Drink, Point, colour_of, shape_of
from vision.camera import Floats, View
from vision.compare import (
    HALF, STEPS, UNIT_PX, WAYS, Costs, Crop, Offset, Trial, cost_empty, costs_of, descend, empty_share,
)
from vision.forms import Template, Values, blend, make_form, make_template
from vision.scene import Drawn, Scene, far_mm
from vision.solids import OVERSAMPLING, Box, Painted, Solid, box_around, even, place, place_each
from vision.textures import Shading, Stand, Texture, directions, paint_drink, paint_rings

AROUND_PX = 4
"""Pixels this near to where any drink could be seen are explained."""

PLAY_MM, SOFT_MM = 0.25, 0.15
"""A drink stands this far from its slot's middle at most (its play is 0.2 mm); the crate's fit is unsure by so much."""

EMPTY_SHARE, CLEARLY_NATS = 0.75, 15.0
"""A slot is clearly empty when so much of where any drink would be seen looks like the slot itself."""

UNFORESEEN, DOUBT, WORST_DOUBT = 5e-4, 8.0, -6.0
"""How often a sight is expected to be fooled by what no drink's picture tells (a reflection, a crumb); how many times
less its costs are believed then, and the least that is left of anything."""

BEHIND_NATS = (20.0, 15.0, 12.0)
"""What costs so much more than the best, once it was searched in steps of `STEPS`, is not looked at more finely: in
pictures of four games it never came nearer than 12, 8 and 8 nats in the end, and so far behind only the unforeseen says
how sure a sight is."""

TURNS_TRIED = 2
"""Of the ways in which a shape may be turned so many are looked at finely."""

SQUARE_TURNS_DEG = (0.0, 15.0, 30.0, 45.0, 60.0, 75.0)


@dataclass(frozen=True, eq=False)
class Models:
    """What drinks look like: `solids` by shape, `textures` of all drinks (on the open table or in a crate), `shading`
    of each shape, and the cost that is one nat."""

    solids: Mapping[str, Solid]
    textures: Mapping[Drink, Texture]
    shading: Mapping[str, Shading]
    cost_per_nat: float

    @cached_property
    def colours(self) -> dict[Drink, Values]:
        """Colours by bands (bands, 3) of each drink."""
        return {drink: self.solids[shape_of(drink)].by_band(texture) for drink, texture in self.textures.items()}

    @cached_property
    def of_shape(self) -> dict[str, list[Drink]]:
        """All drinks of each shape."""
        return {shape: [drink for drink in self.textures if shape_of(drink) == shape] for shape in self.solids}


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one place looks like. `costs` by drink and for EMPTY; `feet_mm` where each drink would stand best."""

    stand: Stand
    costs: Mapping[Appearance, float]
    feet_mm: Mapping[Drink, Point]
    best: Drink
    offset: Offset
    turn_deg: float
    turns_deg: Mapping[str, float]
    """How each shape would be turned best."""


@dataclass(frozen=True, slots=True, eq=False)
class _Option:
    """A shape in one of the ways it may be turned, with its rings in px of the picture; `small`: painted half as large.
    """

    shape: str
    turn_deg: float
    rings_px: Floats
    small: Painted


def read_stand(scene: Scene, stand: Stand, models: Models, free: bool = False, reach_mm: float = 0.8, number: int = 0,
               like: Reading | None = None) -> Reading:
    """Compare all drinks at a stand. `free`: it stands on the open table, turned in any way, and its foot was found as
    if it were what was read before (`like`), else of middle height. Drinks of other numbers than `number` that are
    drawn in the scene are taken into account."""
    view = scene.view
    reach_px = reach_mm * view.px_per_mm(stand.foot_mm[:2], float(stand.foot_mm[2]))
    turned = [(shape, turn) for shape in models.solids for turn in _turns(shape, stand, free, like)]
    rings = place_each(view, [(models.solids[shape], turn) for shape, turn in turned], stand.foot_mm)
    box = even(box_around(np.concatenate(rings), AROUND_PX + int(np.ceil(reach_px)) + 1))
    paper = _Paper(stand, stand.opening_px(view), box)
    options = [_Option(shape, turn, at, paper.paint_small(models.solids[shape], at))
               for (shape, turn), at in zip(turned, rings)]
    small = [option.small for option in options]
    crop = _crop(scene, box, _at_pixels(np.maximum.reduce(small)), stand, number)
    if stand.opening_mm is not None and empty_share(crop, _at_pixels(np.minimum.reduce(small))) > EMPTY_SHARE:
        return _nothing(stand, models, crop)
    return _read(scene, stand, models, crop, options, paper, int(np.ceil(reach_px / UNIT_PX)),
                 None if like is None else shape_of(like.best))


def find_foot(scene: Scene, stand: Stand, drink: Drink, models: Models, reach_mm: float = 1.2) -> Floats:
    """Where (2,) on the table a known drink stands, near a stand."""
    view, solid = scene.view, models.solids[shape_of(drink)]
    rings = place(view, solid, stand.foot_mm, stand.turn_deg)
    box = box_around(rings, AROUND_PX + 4)
    painted = paint_drink(view, solid, stand, box)
    centre = slice(OVERSAMPLING // 2, None, OVERSAMPLING)
    crop = _crop(scene, box, painted[centre, centre] > 0, stand, 0)
    form = make_form(painted, solid, crop.domain, models.shading.get(shape_of(drink)),
                     rings - (box.left, box.top), directions(view, stand.foot_mm))
    drawing = (make_template(form, models.colours[drink][None]), 0)
    reach = int(reach_mm * view.px_per_mm(stand.foot_mm[:2], float(stand.foot_mm[2])) / UNIT_PX)

    def costs(trials: Sequence[Trial]) -> Values:
        return costs_of(crop, [drawing] * len(trials), [offset for _, offset in trials])

    at = middle = {0: (0, 0)}
    for step, ways in zip(STEPS, WAYS):
        at = {0: descend(costs, at, step, middle, reach, ways)[0][1]}
    offset = at[0]
    nominal = view.project(stand.foot_mm)[0]
    return np.asarray(view.to_table(nominal + np.array(offset) * UNIT_PX, float(stand.foot_mm[2]))[0], np.float64)


def loglik(costs: Mapping[Appearance, float], cost_per_nat: float) -> dict[Appearance, float]:
    """Costs as log-likelihoods in nats. However sure the pixels are, something unforeseen may have fooled them."""
    names = list(costs)
    nats = -np.array([costs[name] for name in names]) / cost_per_nat
    nats -= nats.max()
    sure, doubtful = np.exp(nats), np.exp(np.maximum(nats / DOUBT, WORST_DOUBT))
    shares = (1 - UNFORESEEN) * sure / sure.sum() + UNFORESEEN * doubtful / doubtful.sum()
    return {name: float(value) for name, value in zip(names, np.log(shares))}


def _turns(shape: str, stand: Stand, free: bool, like: Reading | None) -> Sequence[float]:
    if not free or not shape.startswith("square"):
        return (stand.turn_deg,)
    if like is None:
        return SQUARE_TURNS_DEG
    step = SQUARE_TURNS_DEG[1]
    turn = like.turns_deg[shape]
    return (turn - step, turn, turn + step) if shape == shape_of(like.best) else (turn,)


class _Paper:
    """What the drinks that may stand at a stand are painted on: a box of the picture, or one half as large."""

    def __init__(self, stand: Stand, opening_px: Floats | None, box: Box) -> None:
        self._stand, self._opening_px, self._box = stand, opening_px, box
        self._small_box = Box(0, 0, box.width // HALF, box.height // HALF)

    def paint(self, solid: Solid, rings_px: Floats) -> Painted:
        """A solid with these rings in px of the picture."""
        return paint_rings(solid, self._stand, self._box, rings_px, self._opening_px)

    def paint_small(self, solid: Solid, rings_px: Floats) -> Painted:
        """The same half as large."""
        opening = None if self._opening_px is None else self.small_px(self._opening_px)
        return paint_rings(solid, self._stand, self._small_box, self.small_px(rings_px), opening)

    def box_px(self, points_px: Floats) -> Floats:
        """Points in px of the picture as px of the box."""
        return points_px - (self._box.left, self._box.top)

    def small_px(self, points_px: Floats) -> Floats:
        """Points in px of the picture as px of the box half as large, whose pixels' centres have whole coordinates."""
        return (self.box_px(points_px) - (HALF - 1) / 2) / HALF


def _at_pixels(small: Painted) -> npt.NDArray[np.bool_]:
    """Whether something is painted at the centre of each pixel of the picture (h, w), from it half as large."""
    near = [at for cell in range(0, small.shape[0], OVERSAMPLING) for at in (cell, cell + OVERSAMPLING - 1)]
    across = [at for cell in range(0, small.shape[1], OVERSAMPLING) for at in (cell, cell + OVERSAMPLING - 1)]
    return np.asarray(small[near][:, across] > 0, np.bool_)


def _crop(scene: Scene, box: Box, anywhere: npt.NDArray[np.bool_], stand: Stand, number: int) -> Crop:
    """The box with the pixels around where `anywhere` (h, w) a drink may be seen."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * AROUND_PX + 1, 2 * AROUND_PX + 1))
    seen = scene.seen(box)
    around = cv2.dilate(anywhere.astype(np.uint8), kernel) > 0
    domain = around & ~scene.hidden(box, number, far_mm(scene.view, stand.foot_mm))
    return Crop(seen, scene.background(box, seen, number), np.asarray(domain, np.bool_))


def outline_px(scene: Scene, reading: Reading, models: Models) -> Floats:
    """The convex outline (n, 2) within which the drink that was read is seen."""
    x, y = reading.feet_mm[reading.best]
    foot = np.array([x, y, reading.stand.foot_mm[2]])
    rings = place(scene.view, models.solids[shape_of(reading.best)], foot, reading.turn_deg).reshape(-1, 2)
    return np.asarray(cv2.convexHull(rings.astype(np.float32)).reshape(-1, 2), np.float64)


def draw(scene: Scene, number: int, reading: Reading, models: Models) -> None:
    """Draw the drink that was read into the scene, for the reading of its neighbours."""
    scene.draw(number, _drawn(scene.view, reading, models))


@lru_cache(maxsize=96)  # what stands untouched is drawn into every picture
def _drawn(view: View, reading: Reading, models: Models) -> Drawn:
    stand = replace(reading.stand, foot_mm=np.array([*reading.feet_mm[reading.best], reading.stand.foot_mm[2]]),
                    turn_deg=reading.turn_deg)
    solid = models.solids[shape_of(reading.best)]
    box = box_around(place(view, solid, stand.foot_mm, stand.turn_deg), AROUND_PX)
    colours, share = blend(paint_drink(view, solid, stand, box), models.textures[reading.best])
    return Drawn(box, colours, share, far_mm(view, stand.foot_mm))


def is_empty(reading: Reading) -> bool:
    """Whether nothing explains the place best."""
    return reading.costs[EMPTY] <= reading.costs[reading.best]


def _read(scene: Scene, stand: Stand, models: Models, crop: Crop, options: Sequence[_Option], paper: _Paper,
          reach: int, like: str | None) -> Reading:
    in_slot = stand.opening_mm is not None
    per_mm = UNIT_PX / scene.view.px_per_mm(stand.foot_mm[:2], float(stand.foot_mm[2]))

    def penalty(trials: Sequence[Trial]) -> Floats:
        if not in_slot:
            return np.zeros(len(trials))
        far = np.maximum(np.abs([offset for _, offset in trials]) * np.float64(per_mm) - PLAY_MM, 0) / SOFT_MM
        return np.asarray((far * far).sum(axis=-1) / 2 * models.cost_per_nat)

    start = [(0, 0) if in_slot else _start(scene, stand, models, option.shape, like, reach) for option in options]
    comparison = _Comparison(crop, models, options, paper, directions(scene.view, stand.foot_mm), penalty)
    return _reading(scene, stand, crop, options, *comparison.find(start, reach))


class _Comparison:
    """Of all drinks with one crop: searched half as large, ever finer where others are not clearly better, then
    compared pixel by pixel."""

    def __init__(self, crop: Crop, models: Models, options: Sequence[_Option], paper: _Paper, to_table: Floats,
                 penalty: Callable[[Sequence[Trial]], Floats]) -> None:
        self._crop, self._models, self._options, self._penalty = crop, models, options, penalty
        self._paper, self._to_table = paper, to_table
        small = crop.halved
        self._pixels_each = len(crop.domain.flat) / max(len(small.domain.flat), 1)
        self._templates = [self._small(option, small) for option in options]
        self._behind = [nats * models.cost_per_nat for nats in BEHIND_NATS]

    def find(self, start: Sequence[Offset], reach: int) -> tuple[dict[int, Offset], dict[Drink, float]]:
        """The options that explain each shape best, with their offsets, and what each drink costs there."""
        turns: dict[str, list[int]] = {}
        for index, option in enumerate(self._options):
            turns.setdefault(option.shape, []).append(index)
        firsts = {first: start[first] for first, *_ in turns.values()}
        costs = self._costs_in(colour_of(_least(self._costs_of_all(firsts))))
        found: dict[int, tuple[float, Offset]] = {}
        likely = around = dict(enumerate(start))
        for step, ways, behind in zip(STEPS, WAYS, self._behind):
            found |= descend(costs, likely, step, around, reach, ways)
            likely = {index: found[index][1] for index in self._likely(found, behind)}
        best = [min(some, key=found.__getitem__) for some in turns.values()]
        at = {index: found[index][1] for index in best}
        rough = self._costs_of_all(at)
        return at, self._fine_costs(at, rough)

    def _likely(self, found: Mapping[int, tuple[float, Offset]], behind: float) -> list[int]:
        """Options that are not clearly worse than the best, at most two of each shape."""
        least = min(found.values())[0]
        likely: list[int] = []
        for index in sorted(found, key=found.__getitem__):
            like = sum(self._options[other].shape == self._options[index].shape for other in likely)
            if found[index][0] <= least + behind and like < TURNS_TRIED:
                likely.append(index)
        return likely

    def _small(self, option: _Option, small: Crop) -> Template:
        """All drinks of an option's shape, half as large."""
        models, drinks = self._models, self._models.of_shape[option.shape]
        form = make_form(option.small, models.solids[option.shape], small.domain, models.shading.get(option.shape),
                         self._paper.small_px(option.rings_px), self._to_table, HALF)
        return make_template(form, np.stack([models.colours[drink] for drink in drinks]))

    def _whole(self, option: _Option, drinks: Sequence[Drink]) -> Template:
        """Some drinks of an option's shape, as large as they are seen."""
        models, solid = self._models, self._models.solids[option.shape]
        form = make_form(self._paper.paint(solid, option.rings_px), solid, self._crop.domain,
                         models.shading.get(option.shape), self._paper.box_px(option.rings_px), self._to_table)
        return make_template(form, np.stack([models.colours[drink] for drink in drinks]))

    def _rough_costs(self, drawings: Sequence[tuple[int, int]], offsets: Sequence[Offset]) -> Floats:
        """What drinks, given by option and number in its shape, cost by the crop half as large."""
        costs = costs_of(self._crop.halved, [(self._templates[index], row) for index, row in drawings], offsets)
        trials = [(index, offset) for (index, _), offset in zip(drawings, offsets)]
        return np.asarray(self._pixels_each * costs + self._penalty(trials), np.float64)

    def _costs_in(self, colour: str) -> Costs:
        """What options of one colour cost, roughly."""
        row = {shape: drinks.index(f"{colour}/{shape}") for shape, drinks in self._models.of_shape.items()}
        return lambda trials: self._rough_costs([(index, row[self._options[index].shape]) for index, _ in trials],
                                                [offset for _, offset in trials])

    def _costs_of_all(self, places: Mapping[int, Offset]) -> dict[Drink, float]:
        """What all drinks of some options cost at their places, roughly."""
        drawings = {drink: (index, row) for index in places
                    for row, drink in enumerate(self._models.of_shape[self._options[index].shape])}
        costs = self._rough_costs(list(drawings.values()), [places[index] for index, _ in drawings.values()])
        return dict(zip(drawings, costs.tolist()))

    def _fine_costs(self, places: Mapping[int, Offset], rough: Mapping[Drink, float]) -> dict[Drink, float]:
        """What each drink costs pixel by pixel; those that are clearly behind stay as far behind as they roughly are.
        """
        best = _least(rough)
        fine: dict[Drink, float] = {}
        for index, offset in places.items():
            close = [drink for drink in self._models.of_shape[self._options[index].shape]
                     if rough[drink] <= rough[best] + self._behind[-1]]
            if close:
                template = self._whole(self._options[index], close)
                costs = costs_of(self._crop, [(template, row) for row in range(len(close))], [offset] * len(close))
                fine |= zip(close, (costs + self._penalty([(index, offset)])).tolist())
        return {drink: fine.get(drink, rough[drink] + fine[best] - rough[best]) for drink in rough}


def _least(costs: Mapping[Drink, float]) -> Drink:
    return min(costs, key=lambda drink: costs[drink])


def _nothing(stand: Stand, models: Models, crop: Crop) -> Reading:
    """A slot in which only the slot itself is to be seen."""
    empty = cost_empty(crop)
    at = (float(stand.foot_mm[0]), float(stand.foot_mm[1]))
    costs: dict[Appearance, float] = dict.fromkeys(models.textures, empty + CLEARLY_NATS * models.cost_per_nat)
    any_drink = next(iter(models.textures))
    feet = dict.fromkeys(models.textures, at)
    return Reading(stand, {EMPTY: empty, **costs}, feet, any_drink, (0, 0), stand.turn_deg,
                   dict.fromkeys(map(shape_of, models.textures), stand.turn_deg))


def _start(scene: Scene, stand: Stand, models: Models, shape: str, like: str | None, reach: int) -> Offset:
    """Where a drink of this shape stands if the middle of its outline is that of one of the shape `like`."""
    lean = scene.view.lean(stand.foot_mm[:2], float(stand.foot_mm[2])) / UNIT_PX
    heights = {name: float(solid.heights_mm[-1]) for name, solid in models.solids.items()}
    height = heights[like] if like is not None else float(np.median(list(heights.values())))
    step = STEPS[0]
    off = np.clip(np.rint(lean * (height - models.solids[shape].heights_mm[-1]) / 2 / step) * step, -reach, reach)
    return int(off[0]), int(off[1])


def _reading(scene: Scene, stand: Stand, crop: Crop, options: Sequence[_Option], places: Mapping[int, Offset],
             costs: Mapping[Drink, float]) -> Reading:
    nominal = scene.view.project(stand.foot_mm)[0]
    at_px = nominal + np.array(list(places.values())) * UNIT_PX
    feet_mm = scene.view.to_table(at_px, float(stand.foot_mm[2])).tolist()
    feet = {options[index].shape: (x, y) for index, (x, y) in zip(places, feet_mm)}
    best = _least(costs)
    option = {options[index].shape: index for index in places}
    drinks = list(costs)
    return Reading(stand, {EMPTY: cost_empty(crop), **costs}, {drink: feet[shape_of(drink)] for drink in drinks}, best,
                   places[option[shape_of(best)]], options[option[shape_of(best)]].turn_deg,
                   {shape: options[index].turn_deg for shape, index in option.items()})
