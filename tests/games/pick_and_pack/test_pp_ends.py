"""PP 5: how games end and are scored; actions of a wrong form."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import Over, play
from companion.errors import InvalidError
from companion.games.pick_and_pack import GAME
from tests.games.pick_and_pack.pp_play import WORDS, activate, breaks, grab, position, setup

# PP 5 -----------------------------------------------------------------------------------------------------------------


def test_four_closed_crates_end_the_game_at_once() -> None:  # PP 5.1
    state = position(empty="a4", red=["5p", "4w", "3p", "2"], stored=(1, 0), usable=1)
    over = activate(state, "a4", "top", crate=4)
    assert GAME.turn(over) == Over((0,), "all crates closed")
    others = position(empty="b4", blue=["5p", "4w", "3p", "2"])
    assert GAME.turn(activate(others, "b4", "top", crate=4)) == Over((1,), "all crates closed")


def test_no_move_at_the_start_of_a_turn_ends_the_game() -> None:  # PP 5.2
    state = position(back="c1 c2 c4 c5 c6", at="a3", stored=(0, 2), red=["9", "", "", ""])
    over = grab(state, "c3", 2)
    assert GAME.turn(over) == Over((0,), "no legal move")
    # nobody is stopped by a missing move for a rush
    stuck = replace(position(back="b4 c4 d4 e4 f4", at="f4"), stored=(1, 0), usable=1)
    assert grab(stuck, "a4").over == ""


def test_points_of_open_premium_and_wholesale_crates() -> None:  # PP 5.3
    state = position(red=["12", "33p", "5w", "3w"], blue=["", "p", "w", "111"])
    assert GAME.scores(state) == (3 + 12 + 2 + 1, 3)


def test_equal_points_win_for_both() -> None:  # PP 5.4
    state = position(empty="a4", red=["5p", "w", "w", ""], blue=["55", "", "", ""])
    assert GAME.turn(activate(state, "a4", "top", crate=4)) == Over((0, 1), "all crates closed")


@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_games_end_within_sixty_moves_and_no_tray_is_lost(seed: int) -> None:  # PP 5.5
    rng = Random(seed)
    moves = 0
    state = GAME.start(GAME.deal(2, {}, rng), {}, 2)
    for before, ply in play.random_game(GAME, state, rng, 500):
        moves += ply.action.type in ("grab", "activate")
        state = GAME.apply(before, ply)
        in_crates = [apples for side in state.crates for crate in side for apples in crate.trays]
        assert len(in_crates) + sum(apples != 0 for apples in state.trays) == 36
    assert isinstance(GAME.turn(state), Over)
    assert moves <= 60


def test_after_the_end_nothing_is_played() -> None:  # PP 5.6
    over = activate(position(empty="a4", red=["5p", "4w", "3p", "2"]), "a4", "top", crate=4)
    assert list(GAME.legal(over)) == []
    with breaks("PP 5.6"):
        grab(over, "b4")


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "grab", "to": "g1", "crate": 1},
        {"type": "grab", "to": "a1", "crate": 5},
        {"type": "grab", "to": "a1", "crate": "1"},
        {"type": "grab", "to": "a1"},
        {"type": "grab", "to": "a1", "crate": 1, "end": "top"},
        {"type": "activate", "to": "a1", "end": "front"},
        {"type": "activate", "to": "a1", "end": "top", "crate": None},
        {"type": "activate", "to": "a1", "end": "top", "tile": ["left", 7]},
        {"type": "activate", "to": "a1", "end": "top", "tile": ["left"]},
        {"type": "activate", "to": "a1", "end": "top", "tray": 1},
        {"type": "rush", "to": "a1"},
        {"type": "pass"},
    ],
)
def test_actions_of_a_wrong_form_are_refused(broken: Any) -> None:
    with pytest.raises(InvalidError):
        GAME.read_action(broken)


def test_players_are_told_how_to_lay_the_table() -> None:
    told = [WORDS.say(phrase) for phrase in GAME.instructions(setup())]
    assert told[3] == "Row 4 from the front, left to right: trays with 3, 3, 6, 3, 3 and 3 apples."
    assert told[-1] == "The grabber stands on c4."
    assert len(told) == 6 + 4 + 1
