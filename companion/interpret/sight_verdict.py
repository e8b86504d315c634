"""How well a table is seen, judged by its first free look, at which what stands there is known from the set-up.

Beside what is missing or seen where nothing stands, a rehearsal decides: games are made up from here on and played to
the interpretation by eyes that see each piece as they see it now, or, for it will stand elsewhere, another of its
shape. What the rules, the colours and the light of this table leave open comes out as questions, before anybody is
asked one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf
from random import Random
from typing import Any, Literal

from companion.engine import AnyGame, Json
from companion.interpret.contradictions import differences
from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.interpreter import Interpreter
from companion.interpret.layout_index import index_layout
from companion.interpret.matching import assign
from companion.interpret.tracks import Track
from companion.interpret.trial_eyes import Readings
from companion.interpret.trial_games import gone_on, judged_looks, looks_at
from companion.interpret.weighing import weigh, with_strays
from companion.table import SHAPES, Appearance, Observation, Placement, colour_of, shape_of

Reading = Mapping[Appearance, float]
"""Log-likelihoods of what a thing may be."""

SightVerdict = Literal["good", "fair", "poor"]
"""Poor: plies will be missed or asked about often. Fair: now and then."""

POOR_DIFFERENCES = 2
"""So many things that are not seen where they stand, or are seen where nothing stands, make a sight poor."""

REHEARSALS, REHEARSED_PLIES = 4, 10
GOOD_SHARE, POOR_SHARE = 0.95, 0.75
"""Of the plies of a rehearsal so many are given out right and unasked at a good sight; with fewer than these it is
poor."""

DOUBTFUL_NATS, DOUBTFUL_SHARE = 2.0, 0.15
"""A thing that leads by less over another name on the table may be taken for that as soon as it stands elsewhere; with
more of these no sight is good."""


def sight_verdict(game: AnyGame, setup: Json, state: Any, observation: Observation) -> SightVerdict:
    """The verdict on a first free look at a game that has just begun."""
    layout, here = game.layout(setup), game.placement(state)
    evidence = with_strays(weigh(observation, TableTracks(), index_layout(layout)), here)
    seen = _seen(evidence, here)
    looks = rehearsed(game, setup, state, _readings(seen))
    return verdict_from(len(differences(evidence, {}, here)), looks, _doubtful_share(seen))


def verdict_from(different: int, looks: Counter[str], doubtful_share: float = 0.0) -> SightVerdict:
    """The verdict by the number of things that differ, the looks of rehearsals by how they were taken, and the share of
    the things that may be taken for others."""
    plies = sum(looks.values()) - looks["still"]
    share = looks["right"] / plies if plies else 1.0
    if different >= POOR_DIFFERENCES or share < POOR_SHARE:
        return "poor"
    return "fair" if different or share < GOOD_SHARE or doubtful_share > DOUBTFUL_SHARE else "good"


def rehearsed(game: AnyGame, setup: Json, state: Any, readings: Readings) -> Counter[str]:
    """The looks of some made-up games from here on, by how they were taken. The same each time."""
    looks: Counter[str] = Counter()
    interpreter = Interpreter(game, game.layout(setup))
    for seed in range(REHEARSALS):
        story = gone_on(game, setup, state, Random(seed), REHEARSED_PLIES)
        shown = looks_at(story, seed, odds=(1, 0, 0), readings=readings)
        looks.update(each.taken for each in judged_looks(story, shown, interpreter, patience=0))
    return looks


def _seen(evidence: Evidence, here: Placement) -> dict[Appearance, list[Reading]]:
    """How each thing that is known to stand somewhere is seen, but for what stands on a carrier that is not."""
    seen: dict[Appearance, list[Reading]] = {}
    for spot, pieces in here.items():
        if spot in evidence.places and pieces:
            found = [(evidence.places[spot], pieces[-1])]
        else:
            things = evidence.zones.get(spot, ())
            found = [(thing, name) for thing, name in zip(things, assign(things, pieces).pieces) if name]
        for thing, name in found:
            if name in thing.costs:
                seen.setdefault(name, []).append(_loglik(thing))
    return seen


def _doubtful_share(seen: Mapping[Appearance, Sequence[Reading]]) -> float:
    """The share of the things that look almost as much, or more, like another one on the table."""
    leads = [reading[name] - max((reading[other] for other in seen if other != name and other in reading), default=-inf)
             for name, some in seen.items() for reading in some]
    return sum(lead < DOUBTFUL_NATS for lead in leads) / max(len(leads), 1)


def _readings(seen: Mapping[Appearance, Sequence[Reading]]) -> Readings:
    """What eyes in a rehearsal may read of each thing: what is read now, and of a drink also what others of its shape
    would make of it."""
    return {name: [*own, *_like_others(name, own[0], seen)] for name, own in seen.items()}


def _like_others(name: Appearance, own: Reading, seen: Mapping[Appearance, Sequence[Reading]]) -> list[Reading]:
    """A drink read in the places of the others of its shape: what tells shapes apart is taken from them."""
    if shape_of(name) not in SHAPES:
        return []
    return [_in_shape_of(name, own, other, reading) for other, some in seen.items()
            if other != name and shape_of(other) == shape_of(name) for reading in some]


def _in_shape_of(name: Appearance, own: Reading, other: Appearance, reading: Reading) -> Reading:
    """The reading `own` of a drink, with the differences between shapes of the `reading` of another one."""
    shape, far = shape_of(name), min(own.values())
    apart = {shape_of(each): reading[each] - reading[other] for each in reading if colour_of(each) == colour_of(other)}
    return {each: own.get(f"{colour_of(each)}/{shape}", far) + apart.get(shape_of(each), far) if each else own[each]
            for each in own}


def _loglik(thing: Track) -> Reading:
    return {name: -cost for name, cost in thing.costs.items()}
