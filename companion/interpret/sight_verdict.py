"""How well a table is seen, judged by its first free look, at which what stands there is known from the set-up.

Beside what is missing or seen where nothing stands, a rehearsal decides: games are made up from here on and played to
the interpretation by eyes that see each piece as they see it now. What the rules, the colours and the light of this
table leave open comes out as questions, before anybody is asked one.
"""

from __future__ import annotations

from collections import Counter
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
from companion.table import Appearance, Observation, Placement

SightVerdict = Literal["good", "fair", "poor"]
"""Poor: plies will be missed or asked about often. Fair: now and then."""

POOR_DIFFERENCES = 2
"""So many things that are not seen where they stand, or are seen where nothing stands, make a sight poor."""

REHEARSALS, REHEARSED_PLIES = 2, 10
GOOD_SHARE, POOR_SHARE = 0.95, 0.75
"""Of the plies of a rehearsal so many are given out right and unasked at a good sight; with fewer than these it is
poor."""


def sight_verdict(game: AnyGame, setup: Json, state: Any, observation: Observation) -> SightVerdict:
    """The verdict on a first free look at a game that has just begun."""
    layout, here = game.layout(setup), game.placement(state)
    evidence = with_strays(weigh(observation, TableTracks(), index_layout(layout)), here)
    looks = rehearsed(game, setup, state, _readings(evidence, here))
    return verdict_from(len(differences(evidence, {}, here)), looks)


def verdict_from(different: int, looks: Counter[str]) -> SightVerdict:
    """The verdict by the number of things that differ, and the looks of rehearsals by how they were taken."""
    plies = sum(looks.values()) - looks["still"]
    share = looks["right"] / plies if plies else 1.0
    if different >= POOR_DIFFERENCES or share < POOR_SHARE:
        return "poor"
    return "fair" if different or share < GOOD_SHARE else "good"


def rehearsed(game: AnyGame, setup: Json, state: Any, readings: Readings) -> Counter[str]:
    """The looks of some made-up games from here on, by how they were taken. The same each time."""
    looks: Counter[str] = Counter()
    interpreter = Interpreter(game, game.layout(setup))
    for seed in range(REHEARSALS):
        story = gone_on(game, setup, state, Random(seed), REHEARSED_PLIES)
        shown = looks_at(story, seed, odds=(1, 0, 0), readings=readings)
        looks.update(each.taken for each in judged_looks(story, shown, interpreter, patience=0))
    return looks


def _readings(evidence: Evidence, here: Placement) -> Readings:
    """How each thing that is known to stand somewhere is seen."""
    found: dict[Appearance, list[dict[Appearance, float]]] = {}
    for spot, pieces in here.items():
        if spot in evidence.places and pieces:
            seen = [(evidence.places[spot], pieces[-1])]
        else:
            things = evidence.zones.get(spot, ())
            seen = [(thing, name) for thing, name in zip(things, assign(things, pieces).pieces) if name]
        for thing, name in seen:
            found.setdefault(name, []).append(_loglik(thing))
    return found


def _loglik(thing: Track) -> dict[Appearance, float]:
    return {name: -cost for name, cost in thing.costs.items()}
