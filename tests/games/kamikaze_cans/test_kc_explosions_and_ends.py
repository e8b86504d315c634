"""KC 5 to KC 7: explosions, ends and points."""

from __future__ import annotations

import pytest

from companion.engine import Over, ToMove
from companion.errors import InvalidError
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Explode
from tests.games.kamikaze_cans.kc_board import drink, explode, move, place, position, standing, targets
from tests.games.kamikaze_cans.kc_start import breaks

# KC 5 -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", "1456")
def test_only_short_and_tall_cans_explode_by_choice(shape: str) -> None:  # KC 5.1
    state = position(f"r{shape} .. .. .. .. ..")
    name = drink(f"r{shape}").split("/")[1].replace("_", " ")
    with breaks("KC 5.1", f"The red {name} cannot be exploded: only short cans and tall cans explode when you want."):
        explode(state, "a1")


def test_only_an_own_can_in_the_grid_explodes() -> None:  # KC 5.1
    state = position("r2 b2 .. .. .. ..")
    assert {ply.action.at for ply in GAME.legal(state) if isinstance(ply.action, Explode)} == {"a1"}
    with breaks("KC 5.1", "The blue short can on b1 belongs to another player."):
        explode(state, "b1")
    with breaks("KC 5.1", "Nothing stands on c1."):
        explode(state, "c1")


@pytest.mark.parametrize("can", ["r2", "r3"])
def test_an_explosion_takes_the_eight_cells_around_own_drinks_and_crate_walls_included(can: str) -> None:  # KC 5.2
    state = position(f"""
        .. .. .. .. .. ..
        b4 .. b6 g4 .. ..
        .. g5 {can} r5 .. g6
        .. r6 b5 p4 .. ..
        .. .. r4 .. .. ..
        .. .. .. .. .. ..""", colours="rbgp")
    assert standing(explode(state, "c4")) == {"b4@a5", "g6@f4", "r4@c2"}


def test_an_explosion_at_the_edge_does_not_reach_round_it() -> None:  # KC 5.2
    state = position("b6 .. .. .. .. b5\nb4 .. .. .. r4 r2")
    assert standing(explode(state, "f1")) == {"b6@a2", "b4@a1"}


def test_what_exploded_is_out_of_the_game_not_back_in_the_stock() -> None:  # KC 5.2
    after = explode(position("r2 b4 .. .. .. .."), "a1")
    assert drink("r2") not in after.stocks[0]
    assert drink("b4") not in after.stocks[1]


def test_a_destroyed_can_explodes_in_turn() -> None:  # KC 5.3
    state = position("r2 .. .. .. b2 b4\n.. b3 r3 b5 .. ..")
    assert standing(explode(state, "a2")) == {"b2@e2", "b4@f2"}


def test_the_chain_is_the_same_from_whichever_can_it_starts() -> None:  # KC 5.3
    drawn = "r2 b5 .. .. .. r6\n.. b2 .. r3 .. ..\n.. .. b3 .. b4 .."
    ends = [standing(explode(position(drawn), at)) for at in ("a3", "d2")]
    assert ends == [{"r6@f3"}, {"r6@f3"}]


@pytest.mark.parametrize(("chain", "left"), [(True, set()), (False, {"b4@c1"})])
def test_a_stub_can_passes_an_explosion_on_unless_the_option_says_no(chain: bool, left: set[str]) -> None:  # KC 5.4
    assert standing(explode(position("r2 b1 b4 .. .. ..", chain=chain), "a1")) == left


# KC 6 -----------------------------------------------------------------------------------------------------------------


def test_placing_the_last_drink_ends_the_game_at_once() -> None:  # KC 6.1
    state = position("r1 r2 r3 r4 r5 ..")
    assert isinstance(GAME.turn(state), ToMove)
    after = place(state, "r6", "f1")
    assert GAME.turn(after) == Over((0,), "stock empty")
    assert list(GAME.legal(after)) == []


def test_an_explosion_that_leaves_only_the_stock_ends_nothing() -> None:  # KC 6.1
    after = explode(position("r1 r2 r3 r4 r5 .."), "b1")
    assert isinstance(GAME.turn(after), ToMove)


def test_after_the_end_nothing_is_played() -> None:  # KC 6.2
    over = place(position("r1 r2 r3 r4 r5 .."), "r6", "f1")
    with breaks("KC 6.2", "The game is over: nothing more can be played."):
        place(over, "b1", "f6")


