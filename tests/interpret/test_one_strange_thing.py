"""What is seen beside a ply that explains the table: one strange thing is asked about, several contradict the ply."""

from __future__ import annotations

from companion.games.kamikaze_cans import GAME
from companion.interpret import Ambiguous, Interpreter, Moved, Odd
from tests.interpret.cans_table import LAYOUT, RED_TO_C4, after, seen
from tests.interpret.sightings import look

PLAYED = GAME.placement(after(RED_TO_C4))


def with_more(spot: str, *drinks: str) -> dict[str, tuple[str, ...]]:
    """The table after red's ply, with drinks too many at a spot."""
    return {**PLAYED, spot: (*PLAYED[spot], *drinks)}


def test_one_thing_too_many_where_a_drink_was_taken_makes_the_ply_a_question(interpreter: Interpreter) -> None:
    step = interpreter.look(seen(interpreter), look(LAYOUT, with_more("stock:1", "blue/stub_can")))

    assert isinstance(step.outcome, Ambiguous)
    assert step.outcome.choices[0].plies == (RED_TO_C4,)
    assert interpreter.answer(step.belief, 0).belief.now.state == after(RED_TO_C4)


def test_several_things_too_many_contradict_the_ply(interpreter: Interpreter) -> None:
    crowded = with_more("stock:1", "blue/stub_can", "blue/tallest_bottle")

    assert isinstance(interpreter.look(seen(interpreter), look(LAYOUT, crowded)).outcome, Odd)


def test_a_thing_elsewhere_that_looks_like_nothing_that_moved_leaves_the_ply_alone(interpreter: Interpreter) -> None:
    step = interpreter.look(seen(interpreter), look(LAYOUT, with_more("stock:0", "blue/stub_can")))

    assert isinstance(step.outcome, Moved)
    assert step.outcome.plies == (RED_TO_C4,)


def test_a_thing_elsewhere_that_looks_like_the_drink_that_moved_makes_it_a_question(interpreter: Interpreter) -> None:
    step = interpreter.look(seen(interpreter), look(LAYOUT, with_more("stock:0", "red/tall_can")))

    assert isinstance(step.outcome, Ambiguous)
