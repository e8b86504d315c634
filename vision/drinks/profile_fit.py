"""The profile of each shape, fitted to enrolment pictures.

Analysis by synthesis: a grid over the parameters in which the cost of a bottle has several minima, then cyclic
coordinate descent with shrinking steps (S. Wright, "Coordinate descent algorithms", Math. Program. 151, 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.table import Piece, shape_of
from vision.drinks.band_unmixing import unmix, unmixing_loss
from vision.drinks.domain import Domain
from vision.drinks.exemplar import Exemplar, domain_around, group_by_drink, sample_bands
from vision.drinks.ring_solid import Profile, make_solid

DESCENT_ROUNDS, STEP_SHRINKAGE = 4, 0.6
"""Rounds of coordinate descent, and the factor of the steps after each."""

UNUSUAL_WEIGHT = 0.5
"""Weight of the prior: the distance of a profile from the usual one of its size."""

SHOULDERS, NECKS, COLLARS = (0.42, 0.5, 0.58, 0.66), (0.6, 0.7, 0.8), (0.8, 0.9)
"""The grid of a bottle's shoulder, neck, and lower edge of its cap, as shares of its height."""


@dataclass(frozen=True, slots=True)
class Freedom:
    """A free parameter of a profile: its limits and the first step of its line search (mm)."""

    name: str
    low: float
    high: float
    step: float


def first_profile(shape: str, size_mm: tuple[float, float, float], round_: bool) -> Profile:
    """The usual profile of a drink of this size (mm)."""
    radius, height = size_mm[0] / 2, size_mm[2]
    if shape.endswith("can"):
        return Profile(height, 0.96 * radius, height - 1, height, 0.91 * radius, 0.87 * radius)
    shoulder, neck = (0.5, 0.78) if round_ else (0.6, 0.84)
    return Profile(height, 0.97 * radius, shoulder * height, neck * height, 0.55 * radius, 0.55 * radius, not round_,
                   throat=0.5 * radius, collar=0.87 * height)


def first_profiles(shapes: Mapping[str, Piece]) -> dict[str, Profile]:
    """The usual profile of each shape."""
    return {shape: first_profile(shape, piece.size_mm, piece.round) for shape, piece in shapes.items()}


def freedoms(profile: Profile, radius_mm: float) -> tuple[Freedom, ...]:
    """The free parameters: the foot, of a can its rim, of a bottle its shoulder, neck and cap, of a square one its
    upright edges."""
    height = profile.height
    body = Freedom("body", 0.9 * radius_mm, 1.0 * radius_mm, 0.1)
    foot = Freedom("foot", 0.0, 0.3 * radius_mm, 0.4)
    if profile.is_can:
        return (body, foot, Freedom("top", 0.8 * radius_mm, radius_mm, 0.15),
                Freedom("lid", 0.75 * radius_mm, radius_mm, 0.15), Freedom("shoulder", height - 2.0, height - 0.4, 0.4))
    edges = (Freedom("corner", 0.05 * radius_mm, 0.6 * radius_mm, 0.6),) if profile.square else ()
    return (*edges, body, foot, Freedom("shoulder", 0.25 * height, 0.75 * height, 1.2),
            Freedom("neck", 0.4 * height, 0.95 * height, 1.2), Freedom("top", 0.35 * radius_mm, 0.75 * radius_mm, 0.15),
            Freedom("throat", 0.3 * radius_mm, 0.75 * radius_mm, 0.15),
            Freedom("collar", 0.4 * height, 0.95 * height, 0.8))


def fit_profiles(exemplars: Sequence[Exemplar], shapes: Mapping[str, Piece], start: Mapping[str, Profile] | None = None,
                 progress: Callable[[float], None] = lambda _: None) -> dict[str, Profile]:
    """The profile of each shape, of which `shapes` has a piece, from drinks on the open table. All cans share one rim.

    `start`: initial profiles, if not the usual ones. `progress` is called with the share that is done, 0 to 1.
    """
    first = first_profiles(shapes)
    found: dict[str, Profile] = {}
    for done, (shape, piece) in enumerate(shapes.items(), 1):
        own = [each for each in exemplars if shape_of(each.drink) == shape]
        found[shape] = _fit(own, first[shape], (start or first)[shape], piece.size_mm[0] / 2)
        progress(done / len(shapes))
    cans = [shape for shape in found if first[shape].is_can]
    return {shape: _share_rim(found[shape], [found[can] for can in cans]) if shape in cans else found[shape]
            for shape in found}


