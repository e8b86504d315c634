"""Reading one place or one standing thing: how well each drink, and nothing, explains what is seen there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import EMPTY, Appearance, Drink, Point, colour_of, shape_of
from vision.camera import Floats
from vision.compare import UNIT_PX, Crop, Offset, Template, cost_at, cost_empty, make_template, search
from vision.scene import Scene
from vision.solids import OVERSAMPLING, Box, Painted, Solid, box_around, place
from vision.textures import Stand, Texture, paint_drink

AROUND_PX = 4
"""Pixels this near to where any drink could be seen are explained."""

PLAY_MM, SOFT_MM = 0.45, 0.15
"""A drink stands this far from its slot's middle at most; the crate's fit is unsure by so much."""

UNFORESEEN = 2e-4
"""How often a sight is expected to be fooled by what no drink's picture tells: a reflection, a crumb."""

SQUARE_TURNS_DEG = (0.0, 15.0, 30.0, 45.0, 60.0, 75.0)


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """What drinks look like: `solids` by shape, `textures` of all drinks (on the open table or in a crate), and the
    cost that is one nat."""

    solids: Mapping[str, Solid]
    textures: Mapping[Drink, Texture]
    cost_per_nat: float


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one place looks like. `costs` by drink and for EMPTY; `feet_mm` where each drink would stand best."""

    stand: Stand
    costs: Mapping[Appearance, float]
    feet_mm: Mapping[Drink, Point]
    best: Drink
    offset: Offset
    turn_deg: float


@dataclass(slots=True, eq=False)
class _Shape:
    painted: Painted
    turn_deg: float


def read_stand(scene: Scene, stand: Stand, models: Models, free: bool = False, reach_mm: float = 0.8,
               drinks: Iterable[Drink] | None = None) -> Reading:
    """Compare all drinks at a stand. `free`: it stands on the open table, turned in any way."""
    view = scene.view
    rings = [place(view, solid, stand.foot_mm, stand.turn_deg) for solid in models.solids.values()]
    reach_px = reach_mm * view.px_per_mm(stand.foot_mm[:2], float(stand.foot_mm[2]))
    box = box_around(np.concatenate(rings), AROUND_PX + int(np.ceil(reach_px)) + 1)
    shapes = {shape: [_Shape(paint_drink(view, solid, replace(stand, turn_deg=turn), box), turn)
                      for turn in _turns(shape, stand, free)]
              for shape, solid in models.solids.items()}
    crop = _crop(scene, box, [option.painted for options in shapes.values() for option in options])
    wanted = list(models.textures) if drinks is None else list(drinks)
    return _read(scene, stand, models, crop, shapes, wanted, int(np.ceil(reach_px / UNIT_PX)))


def loglik(costs: Mapping[Appearance, float], cost_per_nat: float) -> dict[Appearance, float]:
    """Costs as log-likelihoods in nats. However sure the pixels are, something unforeseen may have fooled them."""
    names = list(costs)
    nats = -np.array([costs[name] for name in names]) / cost_per_nat
    shares = np.exp(nats - nats.max())
    shares = (1 - UNFORESEEN) * shares / shares.sum() + UNFORESEEN / len(shares)
    return {name: float(value) for name, value in zip(names, np.log(shares))}


def _turns(shape: str, stand: Stand, free: bool) -> Sequence[float]:
    return SQUARE_TURNS_DEG if free and shape.startswith("square") else (stand.turn_deg,)


def _crop(scene: Scene, box: Box, painted: Sequence[Painted]) -> Crop:
    anywhere = np.zeros(painted[0].shape, np.uint8)
    for each in painted:
        np.maximum(anywhere, each, out=anywhere)
    inner = (anywhere[OVERSAMPLING // 2::OVERSAMPLING, OVERSAMPLING // 2::OVERSAMPLING] > 0).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * AROUND_PX + 1, 2 * AROUND_PX + 1))
    weight = cv2.dilate(inner, kernel).astype(np.float32)
    seen = scene.seen(box)
    return Crop(seen, scene.background(box, seen), weight)


def _read(scene: Scene, stand: Stand, models: Models, crop: Crop, shapes: Mapping[str, Sequence[_Shape]],
          drinks: Sequence[Drink], reach: int) -> Reading:
    px_per_mm = scene.view.px_per_mm(stand.foot_mm[:2], float(stand.foot_mm[2]))
    fixed = stand.opening_mm is not None

    def penalty(offset: Offset) -> float:
        if not fixed:
            return 0.0
        far = np.maximum(np.abs(offset) * np.float64(UNIT_PX / px_per_mm) - PLAY_MM, 0) / SOFT_MM
        return float((far * far).sum() / 2) * models.cost_per_nat

    def template(drink: Drink, option: _Shape) -> Template:
        return make_template(option.painted, models.textures[drink], models.solids[shape_of(drink)].cap)

    first = {drink: cost_at(crop, template(drink, shapes[shape_of(drink)][0]), (0, 0)) for drink in drinks}
    colour = colour_of(min(first, key=lambda drink: first[drink]))
    lean = scene.view.lean(stand.foot_mm[:2], float(stand.foot_mm[2])) / UNIT_PX
    height = float(np.median([solid.heights_mm[-1] for solid in models.solids.values()]))
    found: dict[str, tuple[float, Offset, _Shape]] = {}
    for shape, options in shapes.items():
        drink = f"{colour}/{shape}"
        middle = (0.0, 0.0) if fixed else lean * (height - models.solids[shape].heights_mm[-1]) / 2
        start = (int(np.clip(round(middle[0]), -reach, reach)), int(np.clip(round(middle[1]), -reach, reach)))
        tried = []
        for option in options:
            cost, offset = search(crop, template(drink, option), start, reach, penalty)
            tried.append((cost, offset, option))
        found[shape] = min(tried, key=lambda each: each[0])
    costs: dict[Appearance, float] = {EMPTY: cost_empty(crop)}
    feet: dict[Drink, Point] = {}
    nominal = scene.view.project(stand.foot_mm)[0]
    for drink in drinks:
        cost, offset, option = found[shape_of(drink)]
        if colour_of(drink) != colour:
            cost = cost_at(crop, template(drink, option), offset) + penalty(offset)
        costs[drink] = cost
        x, y = scene.view.to_table(nominal + np.array(offset) * UNIT_PX, float(stand.foot_mm[2]))[0]
        feet[drink] = (float(x), float(y))
    best = min(drinks, key=lambda drink: costs[drink])
    cost, offset, option = found[shape_of(best)]
    return Reading(stand, costs, feet, best, offset, option.turn_deg)


