"""Set-ups that are read from a table: clear eyes tell all, noisy eyes tell nothing wrongly, and people say the rest."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine import Recognising
from companion.engine.assignment import linear_assignment
from companion.engine.recognise import filled, leaves, settled
from companion.games import registry
from companion.table import EMPTY, SHAPES, all_drinks, colour_of, shape_of, standing

GAMES = [("kamikaze-cans", 3), ("crate-wars", 2), ("yuzu-twist", 2), ("yuzu-twist", 3), ("pick-and-pack", 2),
         ("war-chest", 2), ("war-chest", 4)]
OTHER_NATS = 12.0
Costs = dict[str, list[dict[str, float]]]


def costs_of(game: Any, setup: Any, players: int, rng: Random, blur: float) -> Costs:
    """What honest eyes say: a drink's height is measured with an error of `blur` shapes, all else is clear."""
    options = game.read_options({}, players)
    placed = game.placement(game.start(setup, options, players))
    layout = standing(game.layout(setup), placed)
    heaps = {zone.spot: zone.heap for zone in layout.zones}
    names = sorted({piece for pieces in placed.values() for piece in pieces} | set(all_drinks()))
    found: Costs = {}
    for spot in (*heaps, *(place.spot for place in layout.places)):
        pieces = placed.get(spot, ())
        tops = pieces[-1:] if heaps.get(spot) in (None, "pile") else tuple(dict.fromkeys(pieces))
        found[spot] = [_costs(piece, names, rng, blur) for piece in (pieces if heaps.get(spot) == "spread" else tops)]
    return found


def _costs(piece: str, names: list[str], rng: Random, blur: float) -> dict[str, float]:
    measured = SHAPES.index(shape_of(piece)) + rng.gauss(0.0, blur) if "/" in piece else 0.0
    costs = {EMPTY: 20.0}
    for name in names:
        costs[name] = 0.0 if name == piece else OTHER_NATS
        if "/" in name and "/" in piece:
            off = (SHAPES.index(shape_of(name)) - measured) / blur
            costs[name] = off * off / 2 + (0.0 if colour_of(name) == colour_of(piece) else OTHER_NATS)
    best = min(costs.values())
    return {name: min(15.0, cost - best) for name, cost in costs.items()}


def dealt(id: str, players: int, seed: int, blur: float) -> tuple[Any, Any, Any]:
    """A game, a set-up, and the set-up as it is seen."""
    game, rng = registry.game(id), Random(seed)
    options = game.read_options({}, players)
    setup = game.read_setup(game.deal(players, options, rng), options, players)
    assert isinstance(game, Recognising)
    return game, setup, game.setup_seen(costs_of(game, setup, players, rng, blur), options, players)


@pytest.mark.parametrize(("id", "players"), GAMES)
def test_clear_eyes_tell_the_whole_set_up(id: str, players: int) -> None:
    for seed in range(5):
        game, setup, seen = dealt(id, players, seed, blur=0.1)

        assert game.setup_parts(seen) == game.setup_parts(setup)


@pytest.mark.wide
@pytest.mark.parametrize(("id", "players"), GAMES)
@pytest.mark.parametrize("blur", [0.4, 0.8])
def test_blurred_eyes_leave_open_what_they_cannot_tell(id: str, players: int, blur: float) -> None:
    for seed in range(5):
        game, setup, seen = dealt(id, players, seed, blur)

        assert game.setup_parts(seen).items() <= game.setup_parts(setup).items()


@pytest.mark.parametrize(("id", "players"), GAMES)
def test_what_is_open_is_filled_up_by_a_person(id: str, players: int) -> None:
    game, setup, seen = dealt(id, players, 1, blur=0.8)
    options = game.read_options({}, players)
    truth, spots = game.setup_parts(setup), set(costs_of(game, setup, players, Random(1), 1.0))

    while parts := game.setup_open(seen):
        assert {part.path for part in parts} == {path for path, value in leaves(seen) if value is None}
        part = parts[0]
        assert part.spot is None or part.spot in spots | {"board"}
        tries = [filled(seen, part.path, choice) for choice in part.choices]
        seen = next(each for each in tries if game.setup_parts(each).items() <= truth.items())

    assert game.setup_parts(game.read_setup(seen, options, players)) == truth


@pytest.mark.parametrize(("id", "players"), GAMES)
def test_nothing_seen_tells_nothing(id: str, players: int) -> None:
    game = registry.game(id)
    seen = game.setup_seen({}, game.read_options({}, players), players)  # type: ignore[attr-defined]

    assert game.setup_parts(seen) == {}  # type: ignore[attr-defined]


def test_crates_that_are_turned_or_named_otherwise_look_the_same() -> None:
    game, setup, _ = dealt("yuzu-twist", 2, 3, blur=0.1)
    crates = dict(setup["crates"])
    turned = {**crates["A"], "turned": True, "slots": crates["A"]["slots"][::-1]}
    other = {**setup, "crates": {**crates, "A": crates["D"], "D": turned}}

    assert game.setup_parts(game.read_setup(other, {}, 2)) == game.setup_parts(setup)


def test_a_hidden_drink_of_a_supply_is_settled_by_the_rule_of_three() -> None:
    game, setup, _ = dealt("crate-wars", 2, 3, blur=0.1)
    costs = costs_of(game, setup, 2, Random(3), 0.1)
    hidden = min(costs["supply:0"][4], key=costs["supply:0"][4].__getitem__)
    del costs["supply:0"][4]
    costs["supply:1"].append({EMPTY: 0.0, **dict.fromkeys(all_drinks(), 9.0)})  # and a shadow beside the other supply

    assert hidden in game.setup_seen(costs, {}, 2)["supplies"][0]


def test_two_equal_doubts_settle_each_other_only_if_names_are_short() -> None:
    doubt = {"a": 0.0, "b": 1.0}

    assert settled([doubt, {"b": 0.0, "a": 20.0}], {"a": 1, "b": 1}) == ["a", "b"]
    assert settled([doubt, {"b": 0.0, "a": 20.0}], {"a": 1, "b": 2}) == [None, "b"]
    assert settled([doubt, doubt], {"a": 1}) == [None, None]


def test_each_row_gets_a_column_of_its_own() -> None:
    assert linear_assignment([[0.0, 1.0, 9.0], [0.0, 5.0, 9.0]]) == (1.0, [1, 0])
