"""The rules by their numbers, the contract, and games followed by looks that tell colours alone."""

from random import Random

import chess
import pytest
from chess_by_camera import GAME
from chess_by_camera.game import Move, State, board_of

from companion.engine import Over, Ply
from companion.engine.conformance import conforms, is_offered_under_its_id
from companion.errors import IllegalError
from companion.interpret.conformance import follows
from companion.words import load


def at(fen: str, quiet: int = 0) -> State:
    return State(" ".join(fen.split()[:4]), quiet)


def play(state: State, *moves: str) -> State:
    for uci in moves:
        move = chess.Move.from_uci(uci)
        promote = chess.piece_name(move.promotion) if move.promotion else None
        seat = 0 if board_of(state).turn else 1
        state = GAME.apply(state, Ply(seat, Move(uci[:2], uci[2:4], promote)))
    return state


def refused(state: State, uci: str) -> str:
    with pytest.raises(IllegalError) as caught:
        play(state, uci)
    return caught.value.rule


def test_ch_1_2_white_begins_and_players_take_turns() -> None:
    with pytest.raises(IllegalError, match="not_your_turn"):
        GAME.apply(State(), Ply(1, Move("e7", "e5")))
    assert not board_of(play(State(), "e2e4")).turn


def test_ch_2_a_player_moves_own_pieces_and_never_onto_one() -> None:
    assert refused(State(), "e5e6") == refused(State(), "e7e5") == "CH 2.1"
    assert refused(State(), "a1a2") == "CH 2.2"


def test_ch_3_1_each_piece_moves_in_its_way() -> None:
    assert refused(State(), "b1b3") == "CH 3.1"
    castled = play(at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"), "e1g1")
    assert GAME.placement(castled)["square:f1"] == ("man:white:rook",)
    passed = play(at("4k3/8/8/3pP3/8/8/8/4K3 w - d6"), "e5d6")
    assert "square:d5" not in GAME.placement(passed)


def test_ch_3_2_a_pawn_is_promoted() -> None:
    state = at("8/P3k3/8/8/8/8/8/4K3 w - -")
    assert refused(state, "a7a8") == "CH 3.2"
    assert refused(play(State()), "e2e4q") == "CH 3.2"
    assert GAME.placement(play(state, "a7a8n"))["square:a8"] == ("man:white:knight",)


def test_ch_4_1_nobody_leaves_the_own_king_attacked() -> None:
    assert refused(at("4r1k1/8/8/8/8/8/4R3/4K3 w - -"), "e2d2") == "CH 4.1"


def test_ch_5_how_a_game_ends() -> None:
    mated = play(State(), "e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")
    assert GAME.turn(mated) == Over((0,), "checkmate")
    assert GAME.turn(at("7k/5Q2/6K1/8/8/8/8/8 b - -")) == Over((), "stalemate")
    assert GAME.turn(at("7k/8/6K1/8/8/8/8/8 b - -")) == Over((), "nobody can be mated")
    assert GAME.turn(at("7k/8/6K1/8/8/8/8/R7 w - -", quiet=150)) == Over((), "75 moves")


def test_positions_reached_in_another_order_are_the_same() -> None:
    assert play(State(), "e2e4", "e7e5", "g1f3", "b8c6") == play(State(), "g1f3", "b8c6", "e2e4", "e7e5")


def test_the_game_keeps_the_contract() -> None:
    conforms(GAME, 2, load("en", [GAME.words]), Random(1))
    is_offered_under_its_id(GAME)


def test_a_game_is_followed_by_looks_alone() -> None:
    assert follows(GAME, 2, Random(1), max_plies=24).looks["right"] > 20
