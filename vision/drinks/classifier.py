"""The classifier of one place or one standing thing: the cost of each drink, and of nothing, given what is seen there.

    reading = read_drink(scene, DrinkPose(np.array([x, y, 0.0]), 0.0), pieces.on_table)
    sight = pieces.on_table.loglik(reading)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.table import EMPTY, Appearance, shape_of
from vision.drinks.canvas import ShapePose
from vision.drinks.coarse_level import Compared, Penalty
from vision.drinks.coarse_to_fine import CoarseToFineSearch, cheapest
from vision.drinks.crop import Crop, background_share
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import NO_PRIOR, DrinkPrior, DrinkReading
from vision.drinks.models import Models
from vision.drinks.pattern_search import UNIT_PX, Offset, ShiftTrial
from vision.drinks.search_area import SearchArea, TurnedShape, make_search_area
from vision.drinks.second_opinion import is_seen_in_slot, is_surely_seen, with_added, with_shapes
from vision.drinks.seeds import starts_by_lid, starts_by_middle
from vision.drinks.slot_evenness import altered_cost, raised_cost, uneven_cost
from vision.imaging.arrays import Floats
from vision.imaging.camera import View
from vision.photometry.shadow_tint import LIGHTEST_SHADOW
from vision.scene.scene import Scene

SLOT_PLAY_SD_MM = 0.27
"""Prior of a drink's offset from its slot's middle, along x and along y (standard deviation): slots are 1.3 mm wider
than drinks (0.25 mm in the enrolments at hand), and a crate's fit has an error of 0.1 mm."""

EMPTY_SLOT_SHARE, CLEARLY_EMPTY_NATS = 0.95, 15.0
"""A slot is clearly empty when more than this share of the pixels where any drink would be seen look like the slot
itself: a body may have the colour of the crate, but a cap has not, and it covers a tenth. Then every drink gets this
much worse a cost; otherwise all are compared."""

FREE_LIGHT_NATS, UNEVEN_NATS = 6.0, 20.0
"""What it costs to take a slot for empty, for its background has the lightness that is seen, at each pixel, while a
drink has to explain it (`tests/vision/score_empty_slots.py`); and the most that it costs besides where its light does
not look like an empty one's: what came to stand beside it may throw a shadow there. On the open table, too, where the
network sees a drink, shadows that nobody else threw are not free."""

UNCHANGED_NATS, NOISE_NATS = 1.0, 4.0
"""The earlier reading of a slot is kept when the cost of its best drink rose by at most the first, and when the
differences of the other costs from it changed by at most this. Where noise alone changed the slot, that cost may rise
by as much as the second."""

SQUARE_TURNS_DEG = (0.0, 15.0, 30.0, 45.0, 60.0, 75.0)


def read_drink(scene: Scene, pose: DrinkPose, models: Models, prior: DrinkPrior = NO_PRIOR) -> DrinkReading:
    """Compare all drinks with what is seen at a pose, each at the offset and turn with the lowest cost."""
    turned = [(shape, turn) for shape in models.solids for turn in _turns(shape, pose, prior)]
    by_lid = _starts_by_lid(scene.view, pose, models, prior)
    area = make_search_area(scene, pose, models, prior, [*turned, *turned] if by_lid else turned, by_lid.values())
    uneven = min(_uneven(scene, pose, prior.number), UNEVEN_NATS * models.cost_per_nat)
    looks_bare = pose.in_slot and not uneven and (
        background_share(area.crop, area.shapes.anywhere) > EMPTY_SLOT_SHARE)
    if looks_bare and not is_seen_in_slot(scene, pose, models):
        return _clearly_empty(pose, models, area.crop)
    compared = _compared(scene, pose, models, area)
    search = CoarseToFineSearch(compared)
    for_empty = uneven + (FREE_LIGHT_NATS * models.cost_per_nat if pose.in_slot else 0.0)
    if prior.before is not None and not prior.before.is_empty:
        compare = _where_it_stood if prior.stands_still else _unchanged
        again = compare(prior.before, compared, search, for_empty)
        if again is not None:
            return again
    by_middle = starts_by_middle(scene.view, pose, models, prior.likely_shape, area.reach)
    starts = _starts(turned, by_middle, by_lid)
    if prior.must_gain and _most_gain(area, starts, models) < prior.least_gain:
        return _clearly_empty(pose, models, area.crop)
    found = search.find(starts, area.reach, area.crop.empty + prior.least_gain, prior.likely_shape)
    if found is None:
        return _clearly_empty(pose, models, area.crop)
    places, costs = found
    reading = _reading(scene.view, pose, area, starts, places, {EMPTY: area.crop.empty + for_empty, **costs})
    reading = with_shapes(scene, reading, models)
    return reading if pose.in_slot or not is_surely_seen(reading) else _out_of_shadow(scene, area, reading, models)


