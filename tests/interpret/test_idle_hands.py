"""Who reaches over the table mostly plays: a ply that hardly shows is likelier after a hand than without one."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from companion.engine import CHANCE, Ply
from companion.interpret import Ambiguous, Interpreter, Moved, Unchanged
from companion.interpret.belief import UNWATCHED_S, SettledTable
from companion.interpret.explanation import PLY_NATS, Explanation
from companion.interpret.handovers import Handovers
from companion.interpret.idle_arms import idle_arms
from companion.interpret.interpreter import SURE
from companion.interpret.outcome import Outcome
from companion.interpret.reaches import Reaches
from companion.table import Observation, Sight
from tests.interpret.fuzz_selfplay import made_up, plies_of
from tests.interpret.test_handovers import GAME, START, STORY, after_the_crate, crate_then_swap, look

BEFORE = GAME.apply(START, plies_of(GAME, START, "crate")[0])
SWAP = plies_of(GAME, BEFORE, "swap")[0]
FIRST, SECOND = SWAP.player, crate_then_swap(swap_first=True)[0][-1].player


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


def outcome_of(nats: float, **seen_before: Any) -> Outcome:
    interpreter = Interpreter(GAME, STORY.layout)
    belief = interpreter.look(interpreter.begin(BEFORE), look(BEFORE)).belief
    return interpreter.look(belief, replace(hardly_seen(nats), **seen_before)).outcome


@pytest.mark.parametrize(("seen_before", "outcome"), [
    ({}, Ambiguous),
    ({"unwatched_s": 0.2}, Ambiguous),  # who was not seen to reach over the table has hardly played
    ({"unread_s": 4.0}, Moved),
    ({"arms": frozenset({SWAP.player})}, Moved),
])
def test_a_ply_that_hardly_shows_is_given_out_after_a_hand(seen_before: dict[str, Any], outcome: type) -> None:
    assert isinstance(outcome_of(0.0, **seen_before), outcome)


def test_where_nobody_watched_a_ply_is_as_likely_as_none() -> None:
    def share(**seen_before: Any) -> float:
        outcome = outcome_of(-1.0, **seen_before)
        assert isinstance(outcome, Ambiguous)
        return outcome.choices[0].confidence

    watched, unwatched = share(unwatched_s=UNWATCHED_S / 2), share(unwatched_s=UNWATCHED_S)
    assert unwatched / (1 - unwatched) == pytest.approx(math.exp(PLY_NATS) * watched / (1 - watched), rel=0.05)


@pytest.mark.parametrize("seen_before", [{}, {"unread_s": 4.0}, {"arms": frozenset({0, 1})}, {"unwatched_s": 60.0}])
@pytest.mark.parametrize("nats", [-4.0, -6.0, -12.0])
def test_after_a_hand_that_left_no_trace_nothing_was_played(nats: float, seen_before: dict[str, Any]) -> None:
    assert outcome_of(nats, **seen_before) == Unchanged()


def swapped_and_moved(arms: set[int]) -> tuple[list[Ply[Any]], Outcome]:
    """A swap that ends a turn and another player's crate, after a crate that was seen, and what they are taken for:
    the swap could as well be the other player's, after the crate."""
    plies, state = crate_then_swap(swap_first=True)
    interpreter, belief = after_the_crate(Handovers())
    return plies[1:], interpreter.look(belief, replace(look(state), arms=frozenset(arms))).outcome


@pytest.mark.parametrize(("arms", "of_second_nats"), [
    (set(), 6.4), ({SECOND}, 6.4),  # turns are handed over with a look in between
    ({FIRST}, 2.5),  # why did the first one reach over the table?
    ({FIRST, SECOND}, -3.9),  # they were not, and the first one would have played nothing
])
def test_whose_arm_was_seen_has_likely_played(arms: set[int], of_second_nats: float) -> None:
    plies, outcome = swapped_and_moved(arms)
    if isinstance(outcome, Moved):
        assert list(outcome.plies) != plies
        assert of_second_nats > -math.log(1 - SURE)
    else:
        assert isinstance(outcome, Ambiguous)
        is_first_s = [choice.confidence for choice in outcome.choices if list(choice.plies) == plies]
        assert math.log(1 / sum(is_first_s) - 1) == pytest.approx(of_second_nats, abs=0.1)


def test_who_helped_where_chance_has_its_part_need_not_have_played() -> None:
    story = made_up("war-chest", seed=1)
    at = next(n for n, ply in enumerate(story.plies) if ply.player == CHANCE)
    after_nothing, drawn = story.states[at], story.plies[at:at + 1]
    reached = replace(Interpreter(story.game, story.layout).begin(after_nothing), arms=frozenset({0, 1}))
    assert idle_arms(story.game, reached, Explanation((), after_nothing, 0.0, 0.0)) == {0, 1}
    assert idle_arms(story.game, reached, Explanation(tuple(drawn), story.states[at + 1], 0.0, 0.0)) == frozenset()


def test_who_took_a_ply_back_was_not_idle() -> None:
    _, belief = after_the_crate(Handovers())
    player, since = SWAP.player, tuple(plies_of(GAME, START, "crate")[:1])
    reached = replace(belief, before=SettledTable(START), since=since, arms=frozenset({player}))
    back = Explanation((), START, 0.0, 0.0, taken_back=1)
    assert idle_arms(GAME, reached, replace(back, taken_back=0)) == {player}
    assert idle_arms(GAME, reached, back) == frozenset()


def test_where_arms_were_of_others_than_played_they_tell_little() -> None:
    told = [Reaches().after(arms, idle).idle_nats for arms, idle in ((0, 0), (30, 0), (1, 1), (3, 3))]
    assert told == pytest.approx([3.9, 5.3, 2.2, 1.4], abs=0.05)


def test_whose_arms_they_were_is_remembered() -> None:
    interpreter, belief = after_the_crate(Handovers())
    seen = look(GAME.apply(BEFORE, SWAP))
    after = interpreter.look(belief, replace(seen, arms=frozenset({FIRST, SECOND}))).belief
    assert after.reaches == Reaches(active=1, idle=1)
    still = interpreter.look(after, replace(seen, arms=frozenset({SECOND}))).belief
    assert still.reaches == after.reaches
