"""What is misread and stays misread costs nothing but itself; what was missed is asked about openly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from companion.engine import Ply
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Place
from companion.games.kamikaze_cans.state import State
from companion.interpret import Ambiguous, Belief, Interpreter, Moved, Odd, Unchanged, Update
from companion.table import EMPTY, Observation
from tests.interpret.cans_table import GREEN_TO_D4, LAYOUT, RED_TO_C4, START, after
from tests.interpret.lasting_faults import LastingFaults
from tests.interpret.perfect_table import war_chest
from tests.interpret.sightings import DRINKS, look
from tests.interpret.test_setups_and_noise import TWO_REDS
from tests.interpret.truth_eyes import placed

GHOST = {**dict.fromkeys([*DRINKS, EMPTY], -30.0), "blue/stub_can": 0.0}
NOTHING = {**dict.fromkeys([*DRINKS, EMPTY], -30.0), EMPTY: 0.0}


def seen_with(state: State, seen_as: Mapping[str, Mapping[str, float]]) -> Observation:
    return look(LAYOUT, GAME.placement(state), seen_as=dict(seen_as))


def looks(interpreter: Interpreter, belief: Belief, *observations: Observation) -> list[Update]:
    """What looks one after the other come to."""
    steps: list[Update] = []
    for each in observations:
        steps.append(interpreter.look(steps[-1].belief if steps else belief, each))
    return steps


def test_a_ghost_at_a_place_that_was_there_at_the_first_look_stops_no_ply(interpreter: Interpreter) -> None:
    ghost = {"grid:f1": GHOST}
    played = [after(RED_TO_C4), after(RED_TO_C4, GREEN_TO_D4)]
    first, *then = looks(interpreter, interpreter.begin(START), *(seen_with(each, ghost) for each in (START, *played)))

    assert isinstance(first.outcome, Odd)
    assert [each.outcome.plies for each in then if isinstance(each.outcome, Moved)] == [(RED_TO_C4,), (GREEN_TO_D4,)]


def test_what_lasts_is_told_once(interpreter: Interpreter) -> None:
    steps = looks(interpreter, interpreter.begin(START), *[seen_with(START, {"grid:f1": GHOST})] * 3)

    assert isinstance(steps[0].outcome, Odd)
    assert [each.outcome for each in steps[1:]] == [Unchanged(), Unchanged()]


def test_a_ghost_that_may_be_a_ply_is_not_taken_for_misread(interpreter: Interpreter) -> None:
    """The red can is gone from its stock, and something that looks like nothing stands on f1."""
    gone = {spot: tuple(each for each in there if each != "red/tall_can") for spot, there in
            GAME.placement(START).items()}
    table = look(LAYOUT, gone, seen_as={"grid:f1": GHOST})
    steps = looks(interpreter, interpreter.begin(START), table, table)

    assert not any(isinstance(each.outcome, Moved) for each in steps)
    assert steps[1].belief.now.state == START
    assert isinstance(steps[1].outcome, Ambiguous)


def test_a_ply_at_a_misread_place_is_asked_about(interpreter: Interpreter) -> None:
    """Something stood on c4 that was nothing; now red's can is put there, and looks the same."""
    ghost = {"grid:c4": GHOST}
    steps = looks(interpreter, interpreter.begin(START), *[seen_with(START, ghost)] * 2,
                  seen_with(after(RED_TO_C4), ghost))

    assert not isinstance(steps[-1].outcome, Moved)


def test_a_drink_that_is_not_found_where_it_stands_stops_no_ply(interpreter: Interpreter) -> None:
    stands = after(*TWO_REDS)
    first = interpreter.look(interpreter.begin(stands), seen_with(stands, {"grid:c4": NOTHING}))
    green = next(ply for ply in GAME.legal(stands) if ply.player == 0)

    then = interpreter.look(first.belief, seen_with(GAME.apply(stands, green), {"grid:c4": NOTHING}))

    assert isinstance(first.outcome, Odd)
    assert then.belief.now.state == GAME.apply(stands, green)


