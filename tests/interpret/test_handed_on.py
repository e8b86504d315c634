"""A turn may have ended, and the next one begun, while the table was not read: then what seems to be one player's is
asked about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.engine import Ply
from companion.engine.play import after_plies
from companion.games.yuzu_twist.actions import Done
from companion.interpret import Ambiguous, Interpreter, Moved
from companion.interpret.handed_on import may_be_handed_on
from companion.interpret.belief import LONG_UNREAD_S
from tests.interpret.fuzz_selfplay import plies_of
from tests.interpret.test_handovers import GAME, START, STORY, look


def twice_moved() -> tuple[list[Ply[Any]], list[Ply[Any]]]:
    """A turn of a crate and a swap; and two turns of two players, the second of whom moves the same crate on to where
    the first turn puts it, that lead to the same table."""
    for crate in plies_of(GAME, START, "crate"):
        once = GAME.apply(START, crate)
        for swap in plies_of(GAME, once, "swap")[:20]:
            one = [crate, swap]
            there = GAME.placement(after_plies(GAME, START, one))
            for other in plies_of(GAME, START, "crate"):
                if other.action.crate != crate.action.crate or other == crate:
                    continue
                ended = after_plies(GAME, START, [other, Ply(crate.player, Done())])
                for onward in plies_of(GAME, ended, "crate"):
                    two = [other, Ply(crate.player, Done()), onward, Ply(onward.player, swap.action)]
                    try:
                        state = after_plies(GAME, START, two)
                    except ValueError:
                        continue
                    if GAME.placement(state) == there:
                        return one, two
    raise AssertionError


FIRST, SECOND = (each.player for each in twice_moved()[1][::3])


@pytest.mark.parametrize(("seen_before", "outcome"), [
    ({}, Moved),
    ({"arms": frozenset({FIRST})}, Moved),
    ({"unread_s": LONG_UNREAD_S}, Ambiguous),
    ({"unread_s": LONG_UNREAD_S, "arms": frozenset({FIRST})}, Ambiguous),
    ({"arms": frozenset({FIRST, SECOND})}, Ambiguous),
])
def test_what_two_players_may_have_done_is_asked_about_if_another_arm_was_seen_or_nothing_was_read_for_long(
        seen_before: dict[str, Any], outcome: type) -> None:
    one, _ = twice_moved()
    interpreter = Interpreter(GAME, STORY.layout)
    belief = interpreter.look(interpreter.begin(START), look(START)).belief
    seen = replace(look(after_plies(GAME, START, one)), **seen_before)
    assert isinstance(interpreter.look(belief, seen).outcome, outcome)


def test_a_single_ply_is_given_out_however_long_nothing_was_read() -> None:
    one, _ = twice_moved()
    interpreter = Interpreter(GAME, STORY.layout)
    belief = interpreter.look(interpreter.begin(START), look(START)).belief
    one_ply = look(GAME.apply(START, one[0]))
    seen = replace(one_ply, unread_s=10 * LONG_UNREAD_S, unwatched_s=4.0, arms=frozenset({FIRST}))
    step = interpreter.look(belief, seen)
    assert isinstance(step.outcome, Moved)
    assert (step.belief.unread_s, step.belief.unwatched_s, step.belief.arms) == (0.0, 0.0, frozenset())


def test_two_swaps_are_no_other_player_s_who_would_have_moved_a_crate_first() -> None:
    crate, *_ = twice_moved()[0]
    once = GAME.apply(START, crate)
    first = plies_of(GAME, once, "swap")[0]
    swaps = [first, next(each for each in plies_of(GAME, GAME.apply(once, first), "swap")
                         if {each.action.a, each.action.b}.isdisjoint({first.action.a, first.action.b}))]
    assert not may_be_handed_on(GAME, once, tuple(swaps))
    assert may_be_handed_on(GAME, START, (crate, first))
