"""YT 3 and YT 4: crates that move and turn, drinks that are swapped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.engine import Ply
from companion.errors import InvalidError
from companion.games.yuzu_twist import GAME
from companion.games.yuzu_twist.state import LETTERS, drink_at
from companion.table import SHAPES
from tests.games.yuzu_twist.yt_play import (
    WORDS, begin, breaks, crate, crate_plies, do, standing_as, swap, swaps, turned)

# YT 3 -----------------------------------------------------------------------------------------------------------------

LINE = [(i, 0) for i in range(6)]
"""Crates A to F side by side: only A and F may go."""


def test_a_crate_that_holds_the_others_together_may_not_be_touched() -> None:  # YT 3.1
    state = standing_as(begin(), *LINE)
    assert {letter for letter, _, _ in crate_plies(state)} == {"A", "F"}
    for letter, shape in zip("BCDE", SHAPES[1:]):
        said = f"The crate with the red {shape.replace('_', ' ')} cannot be moved or turned"
        with breaks("YT 3.1", said):
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
    with breaks("YT 3.2", "cannot go where the one with the red short can stands"):
        crate(begin(), "A", (1, 0))
    with breaks("YT 3.2"):  # its own old place does not count as a neighbour
        crate(begin(), "A", (-1, 0))
    with breaks("YT 3.2"):
        crate(begin(), "A", (10**30, 0))


def test_a_crate_must_move_or_turn() -> None:  # YT 3.3
    with breaks("YT 3.3", "The crate with the red stub can must move or be turned"):
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


@pytest.mark.parametrize(("letter", "to", "turn", "said"), [
    ("A", (3, 0), False, "the crate with the red stub can goes to the right of the one with the red tall can"),
    ("A", (-1, 1), True,
     "the crate with the red stub can goes to the left of the one with the red square sides and is turned round"),
    ("C", (1, 2), False, "the crate with the red tall can goes behind the one with the red not tallest bottle"),
    ("D", (2, -1), False, "the crate with the red square sides goes in front of the one with the red tall can"),
    ("A", (0, 0), True, "the crate with the red stub can is turned round"),
])
def test_a_crate_is_told_by_its_drink_and_by_the_crate_that_it_goes_to(
        letter: str, to: tuple[int, int], turn: bool, said: str) -> None:  # crates bear no sign
    action = GAME.read_action({"type": "crate", "crate": letter, "to": list(to), "turn": turn})
    assert WORDS.say(GAME.say(begin(), Ply(0, action), "room")) == said


def test_the_drink_that_tells_a_crate_stands_at_its_front_left_also_when_it_was_turned() -> None:
    state = turned(begin(), "A")
    with breaks("YT 3.2", "The crate with the purple stub can must stand side by side"):
        crate(replace(state, step=0), "A", (5, 5))
