"""A picture of a ply that nobody has played tells nothing that its observer does not know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.engine import Observer, Over, Ply
from companion.games.yuzu_twist import GAME
from companion.session.foresight import Foresight
from tests.games.yuzu_twist.yt_play import BETWEEN_A_AND_B, begin, only_a_and_b, turned

COLOURS = ([["purple"], ["blue"], ["yellow"], ["green"]], [["purple"], ["orange"], ["yellow"], ["green"]])
"""Seat 1's is nobody's in the one world, and ends the game in the other."""
COMPLETES = Ply(0, GAME.read_action({"type": "swap", "a": [*BETWEEN_A_AND_B[0]], "b": [*BETWEEN_A_AND_B[1]]}))


def world(colours: list[list[str]]) -> Any:
    """A blind game whose next swap completes a crate of each of two colours."""
    state = turned(only_a_and_b(begin(4, colours=colours)), "F")
    return replace(state, terms=replace(state.terms, blind=True))


@pytest.mark.parametrize("observer", [0, 2, 3, "room", "referee"])
def test_what_would_end_the_game_looks_the_same_whosever_the_colour_is(observer: Observer) -> None:
    worlds = [world(colours) for colours in COLOURS]
    ends = [isinstance(GAME.turn(GAME.apply(each, COMPLETES)), Over) for each in worlds]
    assert ends == [False, True]
    assert GAME.view(worlds[0], observer) == GAME.view(worlds[1], observer)
    foreseen = [Foresight(GAME, each, observer).after((COMPLETES,)) for each in worlds]
    assert foreseen[0] == foreseen[1]
    assert all(foreseen[0][f"cards:{seat}"] == ("card:back",) for seat in (1, 2, 3) if seat != observer)


def test_the_drinks_stand_where_the_swap_puts_them() -> None:
    before = world(COLOURS[0])
    then, now = Foresight(GAME, before, "room").after((COMPLETES,)), GAME.placement(before)
    a, b = (f"slot:{x},{y}" for x, y in BETWEEN_A_AND_B)
    assert (then[a], then[b]) == (now[b], now[a])


def test_where_nothing_is_hidden_all_is_foreseen() -> None:
    before = turned(only_a_and_b(begin(4, colours=COLOURS[1])), "F")
    then = Foresight(GAME, before, "room").after((COMPLETES,))
    assert then == GAME.placement(GAME.apply(before, COMPLETES))
