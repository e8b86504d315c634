"""Games and layouts of `tests/data/cans` come out as they were written. `python -m tests.games.kamikaze_cans.kc_told`
writes them anew, and their diff shows what changed in points, values, legal plies, refusals and words."""

from __future__ import annotations

import math
from typing import Any

import pytest

from companion.engine import OpenPart, Ply
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Explode, Move, Place
from tests.games.kamikaze_cans.kc_board import position
from tests.games.kamikaze_cans.kc_told import FOLDER, TOLD, told


@pytest.mark.parametrize("name", TOLD)
def test_what_the_rules_say_is_as_it_was_written(name: str) -> None:
    assert told(name).splitlines() == (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()


# values ---------------------------------------------------------------------------------------------------------------


def logistic(nats: float) -> float:
    return 1 / (1 + math.exp(-nats))


@pytest.mark.parametrize(("drawn", "rest", "values"), [
    # red has nothing in stock: red and blue have as much, so both win, and neither wins alone
    (".. .. .. .. .. ..", {"out": "r1 r2 r3 r4 r5 r6 b1 b2 b3 b4 b5 b6"}, (0.5, 0.5)),
    ("r1 .. .. .. .. ..", {"out": "r2 r3 r4 r5 r6 b1 b2 b3 b4 b5 b6"}, (1.0, 0.0)),
    # all in stock: no lead; the seat to move may place its stub can (4)
    (".. .. .. .. .. ..", {}, (logistic(4 * 0.12), logistic(-4 * 0.12))),
    (".. .. .. .. .. ..", {"seat": 1}, (logistic(-4 * 0.12), logistic(4 * 0.12))),
    # half of a stock is gone: a lead of -1 - 2 + 2 * 7, and 4 to place
    (".. .. .. .. .. ..", {"out": "b1 b4 b5"}, (logistic((-7 + 2 - 4 + 4) * 0.21), logistic((7 - 2 + 4 - 4) * 0.21))),
])
def test_values_of_quiet_positions(drawn: str, rest: dict[str, Any], values: tuple[float, float]) -> None:
    state = position(drawn, **rest)
    assert tuple(GAME.evaluate(state, seat) for seat in (0, 1)) == pytest.approx(values)


# what stands on the table ---------------------------------------------------------------------------------------------

RED, GREEN = {"red/stub_can": 0.0}, {"green/tall_can": 0.0, "green/stub_can": 3.0}


@pytest.mark.parametrize(("stocks", "colours"), [
    (([RED], [GREEN]), ["red", "green"]),
    (([RED | {"blue/tallest_bottle": 7.0}], [GREEN]), ["red", "green"]),
    (([RED | {"blue/tallest_bottle": 6.9}], [GREEN]), [None, "green"]),
    (([RED | {"blue/tall_can": 3.6, "blue/stub_can": 3.5}, RED | {"blue/tall_can": 3.5}], [GREEN]), ["red", "green"]),
    (([RED | {"blue/tall_can": 3.4}, RED | {"blue/tall_can": 3.5}], [GREEN]), [None, "green"]),
    (([RED | {"green/tall_can": 3.4}], [GREEN | {"red/tall_can": 3.4}]), [None, None]),
    (([{"red/stub_can": 14.0}], [GREEN]), [None, "green"]),  # what nobody thought of costs 15
    (([{"red/stub_can": 8.0}], [GREEN]), ["red", "green"]),
    (([RED], []), ["red", None]), (([], [GREEN]), [None, "green"]),
])
def test_colours_that_the_stocks_show_are_settled(stocks: Any, colours: list[str | None]) -> None:
    costs = {f"stock:{seat}": things for seat, things in enumerate(stocks)}
    assert GAME.setup_seen(costs, {}, 2) == {"colours": colours, "first": None}


def test_a_stock_that_was_not_seen_settles_nothing() -> None:
    assert GAME.setup_seen({"stock:1": [GREEN]}, {}, 2) == {"colours": [None, "green"], "first": None}
    others = {f"stock:{seat}": [{f"{colour}/stub_can": 0.0}] for seat, colour in enumerate(GAME.colours[:5])}
    last = [*GAME.colours[:5], None]  # only one colour is left, but nobody saw it
    assert GAME.setup_seen(others, {}, 6) == {"colours": last, "first": None}


def test_what_is_open_in_a_set_up_is_what_nobody_has_yet() -> None:
    free = ("orange", "yellow", "green", "purple")
    assert GAME.setup_open({"colours": ["red", None, "blue", None], "first": None}) == (
        OpenPart(("colours", 1), "stock:1", free), OpenPart(("colours", 3), "stock:3", free),
        OpenPart(("first",), None, (0, 1, 2, 3)))
    assert GAME.setup_open({"colours": ["red", "blue"], "first": 1}) == ()
    assert GAME.setup_parts({"colours": ["red", None, "blue"], "first": 2}) == {
        ("colours", 0): "red", ("colours", 2): "blue"}


def test_plies_that_a_table_suggests_come_in_turn_order() -> None:
    state = position("r2 r4 b3 .. .. g5", colours="rbg", seat=1)
    there = {"grid:a2": ("red/square_sides",), "grid:c1": ("blue/tall_can",), "grid:d4": ("green/stub_can",),
             "grid:e5": ("purple/stub_can",), "grid:f1": ("green/not_tallest_bottle",), "stock:1": ("blue/stub_can",)}
    assert GAME.explain(state, there) == [(
        Ply(2, Place("green/stub_can", "d4")), Ply(0, Move("b1", "a2")), Ply(0, Explode("a1")))]
    gone = {spot: pieces for spot, pieces in there.items() if spot != "grid:c1"}
    assert GAME.explain(state, gone)[0][-1] == Ply(0, Explode("a1"))  # the first one, and that alone
    assert len(GAME.explain(state, gone)[0]) == 3
    assert GAME.explain(state, GAME.placement(state)) == []
    without_bottle = {spot: pieces for spot, pieces in GAME.placement(state).items() if spot != "grid:f1"}
    assert GAME.explain(state, without_bottle) == []
