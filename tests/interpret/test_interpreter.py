"""Looks become plies, questions, and what a person answered."""

from typing import Any

import pytest

from companion.engine import Ply
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Place
from companion.interpret import Ambiguous, Interpreter, Moved, Odd, Unchanged
from companion.table import EMPTY
from tests.interpret.cans_table import GREEN_TO_D4, LAYOUT, RED_TO_C4, START, after, blurred_step, seen
from tests.interpret.sightings import DRINKS, look


def test_a_table_as_believed_is_unchanged(interpreter: Interpreter) -> None:
    assert interpreter.look(seen(interpreter), look(LAYOUT, GAME.placement(START))).outcome == Unchanged()


@pytest.mark.parametrize("plies", [
    (RED_TO_C4,),
    (RED_TO_C4, GREEN_TO_D4),
    (RED_TO_C4, GREEN_TO_D4, Ply(1, Place("red/stub_can", "f6"))),
])
def test_one_to_three_plies_are_given_out_at_once(interpreter: Interpreter, plies: tuple[Ply[Any], ...]) -> None:
    step = interpreter.look(seen(interpreter), look(LAYOUT, GAME.placement(after(*plies))))

    assert isinstance(step.outcome, Moved)
    assert step.belief.now.state == after(*plies)
    assert len(step.outcome.plies) == len(plies)
    assert step.outcome.confidence > 0.99


def test_two_shapes_that_look_alike_are_a_question(interpreter: Interpreter) -> None:
    step = blurred_step(interpreter)

    assert isinstance(step.outcome, Ambiguous)
    assert (RED_TO_C4,) in [choice.plies for choice in step.outcome.choices]
    assert step.belief.now.state == START


def test_an_answer_settles_the_question(interpreter: Interpreter) -> None:
    step = blurred_step(interpreter)
    assert isinstance(step.outcome, Ambiguous)
    choice = [each.plies for each in step.outcome.choices].index((RED_TO_C4,))

    settled = interpreter.answer(step.belief, choice)

    assert settled.outcome == Moved((RED_TO_C4,), 1.0)
    assert settled.belief.now.state == after(RED_TO_C4)


def test_what_a_person_answered_is_not_asked_again(interpreter: Interpreter) -> None:
    step = blurred_step(interpreter)
    choice = [each.plies for each in step.outcome.choices].index((RED_TO_C4,))
    answered = interpreter.answer(step.belief, choice).belief
    state = after(RED_TO_C4, GREEN_TO_D4)

    later = interpreter.look(answered, look(LAYOUT, GAME.placement(state), seen_as={
        "grid:c4": {EMPTY: -30.0, **dict.fromkeys(DRINKS, -30.0), "red/short_can": 0.0, "red/tall_can": -3.0}
    }))

    assert isinstance(later.outcome, Moved)
    assert (later.outcome.taken_back, later.outcome.plies) == (0, (GREEN_TO_D4,))


def test_none_of_these_rules_the_choices_out(interpreter: Interpreter) -> None:
    step = blurred_step(interpreter)
    assert isinstance(step.outcome, Ambiguous)
    refused = {choice.plies for choice in step.outcome.choices}

    again = interpreter.answer(step.belief, None)

    offered = {each.plies for each in again.outcome.choices} if isinstance(again.outcome, Ambiguous) else set()
    assert not refused & offered


def test_what_was_no_choice_of_a_refused_question_is_not_asked_afterwards(interpreter: Interpreter) -> None:
    step = blurred_step(interpreter)
    offered: list[Any] = []
    while isinstance(step.outcome, Ambiguous):
        offered += [choice.plies for choice in step.outcome.choices]
        step = interpreter.answer(step.belief, None)

    assert len(offered) == 6  # every red drink once, at most four at a time; nothing as unlikely as a green one
    assert isinstance(step.outcome, Odd)
    assert step.belief.now.state == START


def test_a_refused_question_is_not_looked_into_again(
    interpreter: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = blurred_step(interpreter)
    monkeypatch.setattr("companion.interpret.explaining.explain", None)

    while isinstance(step.outcome, Ambiguous):
        step = interpreter.answer(step.belief, None)

    assert isinstance(step.outcome, Odd)


def test_a_later_clearer_look_settles_an_open_question(interpreter: Interpreter) -> None:
    step = blurred_step(interpreter)

    later = interpreter.look(step.belief, look(LAYOUT, GAME.placement(after(RED_TO_C4))))

    assert isinstance(later.outcome, Moved)
    assert later.outcome.plies == (RED_TO_C4,)


def test_a_can_that_left_its_place_in_the_stock_tells_which_one_was_played(interpreter: Interpreter) -> None:
    """The slot cannot tell a short can from a tall one, the stock could before it left."""
    slot = dict.fromkeys(["red/tall_can", "red/short_can"], 0.0)
    blurred = {EMPTY: -30.0, **dict.fromkeys(DRINKS, -30.0), **slot}

    step = interpreter.look(
        seen(interpreter), look(LAYOUT, GAME.placement(after(RED_TO_C4)), seen_as={"grid:c4": blurred})
    )

    assert isinstance(step.outcome, Moved)
    assert step.outcome.plies == (RED_TO_C4,)


def test_a_slid_piece_replaces_the_last_ply(interpreter: Interpreter) -> None:
    first = interpreter.look(seen(interpreter), look(LAYOUT, GAME.placement(after(RED_TO_C4)))).belief
    slid = Ply(1, Place("red/tall_can", "c5"))

    step = interpreter.look(first, look(LAYOUT, GAME.placement(after(slid))))

    assert isinstance(step.outcome, Moved)
    assert (step.outcome.taken_back, step.outcome.plies) == (1, (slid,))


def test_a_ply_taken_back_by_hand_is_withdrawn(interpreter: Interpreter) -> None:
    first = interpreter.look(seen(interpreter), look(LAYOUT, GAME.placement(after(RED_TO_C4)))).belief

    step = interpreter.look(first, look(LAYOUT, GAME.placement(START)))

    assert isinstance(step.outcome, Moved)
    assert (step.outcome.taken_back, step.outcome.plies) == (1, ())
    assert step.belief.now.state == START


def test_a_ply_stands_once_a_button_was_pressed(interpreter: Interpreter) -> None:
    first = interpreter.look(seen(interpreter), look(LAYOUT, GAME.placement(after(RED_TO_C4)))).belief

    step = interpreter.look(interpreter.confirmed(first), look(LAYOUT, GAME.placement(START)))

    assert isinstance(step.outcome, Odd)
