"""The rules by their numbers, the contract, and games followed by looks alone."""

from random import Random

import pytest

from companion.engine import Over, Ply
from companion.engine.conformance import conforms, is_offered_under_its_id
from companion.errors import IllegalError
from companion.interpret.conformance import follows
from companion.interpret.trial_eyes import TrialNoise
from companion.words import load
from nine_mens_morris import GAME
from nine_mens_morris.rules import MEN, POINTS, Move, Place, State

OPTIONS = GAME.read_options({}, 2)
PLACED = 2 * MEN


def board(white: str, black: str, plies: int = PLACED, **about: object) -> State:
    """A position with white on turn once all are placed."""
    state = GAME.start({"first": 0}, OPTIONS | about, 2)
    for seat, points in enumerate((white, black)):
        for point in points.split():
            state = state.put(point, seat)
    return State(0, state.flying, state.quiet_limit, state.men, plies)


def play(state: State, *actions: Place | Move) -> State:
    for action in actions:
        state = GAME.apply(state, Ply(state.seat, action))
    return state


def refused(state: State, action: Place | Move) -> str:
    with pytest.raises(IllegalError) as caught:
        play(state, action)
    return caught.value.rule


def test_nm_1_2_there_are_24_points() -> None:
    assert len(POINTS) == 24


def test_nm_2_2_players_take_turns() -> None:
    state = play(GAME.start({"first": 1}, OPTIONS, 2), Place("a1"))
    assert state.at("a1") == 1
    with pytest.raises(IllegalError, match="not_your_turn"):
        GAME.apply(state, Ply(1, Place("d1")))


def test_nm_3_men_are_placed_on_free_points_and_moved_only_then() -> None:
    state = play(GAME.start({"first": 0}, OPTIONS, 2), Place("a1"))
    assert (state.in_hand(0), state.in_hand(1)) == (8, 9)
    assert refused(state, Place("a1")) == "NM 3.1"
    assert refused(play(state, Place("d1")), Move("a1", "a4")) == "NM 3.2"


def test_nm_4_1_a_man_moves_along_a_line_to_the_next_point() -> None:
    state = board("a1 b2 c3 d7", "g7 f6 e5 d1")
    assert play(state, Move("a1", "a4")).at("a4") == 0
    assert refused(state, Move("a1", "a7")) == "NM 4.1"
    assert refused(state, Move("a1", "d1")) == "NM 3.1"


def test_nm_4_2_with_three_men_left_a_man_goes_anywhere() -> None:
    assert play(board("a1 b2 c3", "g7 f6 e5 d1"), Move("a1", "g4")).at("g4") == 0
    assert refused(board("a1 b2 c3", "g7 f6 e5 d1", flying=False), Move("a1", "g4")) == "NM 4.1"


def test_nm_5_2_a_mill_takes_a_man_that_stands_in_none() -> None:
    state = board("a1 d1 g4 c5", "a7 d7 g7 f2")
    takes = [ply.action.take for ply in GAME.legal(state) if ply.action.to == "g1" and ply.action.from_ == "g4"]
    assert takes == ["f2"]
    assert refused(state, Move("g4", "g1")) == "NM 5.2"
    assert GAME.scores(play(state, Move("g4", "g1", "f2")))[0] == 6
    only_mill = board("a1 d1 g4 c5", "a7 d7 g7")
    assert play(only_mill, Move("g4", "g1", "d7")).at("d7") is None


def test_nm_6_who_has_two_men_or_no_move_has_lost() -> None:
    assert GAME.turn(board("a1 d1", "a7 d7 g7")) == Over((1,), "two men left")
    assert GAME.turn(board("a1 a7 g1 g7", "a4 d1 d7 g4")) == Over((1,), "no legal move")


def test_nm_6_3_long_without_a_mill_nobody_wins() -> None:
    state = board("a1 d5 c3 d7", "g7 f6 e4 d2", quiet_limit=2)
    assert GAME.turn(play(state, Move("a1", "a4"), Move("g7", "g4"))) == Over((), "quiet limit")


@pytest.mark.parametrize("seed", range(2))
def test_the_game_keeps_the_contract(seed: int) -> None:
    conforms(GAME, 2, load("en", [GAME.words]), Random(seed))
    is_offered_under_its_id(GAME)


@pytest.mark.parametrize("noise", [None, TrialNoise(seed=1)])
def test_a_game_is_followed_by_looks_alone(noise: TrialNoise | None) -> None:
    assert follows(GAME, 2, Random(1), max_plies=24, noise=noise).looks["right"] > 20
