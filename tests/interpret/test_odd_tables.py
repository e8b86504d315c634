"""Tables that no ply explains, what is covered, and how the table is put right."""

from typing import Any

from companion.engine import Ply
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Move, Place
from companion.interpret import Ambiguous, Interpreter, Moved, Odd, Unchanged
from tests.interpret.cans_table import GREEN_TO_D4, LAYOUT, RED_TO_C4, START, WORDS, after, seen
from tests.interpret.sightings import look


def test_a_drink_out_of_turn_is_odd_and_says_why(interpreter: Interpreter) -> None:
    wrong = dict(GAME.placement(START))
    wrong["stock:0"] = tuple(d for d in wrong["stock:0"] if d != "green/stub_can")
    wrong["grid:c4"] = ("green/stub_can",)

    step = interpreter.look(seen(interpreter), look(LAYOUT, wrong))

    assert isinstance(step.outcome, Odd)
    assert "green stub can stands on c4. It is not" in WORDS.say(step.outcome.reasons[0])
    assert step.belief.now.state == START


def test_an_illegal_jump_is_odd_and_names_the_rule(interpreter: Interpreter) -> None:
    plies = (Ply(1, Place("red/stub_can", "c1")), Ply(0, Place("green/short_can", "c2")))
    belief = seen(interpreter)
    for n in (1, 2):
        belief = interpreter.look(belief, look(LAYOUT, GAME.placement(after(*plies[:n])))).belief
    wrong = dict(GAME.placement(after(*plies)))
    wrong["grid:c4"] = wrong.pop("grid:c1")

    step = interpreter.look(belief, look(LAYOUT, wrong))

    assert isinstance(step.outcome, Odd)
    assert "jump" in WORDS.say(step.outcome.reasons[0])


MANY = [
    Ply(1 - n % 2, Place(f"{('red', 'green')[n % 2]}/{shape}", cell))
    for n, (shape, cell) in enumerate([
        ("tall_can", "a1"), ("stub_can", "b3"), ("stub_can", "c5"), ("tall_can", "d2"), ("short_can", "e6"),
    ])
]


def after_odd_looks(interpreter: Interpreter, *placements: Any) -> Any:
    """A belief after looks that cannot be explained."""
    belief = seen(interpreter)
    for placement in placements:
        step = interpreter.look(belief, look(LAYOUT, {**placement, "grid:f1": ("blue/stub_can",)}))
        assert isinstance(step.outcome, Odd) or step.outcome.choices == ()
        belief = step.belief
    return belief


def test_what_was_played_on_while_the_table_was_odd_is_a_question(interpreter: Interpreter) -> None:
    belief = after_odd_looks(interpreter, *(GAME.placement(after(*MANY[:n])) for n in (1, 3)))

    step = interpreter.look(belief, look(LAYOUT, GAME.placement(after(*MANY))))

    assert isinstance(step.outcome, Ambiguous)
    assert interpreter.answer(step.belief, 0).belief.now.state == after(*MANY)


def test_a_drink_that_was_seen_elsewhere_meanwhile_is_a_question(interpreter: Interpreter) -> None:
    """The tall can stood on c4 at a look that could not be explained; on d4 it may have been placed, or moved."""
    belief = after_odd_looks(interpreter, GAME.placement(after(RED_TO_C4)))
    then = after(RED_TO_C4, GREEN_TO_D4, Ply(1, Move("c4", "c1")))

    step = interpreter.look(belief, look(LAYOUT, GAME.placement(then)))

    assert isinstance(step.outcome, Ambiguous)


def test_an_illegal_drink_put_right_by_one_ply_needs_no_question(interpreter: Interpreter) -> None:
    belief = after_odd_looks(interpreter, GAME.placement(START))

    step = interpreter.look(belief, look(LAYOUT, GAME.placement(after(RED_TO_C4))))

    assert step.outcome == Moved((RED_TO_C4,), step.outcome.confidence)


def test_covered_places_prove_nothing(interpreter: Interpreter) -> None:
    covered = frozenset({"grid:c4", "stock:1"})

    step = interpreter.look(seen(interpreter), look(LAYOUT, GAME.placement(after(RED_TO_C4)), covered=covered))

    assert step.outcome == Unchanged()


def test_a_covered_place_is_never_played_to(interpreter: Interpreter) -> None:
    """The can is gone from the stock, and one place cannot be seen: nobody knows that it stands there."""
    covered = frozenset({"grid:c4"})

    step = interpreter.look(seen(interpreter), look(LAYOUT, GAME.placement(after(RED_TO_C4)), covered=covered))

    assert step.outcome == Unchanged()
    assert step.belief.now.state == START


def test_a_drink_too_many_beside_a_stock_is_told_at_the_second_look_and_stops_no_game(interpreter: Interpreter) -> None:
    crowded = {**GAME.placement(START), "stock:0": (*GAME.placement(START)["stock:0"], "red/tallest_bottle")}
    first = interpreter.look(interpreter.begin(START), look(LAYOUT, crowded))
    second = interpreter.look(first.belief, look(LAYOUT, crowded))
    played = {**GAME.placement(after(RED_TO_C4)), "stock:0": crowded["stock:0"]}

    third = interpreter.look(second.belief, look(LAYOUT, played))

    assert first.outcome == Unchanged()
    assert isinstance(second.outcome, Odd)
    assert isinstance(third.outcome, Moved)
    assert third.outcome.plies == (RED_TO_C4,)


def test_differences_say_how_to_put_the_table_right(interpreter: Interpreter) -> None:
    told = interpreter.corrected(after(RED_TO_C4))

    sentences = interpreter.differences(told, look(LAYOUT, GAME.placement(START)))

    assert [WORDS.say(each) for each in sentences] == [
        "Move the red tall can from player B's stock to c4."
    ]
