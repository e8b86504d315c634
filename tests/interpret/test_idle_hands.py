"""Who reaches over the table mostly plays: a ply that hardly shows is likelier after a hand than without one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.interpret import Ambiguous, Interpreter, Moved, Unchanged
from companion.interpret.outcome import Outcome
from companion.table import Observation, Sight
from tests.interpret.fuzz_selfplay import plies_of
from tests.interpret.test_handovers import GAME, START, STORY, look

HAND_S = 4.0
BEFORE = GAME.apply(START, plies_of(GAME, START, "crate")[0])
SWAP = plies_of(GAME, BEFORE, "swap")[0]


def hardly_seen(nats: float) -> Observation:
    """A look after a swap of two cans, each of which speaks by half so many nats for it."""
    before: Observation = look(BEFORE)
    after: Observation = look(GAME.apply(BEFORE, SWAP))

    def blurred(was: Sight, now: Sight) -> Sight:
        if was.likeliest == now.likeliest:
            return now
        loglik = {was.likeliest: -nats / 2, now.likeliest: 0.0}
        return replace(now, loglik={**now.loglik, **loglik})

    return replace(after, sights=tuple(map(blurred, before.sights, after.sights)))


def outcome_of(nats: float, unread_s: float) -> Outcome:
    interpreter = Interpreter(GAME, STORY.layout)
    belief = interpreter.look(interpreter.begin(BEFORE), look(BEFORE)).belief
    return interpreter.look(belief, replace(hardly_seen(nats), unread_s=unread_s)).outcome


@pytest.mark.parametrize(("unread_s", "outcome"), [(0.0, Ambiguous), (HAND_S, Moved)])
def test_a_ply_that_hardly_shows_is_given_out_after_a_hand(unread_s: float, outcome: type) -> None:
    assert isinstance(outcome_of(0.0, unread_s), outcome)


@pytest.mark.parametrize("unread_s", [0.0, HAND_S])
@pytest.mark.parametrize("nats", [-4.0, -6.0, -12.0])
def test_after_a_hand_that_left_no_trace_nothing_was_played(nats: float, unread_s: float) -> None:
    assert outcome_of(nats, unread_s) == Unchanged()
