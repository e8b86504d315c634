from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.engine import Over, Ply
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Explode
from companion.games.kamikaze_cans.actions import Move
from companion.games.kamikaze_cans.actions import Place
from companion.interpret import Ambiguous, Interpreter, Moved, Odd, Unchanged
from companion.table import EMPTY
from companion.words import load
from tests.interpret.sightings import DRINKS, look

OPTIONS = GAME.read_options({}, 2)
SETUP = {"colours": ["green", "red"], "first": 1}
LAYOUT = GAME.layout(SETUP)
START = GAME.start(SETUP, OPTIONS, 2)
WORDS = load("en", [GAME.words])


def after(*plies: Ply[Any]) -> Any:
    state = START
    for ply in plies:
        state = GAME.apply(state, ply)
    return state


RED_TO_C4 = Ply(1, Place("red/tall_can", "c4"))
GREEN_TO_D4 = Ply(0, Place("green/stub_can", "d4"))


@pytest.fixture
def interpreter() -> Interpreter:
    return Interpreter(GAME, LAYOUT)


def seen(interpreter: Interpreter, shape_nats: float = 8.0) -> Any:
    """A belief after one look at the start."""
    return interpreter.look(interpreter.begin(START), look(LAYOUT, GAME.placement(START), shape_nats=shape_nats)).belief


def blurred_step(interpreter: Interpreter) -> Any:
    """Red placed the tall can, and no look ever told its shape well."""
    return interpreter.look(
        seen(interpreter, shape_nats=0.2), look(LAYOUT, GAME.placement(after(RED_TO_C4)), shape_nats=0.2)
    )


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
        assert isinstance(step.outcome, Odd)
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

    assert step.outcome == Moved((RED_TO_C4,), step.outcome.confidence)  # type: ignore[union-attr]


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
        "Take the red tall can from player B's stock.", "Put the red tall can on c4."
    ]


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
            states = [each.state for each in step.belief.question.explanations]  # type: ignore[union-attr]
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
