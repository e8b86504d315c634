"""Reading one place or one standing thing: how well each drink, and nothing, explains what is seen there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import EMPTY, Appearance, Drink, Point, colour_of, shape_of
from vision.compare import (
    STEPS, UNIT_PX, Crop, Form, Offset, Template, Values, blend, cost_empty, costs_at, costs_thinned, empty_share,
    make_form, make_template, rough_search, search,
)
from vision.camera import Floats, View
from vision.scene import Drawn, Scene, far_mm
from vision.solids import OVERSAMPLING, Box, Painted, Solid, box_around, place
from vision.textures import Shading, Stand, Texture, directions, paint_drink

AROUND_PX = 4
"""Pixels this near to where any drink could be seen are explained."""

PLAY_MM, SOFT_MM = 0.25, 0.15
"""A drink stands this far from its slot's middle at most (its play is 0.2 mm); the crate's fit is unsure by so much."""

EMPTY_SHARE, CLEARLY_NATS = 0.75, 15.0
"""A slot is clearly empty when so much of where any drink would be seen looks like the slot itself."""

UNFORESEEN, DOUBT, WORST_DOUBT = 5e-4, 8.0, -6.0
"""How often a sight is expected to be fooled by what no drink's picture tells (a reflection, a crumb); how many times
less its costs are believed then, and the least that is left of anything."""

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
    """A shape in one of the ways it may be turned."""

    form: Form
    turn_deg: float


def read_stand(scene: Scene, stand: Stand, models: Models, free: bool = False, reach_mm: float = 0.8, number: int = 0,
               like: Reading | None = None) -> Reading:
    """Compare all drinks at a stand. `free`: it stands on the open table, turned in any way, and its foot was found as
    if it were what was read before (`like`), else of middle height. Drinks of other numbers than `number` that are
    drawn in the scene are taken into account."""
    view = scene.view
    reach_px = reach_mm * view.px_per_mm(stand.foot_mm[:2], float(stand.foot_mm[2]))
    rings = {(shape, turn): place(view, solid, stand.foot_mm, turn)
             for shape, solid in models.solids.items() for turn in _turns(shape, stand, free, like)}
    box = box_around(np.concatenate(list(rings.values())), AROUND_PX + int(np.ceil(reach_px)) + 1)
    painted = {key: paint_drink(view, models.solids[key[0]], replace(stand, turn_deg=key[1]), box) for key in rings}
    crop = _crop(scene, box, list(painted.values()), stand, number)
    if stand.opening_mm is not None and empty_share(crop, _core(list(painted.values()))) > EMPTY_SHARE:
        return _nothing(stand, models, crop)
    spread = directions(view, stand.foot_mm)
    options: dict[str, list[_Option]] = {}
    for (shape, turn), picture in painted.items():
        form = make_form(picture, models.solids[shape], crop.domain, models.shading.get(shape),
                         rings[shape, turn] - (box.left, box.top), spread)
        options.setdefault(shape, []).append(_Option(form, turn))
    return _read(scene, stand, models, crop, options, int(np.ceil(reach_px / UNIT_PX)),
                 None if like is None else shape_of(like.best))


def find_foot(scene: Scene, stand: Stand, drink: Drink, models: Models, reach_mm: float = 1.2) -> Floats:
    """Where (2,) on the table a known drink stands, near a stand."""
    view, solid = scene.view, models.solids[shape_of(drink)]
    rings = place(view, solid, stand.foot_mm, stand.turn_deg)
    box = box_around(rings, AROUND_PX + 4)
    painted = paint_drink(view, solid, stand, box)
    crop = _crop(scene, box, [painted], stand, 0)
    form = make_form(painted, solid, crop.domain, models.shading.get(shape_of(drink)), rings - (box.left, box.top),
                     directions(view, stand.foot_mm))
    template = make_template(form.thinned(), models.colours[drink][None], solid.cap)
    reach_px = reach_mm * view.px_per_mm(stand.foot_mm[:2], float(stand.foot_mm[2]))
    offset = search(crop, template, (0, 0), int(reach_px / UNIT_PX))[1]
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


def _crop(scene: Scene, box: Box, painted: Sequence[Painted], stand: Stand, number: int) -> Crop:
    anywhere = np.zeros(painted[0].shape, np.uint8)
    for each in painted:
        np.maximum(anywhere, each, out=anywhere)
    inner = (anywhere[OVERSAMPLING // 2::OVERSAMPLING, OVERSAMPLING // 2::OVERSAMPLING] > 0).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * AROUND_PX + 1, 2 * AROUND_PX + 1))
    seen = scene.seen(box)
    domain = (cv2.dilate(inner, kernel) > 0) & ~scene.hidden(box, number, far_mm(scene.view, stand.foot_mm))
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


def _core(painted: Sequence[Painted]) -> npt.NDArray[np.bool_]:
    """The pixels (h, w) that every drink would cover."""
    everywhere = np.minimum.reduce(painted)
    middle = OVERSAMPLING // 2
    return np.asarray(everywhere[middle::OVERSAMPLING, middle::OVERSAMPLING] > 0, np.bool_)


def _read(scene: Scene, stand: Stand, models: Models, crop: Crop, options: Mapping[str, Sequence[_Option]], reach: int,
          like: str | None) -> Reading:
    in_slot = stand.opening_mm is not None
    per_mm = UNIT_PX / scene.view.px_per_mm(stand.foot_mm[:2], float(stand.foot_mm[2]))

    def penalty(offsets: Sequence[Offset]) -> Floats:
        far = np.maximum(np.abs(offsets) * np.float64(per_mm) - PLAY_MM, 0) / SOFT_MM
        return np.asarray((far * far).sum(axis=-1) / 2 * models.cost_per_nat if in_slot else np.zeros(len(offsets)))

    def template(drinks: Sequence[Drink], form: Form) -> Template:
        colours = np.stack([models.colours[drink] for drink in drinks])
        return make_template(form, colours, models.solids[shape_of(drinks[0])].cap)

    drinks = {shape: [drink for drink in models.textures if shape_of(drink) == shape] for shape in options}
    start = {shape: (0, 0) if in_slot else _start(scene, stand, models, shape, like, reach) for shape in options}
    first = {drink: cost for shape, turned in options.items() for drink, cost in zip(drinks[shape], costs_thinned(
        crop, template(drinks[shape], turned[0].form.thinned()), [start[shape]])[:, 0].tolist())}
    colour = colour_of(min(first, key=lambda drink: first[drink]))
    found: dict[str, tuple[Offset, _Option]] = {}
    costs: dict[Drink, float] = {}
    for shape, turned in options.items():
        thinned = [(option, template([f"{colour}/{shape}"], option.form.thinned())) for option in turned]
        tried = [(*search(crop, drink, start[shape], reach, penalty), option)
                 for option, drink in _likely(crop, thinned, start[shape], reach)]
        _, offset, option = min(tried, key=lambda each: each[0])
        found[shape] = offset, option
        finest = costs_at(crop, template(drinks[shape], option.form), [offset])[:, 0] + penalty([offset])
        costs.update(zip(drinks[shape], finest.tolist()))
    return _reading(scene, stand, crop, found, {drink: costs[drink] for drink in models.textures})


def _likely(crop: Crop, turned: Sequence[tuple[_Option, Template]], start: Offset, reach: int
            ) -> Sequence[tuple[_Option, Template]]:
    """The two likeliest ways in which one drink may be turned."""
    if len(turned) <= 2:
        return turned
    at = rough_search(crop, turned[0][1], start, reach)[1]
    return sorted(turned, key=lambda each: rough_search(crop, each[1], at, STEPS[0])[0])[:2]


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


def _reading(scene: Scene, stand: Stand, crop: Crop, found: Mapping[str, tuple[Offset, _Option]],
             drinks: Mapping[Drink, float]) -> Reading:
    nominal = scene.view.project(stand.foot_mm)[0]
    feet = {}
    for shape, (offset, _) in found.items():
        x, y = scene.view.to_table(nominal + np.array(offset) * UNIT_PX, float(stand.foot_mm[2]))[0]
        feet[shape] = (float(x), float(y))
    best = min(drinks, key=lambda drink: drinks[drink])
    offset, option = found[shape_of(best)]
    return Reading(stand, {EMPTY: cost_empty(crop), **drinks}, {drink: feet[shape_of(drink)] for drink in drinks}, best,
                   offset, option.turn_deg, {shape: option.turn_deg for shape, (_, option) in found.items()})
