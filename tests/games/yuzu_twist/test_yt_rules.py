"""Each rule of RULES.md, by its number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import Over, Ply, ToMove, play
from companion.engine.conformance import conforms
from companion.errors import IllegalError, InvalidError
from companion.games.yuzu_twist import GAME
from companion.games.yuzu_twist.state import LETTERS, START_CELLS, State, drink_at, slots_of
from companion.table import COLOURS, SHAPES
from companion.words import load

WORDS = load("en", [GAME.words])
OWN = {
    1: [[]],
    2: [["red", "orange", "yellow"], ["green", "blue", "purple"]],
    3: [["red", "orange"], ["yellow", "green"], ["blue", "purple"]],
    4: [["red"], ["orange"], ["yellow"], ["green"]],
    5: [["red"], ["orange"], ["yellow"], ["green"], ["blue"]],
    6: [[colour] for colour in COLOURS],
}


def setup(players: int = 2, **changes: Any) -> Any:
    crates = {
        letter: {"cell": list(cell), "turned": False, "slots": [f"{colour}/{shape}" for colour in COLOURS]}
        for letter, cell, shape in zip(LETTERS, START_CELLS, SHAPES)
    }
    return {"crates": crates, "colours": OWN[players], "first": 0, **changes}


def begin(players: int = 2, options: Any = None, **changes: Any) -> State:
    filled = GAME.read_options(options or {}, players)
    return GAME.start(GAME.read_setup(setup(players, **changes), filled, players), filled, players)


def do(state: State, type: str, player: int | None = None, **keys: Any) -> State:
    seat = state.on_turn if player is None else player
    return GAME.apply(state, Ply(seat, GAME.read_action({"type": type, **keys})))


def crate(state: State, letter: str, to: Any, turn: bool = False) -> State:
    return do(state, "crate", crate=letter, to=list(to), turn=turn)


def turned(state: State, letter: str) -> State:
    return crate(state, letter, state.cells[LETTERS.index(letter)], True)


def swap(state: State, a: Any, b: Any) -> State:
    return do(state, "swap", a=list(a), b=list(b))


def drinks_by_slot(state: State) -> dict[tuple[int, int], str | None]:
    """All drinks by the slots of the table."""
    return {slot: drink_at(state, slot) for cell in state.cells for slot in slots_of(cell)}


def sorted_but(state: State, *slots: Any) -> State:
    """Every crate of one colour, A red, B orange …; then the two slots are exchanged, as if it were not yet done."""
    state = replace(state, drinks=tuple(tuple(f"{colour}/{shape}" for shape in SHAPES) for colour in COLOURS))
    by_slot = drinks_by_slot(state)
    for a, b in slots:
        by_slot[a], by_slot[b] = by_slot[b], by_slot[a]
    drinks = [
        tuple(by_slot[2 * i + slot % 2, 3 * j + slot // 2] for slot in range(6)) for i, j in state.cells
    ]
    return replace(state, drinks=tuple(drinks))


def crate_plies(state: State) -> set[tuple[str, tuple[int, int], bool]]:
    return {(ply.action.crate, ply.action.to, ply.action.turn) for ply in GAME.legal(state)}


def swaps(state: State) -> set[tuple[Any, Any]]:
    return {(ply.action.a, ply.action.b) for ply in GAME.legal(state) if ply.action.type == "swap"}


@contextmanager
def breaks(rule: str, words: str = "") -> Iterator[None]:
    with pytest.raises(IllegalError) as caught:
        yield
    assert caught.value.rule == rule
    assert words in WORDS.say(caught.value.phrase)


def standing_as(state: State, *cells: Any) -> State:
    return replace(state, cells=tuple(cells))


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
    for teams in [None, [[0, 1, 2, 3]], [[0, 1], [2, 4]], "0213", [[0, True], [2, 3]]]:
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
    with breaks("YT 2.1", "player 1's turn"):
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


# YT 3 -----------------------------------------------------------------------------------------------------------------

LINE = [(i, 0) for i in range(6)]
"""Crates A to F side by side: only A and F may go."""


def test_a_crate_that_holds_the_others_together_may_not_be_touched() -> None:  # YT 3.1
    state = standing_as(begin(), *LINE)
    assert {letter for letter, _, _ in crate_plies(state)} == {"A", "F"}
    for letter in "BCDE":
        with breaks("YT 3.1", f"Crate {letter} cannot be moved or turned"):
            turned(state, letter)


def test_in_the_start_every_crate_may_be_moved_or_turned() -> None:  # YT 3.1
    assert {letter for letter, _, turn in crate_plies(begin()) if turn} == set(LETTERS)


def test_corners_do_not_connect() -> None:  # YT 3.1
    # without C the crates A B and D E F touch at a corner only
    state = standing_as(begin(), (0, 0), (1, 0), (2, 0), (2, 1), (3, 1), (4, 1))
    with breaks("YT 3.1"):
        turned(state, "C")


def test_a_crate_goes_beside_one_of_the_others() -> None:  # YT 3.2
    plies = crate_plies(begin())
    assert ("A", (3, 0), False) in plies
    assert ("A", (0, 2), True) in plies
    assert ("A", (-1, 1), False) in plies
    with breaks("YT 3.2", "a corner is not enough"):
        crate(begin(), "A", (3, 2))
    with breaks("YT 3.2", "cannot go where crate B stands"):
        crate(begin(), "A", (1, 0))
    with breaks("YT 3.2"):  # its own old place does not count as a neighbour
        crate(begin(), "A", (-1, 0))
    with breaks("YT 3.2"):
        crate(begin(), "A", (10**30, 0))


def test_a_crate_must_move_or_turn() -> None:  # YT 3.3
    with breaks("YT 3.3", "Crate A must move or be turned"):
        crate(begin(), "A", (0, 0))
    assert not any(to == begin().cells[LETTERS.index(letter)] and not turn for letter, to, turn in crate_plies(begin()))


def test_turning_is_by_half_a_turn() -> None:  # YT 3.4
    state = turned(begin(), "A")
    assert state.turned == (True, False, False, False, False, False)
    assert turned(do(state, "done"), "A").turned == (False,) * 6
    with pytest.raises(InvalidError):
        do(begin(), "crate", crate="A", to=[0, 0], turn=90)


def test_drinks_go_with_their_crate_and_lie_the_other_way_round_when_it_is_turned() -> None:  # YT 3.5
    state = begin()
    after = crate(state, "A", (0, 2), True)
    assert after.drinks == state.drinks
    assert drink_at(after, (1, 8)) == "red/stub_can"
    assert drink_at(after, (0, 6)) == "purple/stub_can"
    assert drink_at(crate(state, "A", (0, 2)), (0, 6)) == "red/stub_can"


# YT 4 -----------------------------------------------------------------------------------------------------------------


def test_neighbours_in_eight_directions_are_swapped_across_crates_too() -> None:  # YT 4.1
    state = turned(begin(), "F")
    assert len(swaps(state)) == 110  # 6 x 6 slots: 30 + 30 along sides, 25 + 25 at corners
    after = swap(state, (1, 2), (2, 3))  # from A to E at a corner
    assert drink_at(after, (2, 3)) == "purple/stub_can"
    with breaks("YT 4.1"):
        swap(state, (0, 0), (0, 2))
    with breaks("YT 4.1"):
        swap(state, (0, 0), (0, 0))


def test_two_crates_that_meet_at_a_corner_have_one_swap() -> None:  # YT 4.1
    state = replace(standing_as(begin(), (0, 0), (1, 0), (1, 1), (2, 1), (3, 1), (3, 2)), step=1)
    between = {(a, b) for a, b in swaps(state) if a[0] < 2 <= b[0] and b[1] >= 3}
    assert between == {((1, 2), (2, 3))}


def test_both_slots_hold_a_drink() -> None:  # YT 4.2
    with breaks("YT 4.2", "No crate stands at slot -1, 0"):
        swap(turned(begin(), "A"), (-1, 0), (0, 0))


def test_swapping_back_is_allowed() -> None:  # YT 4.3
    state = turned(begin(), "A")
    assert swap(swap(state, (3, 3), (3, 4)), (3, 3), (3, 4)).drinks == state.drinks


def test_a_swap_has_two_spellings_and_one_is_exported() -> None:  # YT 4.3
    action = GAME.read_action({"type": "swap", "a": [4, 4], "b": [3, 5]})
    assert GAME.write_action(action) == {"type": "swap", "a": [3, 5], "b": [4, 4]}
    assert GAME.read_action({"type": "swap", "a": [3, 1], "b": [3, 0]}).a == (3, 0)


# YT 5 -----------------------------------------------------------------------------------------------------------------

BETWEEN_A_AND_B = ((1, 0), (2, 0))


def only_a_and_b(state: State, *more: Any) -> State:
    """A is red and B orange but for one drink; no other crate is of one colour."""
    return sorted_but(state, BETWEEN_A_AND_B, ((1, 3), (2, 3)), ((5, 2), (5, 3)), *more)


def test_six_drinks_of_one_colour_win_at_once_after_either_swap() -> None:  # YT 5.1
    # B misses two of its drinks, A one
    state = turned(only_a_and_b(begin(3), ((3, 2), (3, 3))), "F")
    won = swap(state, *BETWEEN_A_AND_B)
    assert GAME.turn(won) == Over((0,), "crate completed")
    assert won.turns == 1
    second = swap(swap(state, (4, 4), (4, 5)), *BETWEEN_A_AND_B)
    assert GAME.turn(second) == Over((0,), "crate completed")


def test_who_owns_the_colour_wins_whoever_swapped() -> None:  # YT 5.1
    state = turned(only_a_and_b(begin(2, first=1), ((3, 2), (3, 3))), "F")
    assert GAME.turn(swap(state, *BETWEEN_A_AND_B)) == Over((0,), "crate completed")


def test_the_owners_team_wins() -> None:  # YT 5.2
    state = turned(only_a_and_b(begin(5), ((3, 2), (3, 3))), "F")
    over = GAME.turn(swap(state, *BETWEEN_A_AND_B))
    assert over == Over((0, 2, 4), "crate completed")


def test_two_crates_at_once_win_for_both_owners() -> None:  # YT 5.3
    for players, winners in [(3, (0,)), (4, (0, 1, 2, 3)), (2, (0,))]:
        state = turned(only_a_and_b(begin(players)), "F")
        assert GAME.turn(swap(state, *BETWEEN_A_AND_B)) == Over(winners, "crate completed")
    apart = begin(3, colours=[["red", "blue"], ["orange", "green"], ["yellow", "purple"]])
    assert GAME.turn(swap(turned(only_a_and_b(apart), "F"), *BETWEEN_A_AND_B)) == Over((0, 1), "crate completed")


def test_a_colour_of_nobody_ends_nothing() -> None:  # YT 5.4
    free = [["purple"], ["blue"], ["yellow"], ["green"]]
    state = swap(turned(only_a_and_b(begin(4, colours=free)), "F"), *BETWEEN_A_AND_B)
    assert isinstance(GAME.turn(state), ToMove)
    assert state.nobodys == ("orange", "red")
    owned = [["purple"], ["orange"], ["yellow"], ["green"]]
    state = swap(turned(only_a_and_b(begin(4, colours=owned)), "F"), *BETWEEN_A_AND_B)
    assert GAME.turn(state) == Over((1, 3), "crate completed")


def test_winning_seats_score_one() -> None:  # YT 5.5
    state = turned(only_a_and_b(begin(5), ((3, 2), (3, 3))), "F")
    assert GAME.scores(state) == (0,) * 5
    assert GAME.scores(swap(state, *BETWEEN_A_AND_B)) == (1, 0, 1, 0, 1)


def test_at_the_quiet_limit_the_game_is_drawn_but_a_win_in_the_last_turn_counts() -> None:  # YT 5.6
    state = turned(only_a_and_b(begin(2, {"quiet_limit": 1})), "F")
    drawn = do(state, "done")
    assert GAME.turn(drawn) == Over((), "quiet limit")
    assert GAME.scores(drawn) == (0, 0)
    assert GAME.turn(swap(state, *BETWEEN_A_AND_B)) == Over((0,), "crate completed")
    two = do(turned(begin(2, {"quiet_limit": 2}), "A"), "done")
    assert isinstance(GAME.turn(two), ToMove)
    for bad in (0, -1, 1.5, True, "3"):
        with pytest.raises(InvalidError):
            GAME.read_options({"quiet_limit": bad}, 2)


def test_after_the_end_nothing_is_played() -> None:  # YT 5.7
    won = swap(turned(only_a_and_b(begin(2)), "F"), *BETWEEN_A_AND_B)
    assert list(GAME.legal(won)) == []
    with breaks("YT 5.7"):
        do(won, "done")


# YT 6 -----------------------------------------------------------------------------------------------------------------


def test_alone_all_six_crates_are_to_be_sorted() -> None:  # YT 6.1
    state = turned(sorted_but(begin(1), BETWEEN_A_AND_B), "F")
    solved = swap(state, *BETWEEN_A_AND_B)
    assert GAME.turn(solved) == Over((0,), "all crates completed")
    one_left = swap(turned(sorted_but(begin(1), BETWEEN_A_AND_B, ((3, 4), (4, 4))), "F"), *BETWEEN_A_AND_B)
    assert isinstance(GAME.turn(one_left), ToMove)
    assert one_left.nobodys == ()


def test_the_solo_score_counts_turns_the_last_included() -> None:  # YT 6.2
    state = sorted_but(begin(1, {"quiet_limit": 2}), BETWEEN_A_AND_B)
    assert GAME.scores(state) == (0,)
    state = do(turned(state, "F"), "done")
    assert GAME.scores(state) == (1,)
    state = turned(state, "F")
    assert GAME.scores(swap(state, *BETWEEN_A_AND_B)) == (2,)
    drawn = do(state, "done")
    assert (GAME.turn(drawn), GAME.scores(drawn)) == (Over((), "quiet limit"), (2,))


# YT 7 -----------------------------------------------------------------------------------------------------------------


def test_in_a_blind_game_only_the_own_colours_are_seen() -> None:  # YT 7.1
    state = begin(4, {"blind": True})
    for observer in (0, 1, 2, 3, "room", "referee"):
        seen = GAME.view(state, observer)
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
    for observer, shown in [("room", [None, None]), ("referee", [None, None]), (1, [None, OWN[2][1]])]:
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
    assert told[-1] == "Player 2 takes the cards green, blue and purple."
