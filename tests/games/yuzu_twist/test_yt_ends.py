"""YT 5 and YT 6: how games end, with others and alone."""

from __future__ import annotations

import pytest

from companion.engine import Over, ToMove
from companion.errors import InvalidError
from companion.games.yuzu_twist import GAME
from tests.games.yuzu_twist.yt_play import BETWEEN_A_AND_B, begin, breaks, do, only_a_and_b, sorted_but, swap, turned

# YT 5 -----------------------------------------------------------------------------------------------------------------


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
