"""What holds in every game of Kamikaze Cans, whatever is played."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import Over, Ply, record
from companion.engine.form import CELLS
from companion.errors import IllegalError
from companion.games.kamikaze_cans import GAME, rules
from companion.games.kamikaze_cans.actions import Explode, Move, Place
from companion.games.kamikaze_cans.state import FUSES, State
from companion.table import COLOURS, all_drinks


def start(players: int, first: int = 0, **options: object) -> State:
    setup = {"colours": list(COLOURS[:players]), "first": first}
    return GAME.start(setup, GAME.read_options(options, players), players)


STEADY = settings(max_examples=30, deadline=None, derandomize=True, database=None)

games = st.builds(
    lambda players, first, chain, choices: (players, first % players, chain, choices),
    st.integers(2, 6), st.integers(0, 5), st.booleans(), st.lists(st.integers(0, 10**6), max_size=60),
)  # fmt: skip


def states(game: tuple[int, int, bool, list[int]]) -> Any:
    players, first, chain, choices = game
    state = start(players, first, stub_cans_chain=chain)
    yield state
    for choice in choices:
        plies = list(GAME.legal(state))
        if not plies:
            return
        state = GAME.apply(state, plies[choice % len(plies)])
        yield state


@STEADY
@given(games)
def test_no_drink_is_ever_doubled_or_comes_back(game: Any) -> None:
    there = None
    for state in states(game):
        drinks = [each for each in state.grid if each] + [each for stock in state.stocks for each in stock]
        assert len(set(drinks)) == len(drinks)
        assert set(drinks) <= set(all_drinks(COLOURS[: game[0]]))
        assert there is None or set(drinks) <= there
        there = set(drinks)


@STEADY
@given(games)
def test_placements_hold_all_drinks_and_the_view_hides_none(game: Any) -> None:
    for state in states(game):
        shown = GAME.view(state, "room").placement
        left = [drink for stock in state.stocks for drink in stock] + [drink for drink in state.grid if drink]
        assert sorted(drink for pieces in shown.values() for drink in pieces) == sorted(left)
        assert GAME.view(state, 0).known == GAME.view(state, "referee").known == state


@STEADY
@given(games, st.data())
def test_any_action_is_either_listed_or_refused_with_a_rule(game: Any, data: Any) -> None:
    *_, state = states(game)
    cell = st.sampled_from(CELLS)
    action = data.draw(st.one_of(
        st.builds(Place, st.sampled_from(all_drinks()), cell), st.builds(Move, cell, cell), st.builds(Explode, cell)
    ))  # fmt: skip
    ply = Ply(data.draw(st.integers(0, 5)), action)
    if ply in set(GAME.legal(state)):
        GAME.apply(state, ply)
        return
    with pytest.raises(IllegalError) as caught:
        GAME.apply(state, ply)
    assert caught.value.rule.startswith("KC ")


@STEADY
@given(games)
def test_a_chain_of_explosions_takes_the_same_whatever_can_of_it_goes_first(game: Any) -> None:
    *_, state = states(game)
    for index, drink in enumerate(state.grid):
        if drink is None or drink.split("/")[1] not in FUSES:
            continue
        gone = set(rules.blast(state, CELLS[index]))
        for other in gone:
            if state.grid[other].split("/")[1] in FUSES:
                assert set(rules.blast(state, CELLS[other])) == gone


@STEADY
@given(games)
def test_the_record_of_any_game_comes_out_byte_for_byte(game: Any) -> None:
    players, first, chain, choices = game
    options = GAME.read_options({"stub_cans_chain": chain, "quiet_limit": 3}, players)
    setup = {"colours": list(COLOURS[:players]), "first": first}
    state = GAME.start(setup, options, players)
    written = [record.write_header(GAME, ["A"] * players, options, setup, "2026-01-01T00:00:00Z")]
    for n, choice in enumerate(choices, 1):
        plies = list(GAME.legal(state))
        if not plies:
            break
        ply = plies[choice % len(plies)]
        written.append(record.write_ply(GAME, n, ply))
        state = GAME.apply(state, ply)
    if isinstance(GAME.turn(state), Over):
        written.append(record.write_result(GAME, state))
    text = "".join(json.dumps(each) + "\n" for each in written)
    assert record.check(text, lambda _id, _colours: GAME).text == text
