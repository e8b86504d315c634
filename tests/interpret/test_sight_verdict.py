"""How well a table is seen, said at its first look."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from companion.games import registry
from companion.interpret.sight_verdict import rehearsed, sight_verdict, verdict_from
from companion.interpret.trial_eyes import SURE_NATS, Readings, TrialEyes, lay_tidily
from companion.interpret.trial_games import gone_on, made_up, names_of
from companion.table import EMPTY, SHAPES, Observation, colour_of, shape_of

GAMES = ("kamikaze-cans", "yuzu-twist", "crate-wars", "pick-and-pack", "war-chest")
ALIKE_NATS = 1.0


@pytest.mark.parametrize(("different", "looks", "verdict"), [
    (0, {"right": 20, "still": 4}, "good"),
    (0, {"right": 19, "asked": 1}, "good"),
    (0, {"right": 18, "asked": 2}, "fair"),
    (0, {"right": 15, "asked": 5}, "fair"),
    (0, {"right": 14, "asked": 6}, "poor"),
    (0, {"right": 14, "missed": 3, "odd": 2, "silently wrong": 1}, "poor"),
    (1, {"right": 20}, "fair"),
    (2, {"right": 20}, "poor"),
    (1, {"right": 10, "asked": 10}, "poor"),
    (0, {"still": 3}, "good"),  # a game that is over at once
])
def test_what_differs_and_what_rehearsals_leave_open_makes_sight_worse(
    different: int, looks: dict[str, int], verdict: str
) -> None:
    assert verdict_from(different, Counter(looks)) == verdict


@pytest.mark.parametrize(("doubtful_share", "verdict"), [(0.1, "good"), (0.2, "fair")])
def test_many_things_that_look_almost_like_others_make_sight_fair(doubtful_share: float, verdict: str) -> None:
    assert verdict_from(0, Counter(right=20), doubtful_share) == verdict


def first_look(id: str, readings: Readings | None = None, without: str = "") -> tuple[str, Observation]:
    """The verdict on a game of two that has just begun, and its first look; what has readings is seen so."""
    game = registry.game(id)
    story = made_up(game, Random(3), 2, dict(game.simulation), max_plies=0)
    state = story.states[0]
    names = names_of(gone_on(game, story.setup, state, Random(1), 30))
    things = [each for each in lay_tidily(story.layout, game.placement(state)) if each.appearance != without]
    seen = TrialEyes(story.layout, names, None, readings).look(0.0, things)
    return sight_verdict(game, story.setup, state, seen), seen


@pytest.mark.parametrize("id", GAMES)
def test_perfect_eyes_see_well(id: str) -> None:
    assert first_look(id)[0] == "good"


def test_what_looks_alike_is_foreseen_to_be_asked_about() -> None:
    _, seen = first_look("kamikaze-cans")
    drinks = {max(each.loglik, key=lambda name: each.loglik[name]): each.loglik for each in seen.sights}
    alike = {name: [{other: 0.0 if other == name else -ALIKE_NATS if colour_of(other) == colour_of(name) else -SURE_NATS
                     for other in loglik}] for name, loglik in drinks.items() if "/" in name}
    assert first_look("kamikaze-cans", alike)[0] == "poor"


def test_cans_of_one_colour_that_look_alike_cast_doubt_on_those_of_the_other() -> None:
    _, seen = first_look("kamikaze-cans")
    drinks = {max(each.loglik, key=lambda name: each.loglik[name]): each.loglik for each in seen.sights}
    colour, low = max(colour_of(name) for name in drinks if "/" in name), SHAPES[:2]
    cans = {f"{colour}/{shape}" for shape in SHAPES[:3]}
    alike = {name: [{other: 0.0 if other == name else -ALIKE_NATS if other in cans else -SURE_NATS for other in loglik}]
             for name, loglik in drinks.items() if name in cans and shape_of(name) in low}
    assert first_look("kamikaze-cans", alike)[0] == "fair"


def test_a_thing_that_is_not_found_makes_sight_fair_at_best() -> None:
    _, seen = first_look("kamikaze-cans")
    missing = next(name for each in seen.sights for name, nats in each.loglik.items() if nats == 0.0 and "/" in name)
    assert first_look("kamikaze-cans", without=missing)[0] != "good"


def test_a_crate_of_the_set_up_that_is_not_found_makes_sight_poor() -> None:
    game = registry.game("yuzu-twist")
    story = made_up(game, Random(3), 2, max_plies=0)
    _, seen = first_look("yuzu-twist")
    crate = next(sight.spot for sight in seen.sights if sight.likeliest == "crate")
    slots = {place.spot for place in story.layout.places if place.on == crate}
    without = tuple(replace(sight, loglik={EMPTY: 0.0, "crate": -30.0}) if sight.spot == crate else sight
                    for sight in seen.sights if sight.spot not in slots)
    assert len(without) < len(seen.sights)
    assert sight_verdict(game, story.setup, story.states[0], replace(seen, sights=without)) == "poor"


def test_a_rehearsal_is_the_same_each_time() -> None:
    game = registry.game("kamikaze-cans")
    story = made_up(game, Random(3), 2, max_plies=0)
    looks = [rehearsed(game, story.setup, story.states[0], {}) for _ in range(2)]
    assert looks[0] == looks[1]
    assert looks[0]["right"] > 10
