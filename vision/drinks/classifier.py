"""The classifier of one place or one standing thing: the cost of each drink, and of nothing, given what is seen there.

    reading = read_drink(scene, DrinkPose(np.array([x, y, 0.0]), 0.0), pieces.on_table)
    sight = pieces.on_table.loglik(reading)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.table import EMPTY, Appearance, Drink, colour_of, shape_of
from vision.drinks.canvas import ShapePose
from vision.drinks.coarse_level import Compared, Penalty
from vision.drinks.coarse_to_fine import CoarseToFineSearch, cheapest, lowest_by_colour
from vision.drinks.crop import Crop, background_share
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import NO_PRIOR, DrinkPrior, DrinkReading
from vision.drinks.models import Models
from vision.drinks.pattern_search import UNIT_PX, Offset, ShiftTrial
from vision.drinks.search_area import SearchArea, TurnedShape, make_search_area
from vision.drinks.second_opinion import (
    UNSEEN_NATS,
    is_seen,
    is_surely_seen,
    is_surely_unseen,
    likely_shapes,
    possible_shapes,
    seen_in_slot,
    unlikely,
    with_added,
    with_shapes,
)
from vision.drinks.seeds import starts_by_lid, starts_by_middle
from vision.drinks.slot_evenness import altered_cost, raised_cost, uneven_cost
from vision.imaging.arrays import Floats
from vision.imaging.camera import View
from vision.photometry.shadow_tint import LIGHTEST_SHADOW
from vision.scene.scene import Scene

SLOT_PLAY_SD_MM = 0.27
"""Prior of a drink's offset from its slot's middle, along x and along y (standard deviation): slots are 1.3 mm wider
than drinks (0.25 mm in the enrolments at hand), and a crate's fit has an error of 0.1 mm."""

EMPTY_SLOT_SHARE, CLEARLY_EMPTY_NATS, SLIGHT_NATS = 0.95, 15.0, 3.0
"""A slot is clearly empty when more than this share of the pixels where any drink would be seen look like the slot
itself: a body may have the colour of the crate, but a cap has not, and it covers a tenth. Then every drink
gets this much worse a cost, unless the network sees one, or the floor looks uneven: by less than the last that counts
only where the network does not surely see none."""

FREE_LIGHT_NATS, UNEVEN_NATS = 6.0, 20.0
"""What it costs to take a slot for empty, for its background has the lightness that is seen, at each pixel, while a
drink has to explain it (`tests/vision/score_empty_slots.py`); and the most that it costs besides where its light does
not look like an empty one's: what came to stand beside it may throw a shadow there. On the open table, too, where the
network sees a drink, shadows that nobody else threw are not free."""

UNCHANGED_NATS, NOISE_NATS = 1.0, 4.0
"""The earlier reading of a slot is kept when the cost of its best drink rose by at most the first, and when the
differences of the other costs from it changed by at most this. Where noise alone changed the slot, that cost may rise
by as much as the second."""

STRANGE_TIMES = 5.0
"""So many times as much as is usual is left unexplained where drinks were learned in quite another light: then no shape
is left out."""