def test_a_drink_whose_double_stands_where_it_stood_is_asked_about(interpreter: Interpreter) -> None:
    """Red's tall can is taken for the stub can, which is placed; or so it seems."""
    eyes = LastingFaults(mistaken={"red/tall_can": "red/stub_can"})
    stub = Ply(1, Place("red/stub_can", "c4"))
    tables = [GAME.placement(START), GAME.placement(START), GAME.placement(after(stub))]
    seen = [eyes.seen(look(LAYOUT, each), first=False) for each in tables]
    steps = looks(interpreter, interpreter.begin(START), *seen)

    assert steps[1].belief.now.state == START
    assert not isinstance(steps[2].outcome, Moved)


@pytest.fixture
def lost(interpreter: Interpreter) -> Update:
    """Red's can left its stock and stands nowhere: two looks show it."""
    gone = {spot: tuple(each for each in there if each != "red/tall_can") for spot, there in
            GAME.placement(START).items()}
    table = look(LAYOUT, {**gone, "grid:a1": ("blue/tall_can",), "grid:a2": ("blue/stub_can",)})
    return looks(interpreter, interpreter.begin(START), table, replace(table, at_s=1.0))[-1]


def test_after_two_looks_people_are_asked_openly(interpreter: Interpreter, lost: Update) -> None:
    assert isinstance(lost.outcome, Ambiguous)
    assert (lost.outcome.choices, bool(lost.outcome.reasons)) == ((), True)

    told = interpreter.told(lost.belief, (RED_TO_C4,))

    assert told.outcome == Moved((RED_TO_C4,), 1.0)
    assert told.belief.now.state == after(RED_TO_C4)
    assert told.belief.question is None


def test_what_else_a_look_shows_when_people_said_what_was_played_is_misread(interpreter: Interpreter) -> None:
    """Two cans of red's stock are found in no look, and a ghost stands on f1; at the first look red's tall can has been
    placed already."""
    hidden = {"red/short_can", "red/stub_can"}

    def seen(state: State) -> Observation:
        found = {spot: tuple(each for each in there if each not in hidden)
                 for spot, there in GAME.placement(state).items()}
        return look(LAYOUT, found, seen_as={"grid:f1": GHOST})

    lost = looks(interpreter, interpreter.begin(START), *(
        replace(seen(after(RED_TO_C4)), at_s=at_s) for at_s in (0.0, 1.0)))[-1]
    told = interpreter.told(lost.belief, (RED_TO_C4,))
    then = interpreter.look(told.belief, seen(after(RED_TO_C4, GREEN_TO_D4)))

    assert isinstance(then.outcome, Moved)
    assert then.outcome.plies == (GREEN_TO_D4,)


def test_an_open_question_that_nobody_answers_is_not_asked_again_at_the_same_look(
    interpreter: Interpreter, lost: Update
) -> None:
    step = interpreter.answer(lost.belief, None)
    table = lost.belief.judged
    assert table is not None
    again = interpreter.look(step.belief, table[0])

    assert (step.outcome, again.outcome, again.belief.question) == (Unchanged(), Unchanged(), None)


def test_nothing_was_played(interpreter: Interpreter, lost: Update) -> None:
    step = interpreter.told(lost.belief, ())

    assert (step.outcome, step.belief.now.state, step.belief.question) == (Unchanged(), START, None)


def test_what_fits_the_look_best_costs_least(interpreter: Interpreter, lost: Update) -> None:
    assert interpreter.told_nats(lost.belief, ()) < interpreter.told_nats(lost.belief, (RED_TO_C4,))


def test_a_coin_that_lies_where_none_lay_is_not_misread_however_long_it_lies_there() -> None:
    """Player A's coin lies on the board though it is B's turn, who then passes: what else was played is asked about,
    and no ply is given out beside it."""
    table = war_chest()
    table.look()

    def with_coin() -> list[dict[str, Any]]:
        return placed(table.layout, {**table.game.placement(table.state), "hex:0,0": ("coin:knight",)})

    assert isinstance(table.look(with_coin()), Odd)
    settled = table.belief.now.state
    table.play(table.legal("pass")[0])
    assert isinstance(table.look(with_coin()), Ambiguous)
    assert table.belief.now.state == settled