def _share_rim(can: Profile, cans: Sequence[Profile]) -> Profile:
    """Every can has the mean rim, and foot, of all."""
    ends = zip(*((can.body, can.top, can.lid, can.foot) for can in cans))
    body, top, lid, foot = (float(np.mean(each)) for each in ends)
    slope = float(np.mean([each.height - each.shoulder for each in cans]))
    return replace(can, body=body, top=top, lid=lid, foot=foot, shoulder=can.height - slope)


Cost = Callable[[Profile], float]


def _fit(exemplars: Sequence[Exemplar], first: Profile, start: Profile, radius_mm: float) -> Profile:
    """The best of a coarse grid, for a bottle, then coordinate descent with shrinking steps."""
    if not exemplars:
        return start
    solid = make_solid(start)
    compared = [[(each, domain_around(each, solid)) for each in some] for some in group_by_drink(exemplars).values()]

    def cost(tried: Profile) -> float:
        return _misfit(compared, tried) * (1 + _strangeness(tried, first))

    starts = [start, *_grid(start)]
    costs = [cost(each) for each in starts]
    lowest = min(costs)
    profile = starts[costs.index(lowest)]
    for round_ in range(DESCENT_ROUNDS):
        for freedom in freedoms(profile, radius_mm):
            profile, lowest = _line_search(cost, profile, lowest, freedom, freedom.step * STEP_SHRINKAGE ** round_)
    return profile


def _grid(profile: Profile) -> list[Profile]:
    """Profiles of a bottle with other shoulders, necks and caps; none for a can."""
    if profile.is_can:
        return []
    height = profile.height
    return [replace(profile, shoulder=shoulder * height, neck=neck * height, collar=collar * height)
            for shoulder in SHOULDERS for neck in NECKS for collar in COLLARS if shoulder < neck <= collar]


def _line_search(cost: Cost, profile: Profile, lowest: float, freedom: Freedom, step: float) -> tuple[Profile, float]:
    """The profile, whose cost is `lowest`, with one parameter changed in steps, up or down, as long as the cost
    falls."""
    before = lowest
    for by in (step, -step):
        while True:
            tried = _changed(profile, freedom, by)
            if tried is None or (now := cost(tried)) >= lowest:
                break
            profile, lowest = tried, now
        if lowest < before:
            break  # the other way leads back to where it came from
    return profile, lowest


def _strangeness(profile: Profile, first: Profile) -> float:
    """The prior's penalty of a profile: the factor, less 1, by which it raises the loss."""
    off = np.array([profile.shoulder - first.shoulder, profile.neck - first.neck]) / first.height
    return UNUSUAL_WEIGHT * float(off @ off)


def _changed(profile: Profile, freedom: Freedom, by: float) -> Profile | None:
    """The profile with one parameter changed; None when it would be invalid."""
    value = getattr(profile, freedom.name) + by
    if not freedom.low <= value <= freedom.high:
        return None
    changed = replace(profile, **{freedom.name: value})
    if not profile.is_can:
        changed = replace(changed, lid=changed.top)
        fits = changed.shoulder + 1 <= changed.neck <= changed.collar and changed.throat <= changed.top
        return changed if fits else None
    return changed if changed.lid <= changed.top <= changed.body else None


def _misfit(compared: Sequence[Sequence[tuple[Exemplar, Domain]]], profile: Profile) -> float:
    """The loss when each band of each drink, given by its exemplars, has its best colour."""
    solid = make_solid(profile)
    total = 0.0
    for some in compared:
        samples = [sample_bands(each, solid, domain) for each, domain in some]
        total += unmixing_loss(samples, unmix(samples, solid.cap))
    return total