SQUARE_TURNS_DEG = (0.0, 15.0, 30.0, 45.0, 60.0, 75.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Searched:
    """A pose with the area that is searched there, and what it costs a slot besides to be empty."""

    scene: Scene
    pose: DrinkPose
    models: Models
    area: SearchArea
    for_empty: float

    def compared(self, poses: Sequence[ShapePose], seen: Mapping[Appearance, float] | None) -> Compared:
        """What is seen in the area, to be compared with shapes in some of its poses; `seen`: what the network told of
        it."""
        return Compared(self.area.crop, self.models, poses, self.area.shapes.canvas,
                        _prior_cost(self.scene, self.pose, self.models, poses), self.scene.shadow.mixture,
                        unlikely(seen, self.models))


def read_drink(scene: Scene, pose: DrinkPose, models: Models, prior: DrinkPrior = NO_PRIOR) -> DrinkReading:
    """Compare drinks with what is seen at a pose, each at the offset and turn with the lowest cost: all, or
    those of the shapes that the network holds for possible there."""
    possible = possible_shapes(prior.seen, models)
    turned = [(shape, turn) for shape in models.solids for turn in _turns(shape, pose, prior)
              if shape in possible or pose.in_slot]
    by_lid = _starts_by_lid(scene.view, pose, models, prior)
    area = make_search_area(scene, pose, models, prior, [*turned, *turned] if by_lid else turned, by_lid.values())
    uneven = min(_uneven(scene, pose, prior.number), UNEVEN_NATS * models.cost_per_nat)
    if pose.in_slot and uneven < SLIGHT_NATS * models.cost_per_nat and (
            background_share(area.crop, area.shapes.anywhere) > EMPTY_SLOT_SHARE):
        seen = prior.seen or seen_in_slot(scene, pose, models)
        if is_surely_unseen(seen) or not (uneven or is_seen(seen)):
            return _clearly_empty(pose, models, area.crop)
    searched = _Searched(scene, pose, models, area,
                         uneven + (FREE_LIGHT_NATS * models.cost_per_nat if pose.in_slot else 0.0))
    if prior.before is not None and not prior.before.is_empty:
        compare = _where_it_stood if prior.stands_still else _unchanged
        again = compare(prior.before, searched)
        if again is not None:
            return again
    by_middle = starts_by_middle(scene.view, pose, models, prior.likely_shape, area.reach)
    starts = _starts(turned, by_middle, by_lid)
    if prior.must_gain and _most_gain(area, starts, models) < prior.least_gain:
        return _clearly_empty(pose, models, area.crop)
    reading = _search(searched, prior, possible, starts, by_middle)
    if possible < models.solids.keys() and not _is_expected(reading, possible, models):
        return read_drink(scene, pose, models, replace(prior, seen=None))
    if reading is None:
        return _clearly_empty(pose, models, area.crop)
    return reading if pose.in_slot or not is_surely_seen(reading) else _out_of_shadow(scene, area, reading, models)


def _search(searched: _Searched, prior: DrinkPrior, possible: Set[str], starts: Sequence[Offset],
            by_middle: Mapping[str, Offset]) -> DrinkReading | None:
    """The reading from a search for the `possible` shapes, from where each pose starts; None where it is given up."""
    area = searched.area
    poses, begin = zip(*((each, start) for each, start in zip(area.shapes.poses, starts) if each.shape in possible))
    search = CoarseToFineSearch(searched.compared(poses, prior.seen))
    likely = prior.likely_shape if prior.likely_shape in possible else None
    found = search.find(begin, area.reach, area.crop.empty + prior.least_gain, likely)
    if found is None:
        return None
    places = {poses[index].shape: (poses[index].turn_deg, offset) for index, offset in found[0].items()}
    reading = _reading(searched, by_middle, places, found[1])
    return with_shapes(searched.scene, reading, searched.models, prior.seen)


def _is_expected(reading: DrinkReading | None, possible: Set[str], models: Models) -> bool:
    """Whether what was found is a drink, does not look quite otherwise than at enrolment, and the network sees none
    there but such as were rendered."""
    return (reading is not None and not reading.is_empty and reading.misfit <= STRANGE_TIMES * models.usual_misfit
            and (reading.told is None or possible >= {*likely_shapes(reading.told, models)}))


def confirmed(scene: Scene, before: DrinkReading, models: Models, number: int) -> DrinkReading | None:
    """An earlier reading on the open table with its costs from the present picture, beside what has been drawn into the
    scene since; None if that changed more than what all drinks cost there."""
    area = make_search_area(scene, before.pose, models, DrinkPrior(number), [*before.turns_deg.items()])
    return _unchanged(before, _Searched(scene, before.pose, models, area, 0.0))


def _out_of_shadow(scene: Scene, area: SearchArea, reading: DrinkReading, models: Models) -> DrinkReading:
    """A reading on the open table where the network surely sees a drink: that the table is as dark as is seen costs as
    much as that a slot is, by the share of what is compared that would lie in a shadow."""
    mask = area.crop.domain.mask
    bare = scene.plain_bare(area.shapes.box)[..., 0]
    shaded = float((area.crop.background[..., 0] < LIGHTEST_SHADOW * bare)[mask].mean()) if mask.any() else 0.0
    free = FREE_LIGHT_NATS * shaded * models.cost_per_nat
    return replace(reading, costs={**reading.costs, EMPTY: reading.costs[EMPTY] + free},
                   added={**reading.added, EMPTY: reading.added[EMPTY] + free})


def _uneven(scene: Scene, pose: DrinkPose, number: int) -> float:
    """The cost of a slot for being empty though its floor does not look like it; 0 on the open table."""
    if not pose.in_slot:
        return 0.0
    return max(uneven_cost(scene, pose), altered_cost(scene, pose, number), raised_cost(scene, pose, number))


def _turns(shape: str, pose: DrinkPose, prior: DrinkPrior) -> Sequence[float]:
    """The turns (degrees) in which a shape is tried: square ones on the open table in several."""
    if pose.in_slot or not shape.startswith("square"):
        return (pose.turn_deg,)
    turn = None if prior.like is None or prior.lid_only else prior.like.turns_deg.get(shape)
    if prior.like is None or turn is None:
        return SQUARE_TURNS_DEG
    step = SQUARE_TURNS_DEG[1]
    return (turn - step, turn, turn + step) if shape == shape_of(prior.like.best) else (turn,)


def _starts_by_lid(view: View, pose: DrinkPose, models: Models, prior: DrinkPrior) -> dict[str, Offset]:
    """Further start offsets of each shape if only a lid was seen so far; none otherwise."""
    if prior.like is None or not prior.lid_only:
        return {}
    return starts_by_lid(view, pose, models, shape_of(prior.like.best), prior.like.at_mm)


def _starts(turned: Sequence[TurnedShape], by_middle: Mapping[str, Offset], by_lid: Mapping[str, Offset]
            ) -> list[Offset]:
    """The start offset of each pose: by the middle of the silhouette, and once more by the lid if that is wanted."""
    return [by_middle[shape] for shape, _ in turned] + [by_lid[shape] for shape, _ in turned if by_lid]


def _most_gain(area: SearchArea, starts: Sequence[Offset], models: Models) -> float:
    """No drink has a larger gain by its rendering, wherever the search from these offsets leads."""
    across, down = zip((0, 0), *starts)
    low, high = ((end(across) + by, end(down) + by) for end, by in ((min, -area.reach), (max, area.reach)))
    return area.crop.most_saved(low, high) - min((0.0, *models.shape_costs.values()))


def _prior_cost(scene: Scene, pose: DrinkPose, models: Models, poses: Sequence[ShapePose]) -> Penalty:
    """The cost of a shape, and in a slot that of an offset from its middle (Gaussian prior)."""
    of_pose = np.array([models.shape_costs.get(each.shape, 0.0) for each in poses])

    def of_shapes(trials: Sequence[ShiftTrial]) -> Floats:
        return of_pose[[index for index, _ in trials]]

    if not pose.in_slot:
        return of_shapes
    mm_per_unit = UNIT_PX / scene.view.px_per_mm(pose.foot_mm[:2], float(pose.foot_mm[2]))

    def in_slot(trials: Sequence[ShiftTrial]) -> Floats:
        sigmas = np.array([offset for _, offset in trials]) * mm_per_unit / SLOT_PLAY_SD_MM
        return np.asarray(of_shapes(trials) + (sigmas * sigmas).sum(axis=-1) / 2 * models.cost_per_nat)

    return in_slot


def _unchanged(before: DrinkReading, searched: _Searched) -> DrinkReading | None:
    """The earlier reading with its costs from the present picture: drinks close to the best are compared again at their
    earlier offsets. None if a cost changed by more than `UNCHANGED_NATS`."""
    compared = searched.compared(searched.area.shapes.poses, before.told)
    known, limit = before.rendered_costs, UNCHANGED_NATS * searched.models.cost_per_nat
    search = CoarseToFineSearch(compared)
    if search.costs_at(_offsets(before, compared), (before.best,))[before.best] - known[before.best] > limit:
        return None
    now = _again(before, compared, searched.for_empty)
    rendered = now.rendered_costs
    worse = {drink: rendered[drink] - known[drink] for drink in compared.models.textures}
    shift = worse[before.best]
    changed = max(shift, *(abs(each - shift) for each in worse.values()))
    return None if now.is_empty or changed > limit else now


def _where_it_stood(before: DrinkReading, searched: _Searched) -> DrinkReading | None:
    """The same, but None only if none or one of another shape is likelier than the drink that stood there, or if more
    than noise speaks against that."""
    now = _again(before, searched.compared(searched.area.shapes.poses, before.told), searched.for_empty)
    best, worse = cheapest(now.costs), now.rendered_costs[before.best] - before.rendered_costs[before.best]
    if best == EMPTY or shape_of(best) != shape_of(before.best) or worse > NOISE_NATS * searched.models.cost_per_nat:
        return None
    return replace(now, best=best)


def _again(before: DrinkReading, compared: Compared, for_empty: float) -> DrinkReading:
    """The earlier reading with its costs from the present picture."""
    rendered = before.rendered_costs
    known = {drink: rendered[drink] for drink in compared.models.textures}
    costs = CoarseToFineSearch(compared).fine_costs(_offsets(before, compared), known)
    return replace(before, costs=with_added({EMPTY: compared.crop.empty + for_empty, **costs}, before.added))


def _offsets(before: DrinkReading, compared: Compared) -> dict[int, Offset]:
    """The offset of each pose at an earlier look."""
    return {index: before.offsets[pose.shape] for index, pose in enumerate(compared.poses)}


def _clearly_empty(pose: DrinkPose, models: Models, crop: Crop) -> DrinkReading:
    """The reading of a slot in which only the slot itself is seen, or of a part of the table that no drink explains."""
    at = (float(pose.foot_mm[0]), float(pose.foot_mm[1]))
    worse = crop.empty + CLEARLY_EMPTY_NATS * models.cost_per_nat
    costs: dict[Appearance, float] = dict.fromkeys(models.textures, worse)
    any_drink = next(iter(models.textures))
    feet = dict.fromkeys(models.textures, at)
    turns = dict.fromkeys(map(shape_of, models.textures), pose.turn_deg)
    return DrinkReading(pose, {EMPTY: crop.empty, **costs}, feet, any_drink, (0, 0), pose.turn_deg,
                        len(crop.domain.flat), turns)


def _reading(searched: _Searched, by_middle: Mapping[str, Offset], places: Mapping[str, tuple[float, Offset]],
             costs: Mapping[Drink, float]) -> DrinkReading:
    """The reading from the best turn and offset of each shape that was compared, and the costs of these drinks. The
    others stay as far from where their search would have begun, `by_middle`, as the best one was found."""
    pose, crop, best = searched.pose, searched.area.crop, cheapest(costs)
    turn_deg, found = places[shape_of(best)]
    strayed = np.subtract(found, by_middle[shape_of(best)])
    offsets = {shape: places[shape][1] if shape in places else _plus(start, strayed)
               for shape, start in by_middle.items()}
    view, at_px = searched.scene.view, np.array(list(offsets.values())) * UNIT_PX
    feet = view.to_table(view.project(pose.foot_mm)[0] + at_px, float(pose.foot_mm[2])).tolist()
    foot_of = {shape: (x, y) for shape, (x, y) in zip(offsets, feet)}
    of_all = {**_left_out(costs, searched.models), **costs}
    return DrinkReading(pose, {EMPTY: crop.empty + searched.for_empty, **of_all},
                        {drink: foot_of[shape_of(drink)] for drink in of_all}, best, found, turn_deg,
                        len(crop.domain.flat), {shape: turn for shape, (turn, _) in places.items()}, offsets,
                        UNIT_PX * float(np.abs(strayed).max()))


def _plus(offset: Offset, by: npt.NDArray[np.integer]) -> Offset:
    return offset[0] + int(by[0]), offset[1] + int(by[1])


def _left_out(costs: Mapping[Drink, float], models: Models) -> dict[Drink, float]:
    """The costs of the drinks that were not compared: so much more than those of the same colour, or than all."""
    lowest = lowest_by_colour(costs)
    dearest = max(lowest.values())
    return {drink: lowest.get(colour_of(drink), dearest) + UNSEEN_NATS * models.cost_per_nat
            for drink in models.textures if drink not in costs}
