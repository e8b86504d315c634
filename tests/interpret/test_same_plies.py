"""The same plies in another order: no question where that shows nowhere and decides nothing."""

from dataclasses import replace
from typing import Any

import pytest

from companion.engine import CHANCE
from companion.engine.play import after_plies
from companion.interpret import Ambiguous, Belief, Interpreter, Moved
from companion.interpret.explanation import Explanation
from companion.interpret.same_plies import in_any_order
from companion.interpret.trial_games import Story, looks_at
from tests.interpret.fuzz_selfplay import made_up


def look(story: Story, n: int) -> Any:
    """Eyes that see every piece after so many plies."""
    return next(iter(looks_at(replace(story, states=[story.states[n]], plies=[]), seed=0))).observation


def across_a_draw(seed: int, first: int) -> tuple[Story, Interpreter, Belief]:
    """A game in which one player uses the last coin of a round and the first of the next, when all was seen before."""
    story = made_up("war-chest", seed)
    last, draw, next_one = story.plies[first : first + 3]
    assert (draw.player, last.player) == (CHANCE, next_one.player)
    interpreter = Interpreter(story.game, story.layout)
    return story, interpreter, interpreter.look(interpreter.begin(story.states[first]), look(story, first)).belief


def test_which_of_two_coins_was_used_before_the_draw_is_not_asked() -> None:
    story, interpreter, belief = across_a_draw(seed=14, first=6)
    last, draw, next_one = story.plies[6:9]
    otherwise = after_plies(story.game, story.states[6], [next_one, draw, last])
    assert otherwise != story.states[9]

    outcome = interpreter.look(belief, look(story, 9))

    assert isinstance(outcome.outcome, Moved)
    assert set(outcome.outcome.plies) == {last, draw, next_one}
    assert story.game.open_state(outcome.belief.now.state) == story.game.open_state(story.states[9])


def test_it_is_asked_where_the_order_leads_to_other_tables() -> None:
    story, interpreter, belief = across_a_draw(seed=16, first=48)

    outcome = interpreter.look(belief, look(story, 51)).outcome

    assert isinstance(outcome, Ambiguous)
    assert sorted(each.confidence for each in outcome.choices) == pytest.approx([0.5, 0.5], abs=0.01)


def test_all_orders_together_are_as_likely_as_their_sum() -> None:
    story, _, _ = across_a_draw(seed=14, first=6)
    last, draw, next_one = story.plies[6:9]
    both = [(last, draw, next_one), (next_one, draw, last)]
    found = [Explanation(plies, after_plies(story.game, story.states[6], plies), 4.0, 0.0) for plies in both]

    together, = in_any_order(story.game, found)

    assert together.plies == both[0]
    assert together.nats == pytest.approx(4.0 - 0.6931, abs=1e-3)


def test_plies_taken_back_are_no_order() -> None:
    story, _, _ = across_a_draw(seed=14, first=6)
    plies = tuple(story.plies[6:9])
    one = Explanation(plies, story.states[9], 4.0, 0.0)

    assert len(in_any_order(story.game, [one, replace(one, taken_back=1)])) == 2
