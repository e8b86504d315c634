"""A flat piece was pushed while something was played: whether that was all is asked if one ply more might say why."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from companion.interpret import Ambiguous, Belief, Interpreter, Moved
from companion.interpret.evidence import Evidence
from companion.interpret.explaining import as_told
from companion.interpret.further_plies import further_nats
from companion.interpret.interpreter import DOUBTED_NATS
from companion.interpret.layout_index import index_layout
from companion.interpret.weighing import weigh
from companion.table import Observation
from tests.interpret.fuzz_selfplay import made_up
from tests.interpret.test_handovers import look_at

STORY = made_up("war-chest", seed=0)
GAME = STORY.game
AT = next(n for n, ply in enumerate(STORY.plies) if GAME.write_action(ply.action)["type"] == "deploy")
"""A coin is laid on the board, and by the next ply another one, or that is moved."""


def pushed(look: Observation, spot: str, by_mm: float) -> Observation:
    return replace(look, sights=tuple(
        replace(each, at_mm=(each.at_mm[0] + by_mm, each.at_mm[1])) if each.spot == spot else each
        for each in look.sights
    ))


def before() -> tuple[Interpreter, Belief]:
    interpreter = Interpreter(GAME, STORY.layout)
    return interpreter, interpreter.look(interpreter.begin(STORY.states[AT]), look_at(STORY, STORY.states[AT])).belief


def evidence_of(belief: Belief, look: Observation) -> Evidence:
    return weigh(look, belief.base.seen, index_layout(STORY.layout))


@pytest.mark.parametrize(("by_mm", "outcome"), [(0.0, Moved), (2.5, Moved), (3.5, Ambiguous)])
def test_a_pile_that_no_ply_could_have_touched_was_pushed_if_not_far(by_mm: float, outcome: type[Any]) -> None:
    interpreter, belief = before()
    pile = next(spot for spot in GAME.placement(STORY.states[AT]) if spot.startswith("supply"))
    step = interpreter.look(belief, pushed(look_at(STORY, STORY.states[AT + 1]), pile, by_mm))
    assert isinstance(step.outcome, outcome)


def test_what_another_ply_would_have_had_to_show_speaks_against_it() -> None:
    _, belief = before()
    pile = next(spot for spot in GAME.placement(STORY.states[AT]) if spot.startswith("supply"))
    evidence = evidence_of(belief, pushed(look_at(STORY, STORY.states[AT + 1]), pile, 2.5))
    told = as_told(GAME, belief, evidence, tuple(STORY.plies[AT:AT + 1]))
    assert told.flat >= DOUBTED_NATS
    assert further_nats(GAME, belief, evidence, told) >= DOUBTED_NATS


def test_a_ply_that_was_made_besides_is_likelier_than_a_push() -> None:
    _, belief = before()
    later = next(n for n in range(AT + 1, len(STORY.plies)) if STORY.plies[n].player in (0, 1)
                 and GAME.placement(STORY.states[n + 1]) != GAME.placement(STORY.states[n]))
    evidence = evidence_of(belief, look_at(STORY, STORY.states[later + 1]))
    told = as_told(GAME, belief, evidence, tuple(STORY.plies[AT:later]))
    assert told.flat >= DOUBTED_NATS
    assert further_nats(GAME, belief, evidence, told) < 0.0


def test_where_nothing_is_left_to_say_no_further_ply_is_priced() -> None:
    _, belief = before()
    evidence = evidence_of(belief, look_at(STORY, STORY.states[AT + 1]))
    told = as_told(GAME, belief, evidence, tuple(STORY.plies[AT:AT + 1]))
    assert told.flat < DOUBTED_NATS
    assert further_nats(GAME, belief, evidence, told) == math.inf
