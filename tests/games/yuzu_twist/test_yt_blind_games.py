"""YT 7, what a blind game shows; whole games; actions of a wrong form."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import Observer, play
from companion.engine.conformance import conforms
from companion.errors import InvalidError
from companion.games.yuzu_twist import GAME
from companion.games.yuzu_twist.state import START_CELLS
from tests.games.yuzu_twist.yt_play import (
    BETWEEN_A_AND_B,
    OWN,
    WORDS,
    begin,
    crate,
    drinks_by_slot,
    only_a_and_b,
    setup,
    standing_as,
    swap,
    turned,
)

# YT 7 -----------------------------------------------------------------------------------------------------------------


def test_in_a_blind_game_only_the_own_colours_are_seen() -> None:  # YT 7.1
    state = begin(4, {"blind": True})
    everybody: tuple[Observer, ...] = (0, 1, 2, 3, "room", "referee")
    for observer in everybody:
        seen: Any = GAME.view(state, observer)
        assert seen.known.terms.colours == tuple(
            own if seat == observer else None for seat, own in enumerate(state.terms.colours)
        )
        assert [seen.placement[f"cards:{seat}"] for seat in range(4)] == [("card:back",)] * 4
        assert len(seen.facts) == int(isinstance(observer, int))
    assert GAME.view(begin(4), "room").known == begin(4)


def test_what_is_told_of_a_blind_game_does_not_depend_on_others_colours() -> None:  # YT 7.1
    other = [OWN[4][0], *[[colour] for colour in ("purple", "blue", "orange")]]
    one, two = begin(4, {"blind": True}), begin(4, {"blind": True}, colours=other)
    for observer in (0, "room", "referee"):
        assert GAME.view(one, observer) == GAME.view(two, observer)
    assert GAME.view(one, 1) != GAME.view(two, 1)


@pytest.mark.parametrize("players", GAME.seats)
def test_blind_games_keep_the_laws(players: int) -> None:  # YT 7.1
    conforms(GAME, players, WORDS, Random(players), {"blind": True}, 40)


def test_a_colour_that_turned_out_to_be_nobodys_is_dealt_to_nobody() -> None:  # YT 7.1
    free = [["purple"], ["blue"], ["yellow"], ["green"]]
    state = swap(turned(only_a_and_b(begin(4, {"blind": True}, colours=free)), "F"), *BETWEEN_A_AND_B)
    for seed in range(30):
        dealt = GAME.possible(GAME.view(state, 0), Random(seed)).terms.colours
        assert dealt[0] == ("purple",)
        assert {"red", "orange"}.isdisjoint(colour for own in dealt for colour in own)
        assert len({colour for own in dealt for colour in own}) == 4


def test_when_the_game_is_over_all_is_shown() -> None:  # YT 7.2
    state = turned(only_a_and_b(begin(2, {"blind": True})), "F")
    won = swap(state, *BETWEEN_A_AND_B)
    assert GAME.view(won, "room").known == won
    assert GAME.view(won, 1).placement["cards:0"] == ("card:red", "card:orange", "card:yellow")


def test_the_set_up_of_a_blind_game_is_shown_without_colours() -> None:  # YT 7.3
    options = GAME.read_options({"blind": True}, 2)
    shown_to: list[tuple[Observer, Any]] = [("room", [None] * 2), ("referee", [None] * 2), (1, [None, OWN[2][1]])]
    for observer, shown in shown_to:
        assert GAME.open_setup(setup(), options, observer) == setup(colours=shown)
    assert "red" not in json.dumps(GAME.open_setup(setup(), options, "room")["colours"])
    assert GAME.open_setup(setup(), GAME.read_options({}, 2), "room") == setup()


# whole games ----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.integers(1, 6))
@settings(max_examples=30, deadline=None)
def test_crates_hang_together_and_drinks_stay(seed: int, players: int) -> None:
    rng = Random(seed)
    options = GAME.read_options({}, players)
    dealt = GAME.deal(players, options, rng)
    start = GAME.start(GAME.read_setup(dealt, options, players), options, players)
    every = sorted(drink for drinks in start.drinks for drink in drinks)
    for state, _ in play.random_game(GAME, start, rng, 60):
        assert sorted(map(str, drinks_by_slot(state).values())) == every
        assert len(set(state.cells)) == 6
        assert all(
            any(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for b in state.cells if b != a) for a in state.cells
        )


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "crate", "crate": "G", "to": [0, 0], "turn": True},
        {"type": "crate", "crate": "A", "to": [0], "turn": True},
        {"type": "crate", "crate": "A", "to": [0, 0, 0], "turn": True},
        {"type": "crate", "crate": "A", "to": [0, 0.0], "turn": True},
        {"type": "crate", "crate": "A", "to": [0, 0], "turn": 1},
        {"type": "crate", "crate": "A", "to": [0, 0]},
        {"type": "swap", "a": [0, 0]},
        {"type": "swap", "a": [0, 0], "b": ["0", 1]},
        {"type": "swap", "a": [0, 0], "b": [0, 1], "c": 1},
        {"type": "done", "crate": "A"},
        {"crate": "A"},
    ],
)
def test_actions_of_a_wrong_form_are_refused(broken: Any) -> None:
    with pytest.raises(InvalidError):
        GAME.read_action(broken)


def test_a_group_that_wandered_off_the_lattice_is_shown_shifted_back() -> None:
    far = standing_as(begin(), *((i + 40, j - 70) for i, j in START_CELLS))
    spots = {place.spot for place in GAME.layout(setup()).places}
    shown = {spot for spot in GAME.placement(far) if not spot.startswith("cards")}
    assert shown <= spots
    assert len(shown) == 6 + 36
    near = GAME.placement(crate(begin(), "A", (3, 0)))
    assert "cell:3,0" in near


def test_players_are_told_how_to_lay_the_crates() -> None:
    told = [WORDS.say(phrase) for phrase in GAME.instructions(setup())]
    assert told[0] == (
        "Crate 1 from the left in row 1 from the front holds, from its front left on: "
        "red stub can, orange stub can, yellow stub can, green stub can, blue stub can and purple stub can."
    )
    assert told[-1] == "Player B takes the cards green, blue and purple."
