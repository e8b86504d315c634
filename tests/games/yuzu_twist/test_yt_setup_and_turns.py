"""YT 1 and YT 2: what lies on the table, and what a turn is."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.errors import InvalidError
from companion.games.yuzu_twist import GAME
from companion.games.yuzu_twist.state import drink_at
from tests.games.yuzu_twist.yt_play import OWN, begin, breaks, crate, do, setup, swap, turned

# YT 1 -----------------------------------------------------------------------------------------------------------------


def test_one_to_six_play_and_any_seat_begins() -> None:  # YT 1.1
    assert GAME.seats == (1, 2, 3, 4, 5, 6)
    assert begin(3, first=2).on_turn == 2
    with pytest.raises(InvalidError):
        begin(3, first=3)


def test_six_crates_stand_three_by_two() -> None:  # YT 1.2
    crates = setup()["crates"]
    with breaks("YT 1.2", "At setup.crates.C.cell a crate stands on 3, 0"):
        begin(crates={**crates, "C": {**crates["C"], "cell": [3, 0]}})
    with breaks("YT 1.2", "Crates A and B both stand on 0, 0"):
        begin(crates={**crates, "B": {**crates["B"], "cell": [0, 0]}})
    swapped = {**crates, "A": {**crates["A"], "cell": [2, 1]}, "F": {**crates["F"], "cell": [0, 0], "turned": True}}
    state = begin(crates=swapped)
    assert drink_at(state, (0, 0)) == "purple/tallest_bottle"  # F's last slot: it is turned
    assert drink_at(state, (5, 5)) == "purple/stub_can"  # A's last slot


def test_a_crate_starts_with_the_six_drinks_of_one_shape() -> None:  # YT 1.3
    crates = setup()["crates"]
    slots = crates["A"]["slots"]
    with breaks("YT 1.3", "setup.crates.A.slots"):
        begin(crates={**crates, "A": {**crates["A"], "slots": [*slots[:5], "red/tall_can"]}})
    with breaks("YT 1.3", "The red stub can stands twice at setup.crates.A.slots"):
        begin(crates={**crates, "A": {**crates["A"], "slots": [*slots[:5], "red/stub_can"]}})
    with breaks("YT 1.3", "Crates A and B both hold the shape stub can"):
        begin(crates={**crates, "B": {**crates["B"], "slots": slots}})
    with pytest.raises(InvalidError):
        begin(crates={**crates, "A": {**crates["A"], "slots": [*slots, "red/stub_can"]}})


@pytest.mark.parametrize(("players", "each"), [(1, 0), (2, 3), (3, 2), (4, 1), (5, 1), (6, 1)])
def test_the_number_of_players_says_how_many_colours_each_owns(players: int, each: int) -> None:  # YT 1.4
    dealt = GAME.deal(players, GAME.read_options({}, players), Random(players))
    assert [len(own) for own in dealt["colours"]] == [each] * players
    wrong = [*OWN[players][:-1], [*OWN[players][-1], "teal"]]
    with pytest.raises(InvalidError):
        begin(players, colours=wrong)


def test_a_colour_has_one_owner_and_nobody_too_few() -> None:  # YT 1.4
    with breaks("YT 1.4", "Two players cannot both have red"):
        begin(3, colours=[["red", "orange"], ["red", "green"], ["blue", "purple"]])
    with breaks("YT 1.4", "At setup.colours[1] are 1 colours, there should be 2"):
        begin(3, colours=[["red", "orange"], ["green"], ["blue", "purple"]])


def test_four_to_six_play_in_teams() -> None:  # YT 1.5
    assert [GAME.read_options({}, players)["teams"] for players in range(1, 7)] == [
        None, None, None, [[0, 2], [1, 3]], [[0, 2, 4], [1, 3]], [[0, 2, 4], [1, 3, 5]],
    ]  # fmt: skip
    assert GAME.read_options({"teams": [[3, 0], [1, 2]]}, 4)["teams"] == [[3, 0], [1, 2]]
    assert GAME.read_options({"teams": [[1, 3], [0, 2, 4]]}, 5)["teams"] == [[1, 3], [0, 2, 4]]
    for players, teams in [
        (4, [[0], [1, 2, 3]]), (4, [[0, 1], [1, 2]]), (5, [[0], [1, 2, 3, 4]]), (6, [[0, 1], [2, 3, 4, 5]]),
        (2, [[0], [1]]), (4, [[0, 0], [1, 2]]),
    ]:  # fmt: skip
        with breaks("YT 1.5"):
            GAME.read_options({"teams": teams}, players)
    wrong: list[Any] = [None, [[0, 1, 2, 3]], [[0, 1], [2, 4]], "0213", [[0, True], [2, 3]]]
    for teams in wrong:
        with pytest.raises(InvalidError):
            GAME.read_options({"teams": teams}, 4)


def test_blind_is_an_option() -> None:  # YT 1.6
    assert GAME.read_options({}, 2) == {"teams": None, "blind": False, "quiet_limit": None}
    assert begin(3, {"blind": True}).terms.blind
    with pytest.raises(InvalidError):
        GAME.read_options({"blind": 1}, 2)


def test_cells_cover_two_by_three_slots_and_are_never_numbered_anew() -> None:  # YT 1.7
    state = begin()
    assert drink_at(state, (4, 3)) == "red/tallest_bottle"
    assert drink_at(state, (5, 5)) == "purple/tallest_bottle"
    assert drink_at(state, (6, 0)) is None
    far = crate(state, "F", (-1, 0))
    assert drink_at(far, (-2, 0)) == "red/tallest_bottle"
    assert drink_at(far, (-1, 2)) == "purple/tallest_bottle"
    assert far.cells[0] == (0, 0)


# YT 2 -----------------------------------------------------------------------------------------------------------------


def test_only_the_player_on_turn_acts() -> None:  # YT 2.1
    with breaks("YT 2.1", "player A's turn"):
        do(begin(), "crate", 1, crate="A", to=[0, 0], turn=True)
    assert GAME.turn(begin(3)).seats == (0,)


def test_a_turn_is_a_crate_ply_and_up_to_two_swaps() -> None:  # YT 2.2
    state = begin()
    assert {ply.action.type for ply in GAME.legal(state)} == {"crate"}
    with breaks("YT 2.2", "begins with a crate"):
        swap(state, (0, 0), (0, 1))
    with breaks("YT 2.2", "begins with a crate"):
        do(state, "done")
    state = turned(state, "A")
    assert {ply.action.type for ply in GAME.legal(state)} == {"swap", "done"}
    with breaks("YT 2.2", "already moved"):
        turned(state, "B")
    assert do(state, "done").on_turn == 1
    state = swap(state, (0, 0), (0, 1))
    assert {ply.action.type for ply in GAME.legal(state)} == {"swap", "done"}
    assert do(state, "done").on_turn == 1


def test_after_the_second_swap_the_turn_ends_by_itself() -> None:  # YT 2.3
    state = swap(swap(turned(begin(), "A"), (0, 0), (0, 1)), (4, 4), (5, 5))
    assert (state.on_turn, state.step, state.turns) == (1, 0, 1)
    with breaks("YT 2.2"):
        do(state, "done")