def test_the_quiet_limit_counts_moves_of_all_players_in_a_row() -> None:  # KC 6.3
    state = position("r1 b2 b1 .. .. ..", limit=3)
    state = move(move(state, "a1", "a2"), "b1", "b2")
    state = move(place(state, "r2", "f6"), "b2", "b3")
    state = move(state, "a2", "a3")
    assert isinstance(GAME.turn(state), ToMove)
    state = move(state, "b3", "b4")
    assert isinstance(GAME.turn(state), Over)
    assert GAME.turn(state).reason == "quiet limit"
    with breaks("KC 6.2", "The game is over: nothing more can be played."):
        move(state, "a3", "a4")


def test_an_explosion_starts_the_count_again() -> None:  # KC 6.3
    state = position("r1 .. .. .. .. b2", limit=2)
    state = explode(move(state, "a1", "a2"), "f1")
    assert isinstance(GAME.turn(move(state, "a2", "a3")), ToMove)


def test_without_a_limit_people_may_move_for_ever() -> None:  # KC 6.4
    state = position("r1 .. .. .. .. b1")
    for _ in range(100):
        for origin, to in (("a1", "a2"), ("f1", "f2"), ("a2", "a1"), ("f2", "f1")):
            state = move(state, origin, to)
    assert isinstance(GAME.turn(state), ToMove)


@pytest.mark.parametrize("limit", [0, -1, 2.0, True, "3"])
def test_a_quiet_limit_is_a_whole_number_from_1(limit: object) -> None:  # KC 6.3
    with pytest.raises(InvalidError):
        GAME.read_options({"quiet_limit": limit}, 2)


# KC 7 -----------------------------------------------------------------------------------------------------------------

POINTS = {"1": 4, "2": -1, "3": -2, "4": 3, "5": 2, "6": 1}


@pytest.mark.parametrize(("shape", "points"), POINTS.items())
def test_points_in_the_grid(shape: str, points: int) -> None:  # KC 7.1
    others = " ".join(f"r{each}" for each in POINTS if each != shape)
    assert GAME.scores(position(f"r{shape} .. .. .. .. ..", out=others))[0] == points


@pytest.mark.parametrize(("shape", "points"), POINTS.items())
def test_points_in_the_stock(shape: str, points: int) -> None:  # KC 7.2
    others = " ".join(f"r{each}" for each in POINTS if each != shape)
    assert GAME.scores(position(".. .. .. .. .. ..", out=others))[0] == -points


def test_the_examples_of_the_text() -> None:  # KC 7.1, KC 7.2
    def only(short: str, drawn: str) -> int:
        out = " ".join(f"r{each}" for each in POINTS if f"r{each}" != short)
        return GAME.scores(position(drawn, out=out))[0]

    assert only("r1", ".. .. .. .. .. ..") == -4
    assert only("r3", ".. .. .. .. .. ..") == 2
    assert only("r6", "r6 .. .. .. .. ..") == 1
    assert only("r2", "r2 .. .. .. .. ..") == -1
    assert only("r1", "r1 .. .. .. .. ..") == 4


def test_the_examples_of_jumping() -> None:  # KC 4.4, KC 4.5
    assert all("c1" not in targets(position(f"r1 b{over} .. .. .. .."), "a1") for over in "123456")
    assert all("c1" in targets(position(f"r6 b{over} .. .. .. .."), "a1") for over in "12345")
    assert "c1" not in targets(position("r6 b6 .. .. .. .."), "a1")


def test_drinks_that_left_the_game_count_nothing() -> None:  # KC 7.3
    assert GAME.scores(position(".. .. .. .. .. ..", out="r1 r2 r3 r4 r5 r6"))[0] == 0


def test_the_most_points_win() -> None:  # KC 7.4
    after = place(position("r1 r2 r3 r4 r5 ..\nb1 .. .. .. .. .."), "r6", "f6")
    assert GAME.scores(after) == (7, 1)
    assert GAME.turn(after) == Over((0,), "stock empty")


def test_players_with_equally_many_points_share_the_win() -> None:  # KC 7.4
    drawn = "r1 r2 r3 r4 r5 ..\nb1 b4 .. .. .. ..\ng1 .. .. .. .. .."
    after = place(position(drawn, colours="rbg", out="b3 b5"), "r6", "f6")
    assert GAME.scores(after) == (7, 7, 1)
    assert GAME.turn(after) == Over((0, 1), "stock empty")