def confirmed(scene: Scene, before: DrinkReading, models: Models, number: int) -> DrinkReading | None:
    """An earlier reading on the open table with its costs from the present picture, beside what has been drawn into the
    scene since; None if that changed more than what all drinks cost there."""
    turned = [(shape, before.turns_deg[shape]) for shape in models.solids]
    area = make_search_area(scene, before.pose, models, DrinkPrior(number), turned)
    compared = _compared(scene, before.pose, models, area)
    return _unchanged(before, compared, CoarseToFineSearch(compared), 0.0)


def _compared(scene: Scene, pose: DrinkPose, models: Models, area: SearchArea) -> Compared:
    """What is seen in a search area, to be compared with all shapes there."""
    poses = area.shapes.poses
    return Compared(area.crop, models, poses, area.shapes.canvas, _prior_cost(scene, pose, models, poses),
                    scene.shadow.mixture)


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
    if prior.like is None or prior.lid_only:
        return SQUARE_TURNS_DEG
    step = SQUARE_TURNS_DEG[1]
    turn = prior.like.turns_deg[shape]
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


def _unchanged(before: DrinkReading, compared: Compared, search: CoarseToFineSearch, for_empty: float
               ) -> DrinkReading | None:
    """The earlier reading with its costs from the present picture: drinks close to the best are compared again at their
    earlier offsets. None if a cost changed by more than `UNCHANGED_NATS`. `for_empty`: what a slot costs besides for
    being empty."""
    known, limit = before.rendered_costs, UNCHANGED_NATS * compared.models.cost_per_nat
    if search.costs_at(_offsets(before, compared), (before.best,))[before.best] - known[before.best] > limit:
        return None
    now = _again(before, compared, search, for_empty)
    rendered = now.rendered_costs
    worse = {drink: rendered[drink] - known[drink] for drink in compared.models.textures}
    shift = worse[before.best]
    changed = max(shift, *(abs(each - shift) for each in worse.values()))
    return None if now.is_empty or changed > limit else now


def _where_it_stood(before: DrinkReading, compared: Compared, search: CoarseToFineSearch, for_empty: float
                    ) -> DrinkReading | None:
    """The same, but None only if none or one of another shape is likelier than the drink that stood there, or if more
    than noise speaks against that."""
    now = _again(before, compared, search, for_empty)
    best, worse = cheapest(now.costs), now.rendered_costs[before.best] - before.rendered_costs[before.best]
    if best == EMPTY or shape_of(best) != shape_of(before.best) or worse > NOISE_NATS * compared.models.cost_per_nat:
        return None
    return replace(now, best=best)


def _again(before: DrinkReading, compared: Compared, search: CoarseToFineSearch, for_empty: float) -> DrinkReading:
    """The earlier reading with its costs from the present picture."""
    rendered = before.rendered_costs
    known = {drink: rendered[drink] for drink in compared.models.textures}
    costs = search.fine_costs(_offsets(before, compared), known)
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


def _reading(view: View, pose: DrinkPose, area: SearchArea, starts: Sequence[Offset], places: Mapping[int, Offset],
             costs: Mapping[Appearance, float]) -> DrinkReading:
    """The reading from the best pose of each shape, with its offset from where the search of all began, and the costs
    of all hypotheses there."""
    at_px = view.project(pose.foot_mm)[0] + np.array(list(places.values())) * UNIT_PX
    found = {area.shapes.poses[index].shape: index for index in places}
    feet = dict(zip(found, [(x, y) for x, y in view.to_table(at_px, float(pose.foot_mm[2])).tolist()]))
    turns = {shape: area.shapes.poses[index].turn_deg for shape, index in found.items()}
    offsets = {shape: places[index] for shape, index in found.items()}
    drinks = {drink: cost for drink, cost in costs.items() if drink != EMPTY}
    best = cheapest(drinks)
    shape = shape_of(best)
    strayed_px = UNIT_PX * float(np.abs(np.subtract(offsets[shape], starts[found[shape]])).max())
    return DrinkReading(pose, costs, {drink: feet[shape_of(drink)] for drink in drinks}, best, offsets[shape],
                        turns[shape], len(area.crop.domain.flat), turns, offsets, strayed_px)
