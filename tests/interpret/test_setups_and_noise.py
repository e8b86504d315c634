"""Set-ups told from looks, stocks that are partly out of sight, noisy looks and misread places."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.engine import Over, Ply
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Explode, Place
from companion.interpret import Ambiguous, Interpreter, Moved, Odd, Unchanged
from companion.table import EMPTY
from tests.interpret.cans_table import GREEN_TO_D4, LAYOUT, OPTIONS, RED_TO_C4, START, after, seen
from tests.interpret.sightings import DRINKS, look


def test_the_set_up_is_told_from_the_stocks(interpreter: Interpreter) -> None:
    assert interpreter.setup_seen(look(LAYOUT, GAME.placement(START)), OPTIONS, 2) == {
        "colours": ["green", "red"], "first": None,
    }


def test_a_stock_that_is_covered_leaves_its_colour_open(interpreter: Interpreter) -> None:
    observation = look(LAYOUT, GAME.placement(START), covered=frozenset({"stock:1"}))

    assert interpreter.setup_seen(observation, OPTIONS, 2) == {"colours": ["green", None], "first": None}


def test_cans_that_look_alike_in_a_stock_are_left_open_with_their_names(interpreter: Interpreter) -> None:
    step = interpreter.look(interpreter.begin(START), look(LAYOUT, GAME.placement(START), shape_nats=0.5))

    stands = interpreter.believed_pieces(step.belief)

    assert len(stands) == 12
    assert all(stand.appearance is None and len(stand.among) > 1 for stand in stands)


def test_a_stock_that_is_partly_out_of_sight_says_where_its_drinks_are_and_stops_no_ply(
    interpreter: Interpreter,
) -> None:
    ply: Ply[Any] = Ply(1, Place("red/tall_can", "c4"))
    looks = [look(LAYOUT, GAME.placement(state)) for state in (START, GAME.apply(START, ply))]
    partly = [replace(each, sights=each.sights[::-1], zones=frozenset({"stock:1"})) for each in looks]

    first = interpreter.look(interpreter.begin(START), partly[0])
    step = interpreter.look(first.belief, partly[1])

    assert isinstance(step.outcome, Moved)
    assert step.outcome.plies == (ply,)
    assert sum(stand.spot == "stock:0" for stand in interpreter.believed_pieces(step.belief)) == 6


def test_an_explosion_that_leaves_one_drink_less_in_a_stock_is_asked_about(interpreter: Interpreter) -> None:
    """Green placed a can beside the red one, red exploded; but for green's stock it looks as if green had exploded."""
    state = after(RED_TO_C4, Ply(0, Place("green/tall_can", "c5")), Ply(1, Place("red/short_can", "f6")))
    belief = interpreter.look(interpreter.begin(state), look(LAYOUT, GAME.placement(state))).belief
    then = GAME.apply(GAME.apply(state, Ply(0, Place("green/stub_can", "d4"))), Ply(1, Explode("c4")))

    step = interpreter.look(belief, look(LAYOUT, GAME.placement(then)))

    assert isinstance(step.outcome, Ambiguous)


@pytest.mark.parametrize("seed", range(4))
def test_noisy_looks_at_random_games_are_never_silently_wrong(interpreter: Interpreter, seed: int) -> None:
    rng = Random(seed)
    state, belief = START, seen(interpreter)
    right = asked = 0
    for n in range(14):
        if isinstance(GAME.turn(state), Over):
            break
        ply = rng.choice(list(GAME.legal(state)))
        state = GAME.apply(state, ply)
        step = interpreter.look(belief, look(LAYOUT, GAME.placement(state), seed=n, shape_nats=5.0, noise_nats=1.0))
        if isinstance(step.outcome, Ambiguous):
            states = [each.state for each in step.belief.question.explanations]
            step = interpreter.answer(step.belief, states.index(state))
            asked += 1
        else:
            right += 1
        assert isinstance(step.outcome, Moved)
        assert step.belief.now.state == state
        belief = step.belief
    assert right > asked


TWO_REDS = (RED_TO_C4, GREEN_TO_D4, Ply(1, Place("red/stub_can", "f6")))


def misread(seen: str, rather_than: str) -> dict[str, float]:
    return {**dict.fromkeys([*DRINKS, EMPTY], -30.0), rather_than: -12.0, seen: 0.0}


def test_a_drink_that_stands_well_seen_elsewhere_is_not_the_one_at_a_misread_place(interpreter: Interpreter) -> None:
    stands = GAME.placement(after(*TWO_REDS))
    seen_as = {"grid:c4": misread("red/stub_can", rather_than="red/tall_can")}

    step = interpreter.look(interpreter.begin(after(*TWO_REDS)), look(LAYOUT, stands, seen_as=seen_as))

    assert step.outcome == Unchanged()


def test_two_drinks_that_changed_places_are_odd(interpreter: Interpreter) -> None:
    stands = GAME.placement(after(*TWO_REDS))
    changed = {**stands, "grid:c4": stands["grid:f6"], "grid:f6": stands["grid:c4"]}

    step = interpreter.look(interpreter.begin(after(*TWO_REDS)), look(LAYOUT, changed))

    assert isinstance(step.outcome, Odd)
