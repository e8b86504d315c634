"""Whose ply it was, where the table does not show it: who goes on does so in one go, who waits is seen to wait."""

from dataclasses import replace
from typing import Any

import pytest

from companion.engine import CHANCE, Ply
from companion.engine.play import after_plies
from companion.games.yuzu_twist.actions import Done
from companion.interpret import Ambiguous, Belief, Interpreter, Moved
from companion.interpret import explaining
from companion.interpret.handovers import Handovers
from companion.interpret.layout_index import index_layout
from companion.interpret.trial_games import Story, looks_at
from companion.interpret.weighing import weigh
from tests.interpret.fuzz_selfplay import made_up, plies_of
from tests.interpret.score_handovers import handovers_of

STORY = made_up("yuzu-twist", seed=1)
GAME, START = STORY.game, STORY.states[0]
HURRIED = Handovers(seen=3, unseen=3)


def crate_then_swap(swap_first: bool) -> tuple[list[Ply[Any]], Any]:
    """A turn that ends after its crate, and one of a crate and a swap of what that does not move; or with the swap
    before the end of the turn."""
    first = plies_of(GAME, START, "crate")[0]
    after_first = GAME.apply(START, first)
    for swap in plies_of(GAME, after_first, "swap"):
        for crate in plies_of(GAME, GAME.apply(after_first, Ply(first.player, Done())), "crate"):
            done = Ply(first.player, Done())
            theirs = Ply(crate.player, swap.action)
            told = [first, swap, done, crate] if swap_first else [first, done, crate, theirs]
            other = [first, done, crate, theirs] if swap_first else [first, swap, done, crate]
            try:
                state, same = (after_plies(GAME, START, each) for each in (told, other))
            except ValueError:
                continue
            if GAME.placement(state) == GAME.placement(same):
                return told, state
    raise AssertionError


def after_the_crate(handovers: Handovers) -> tuple[Interpreter, Belief]:
    """An interpreter that knows the first turn's crate to be moved, at a table where turns were handed over so."""
    interpreter = Interpreter(GAME, STORY.layout)
    shown = after_plies(GAME, START, crate_then_swap(swap_first=False)[0][:1])
    belief = interpreter.look(interpreter.begin(shown), look(shown)).belief
    return interpreter, replace(belief, handovers=handovers)


def look(state: Any) -> Any:
    """Eyes that see every piece."""
    return look_at(STORY, state)


def look_at(story: Story, state: Any) -> Any:
    """The same in another game."""
    return next(iter(looks_at(replace(story, states=[state], plies=[]), seed=0))).observation


def test_a_swap_that_either_may_have_made_is_given_to_who_went_on() -> None:
    plies, state = crate_then_swap(swap_first=False)
    interpreter, belief = after_the_crate(Handovers())

    outcome = interpreter.look(belief, look(state)).outcome

    assert isinstance(outcome, Moved)
    assert list(outcome.plies) == plies[1:]


def test_where_players_do_not_wait_it_is_asked_whose_swap_it_was() -> None:
    plies, state = crate_then_swap(swap_first=True)
    interpreter, belief = after_the_crate(HURRIED)

    outcome = interpreter.look(belief, look(state)).outcome

    assert isinstance(outcome, Ambiguous)
    assert plies[1:] in [list(choice.plies) for choice in outcome.choices]


def test_a_look_that_may_have_shown_the_swap_was_a_look_before_the_turn_was_handed_over() -> None:
    plies, state = crate_then_swap(swap_first=True)
    interpreter, stood = Interpreter(GAME, STORY.layout), after_plies(GAME, START, plies[:1])
    slots = {f"slot:{x},{y}" for x, y in (plies[1].action.a, plies[1].action.b)}
    hard_to_tell = replace(look(stood), sights=tuple(
        replace(sight, loglik=dict.fromkeys(sight.loglik, 0.0)) if sight.spot in slots else sight
        for sight in look(stood).sights
    ))
    belief = interpreter.look(interpreter.begin(stood), hard_to_tell).belief

    assert belief.stood
    assert isinstance(interpreter.look(belief, look(state)).outcome, Ambiguous)
    assert isinstance(interpreter.look(replace(belief, stood=False), look(state)).outcome, Moved)


def test_a_ply_given_out_adds_to_the_turns_handed_over() -> None:
    _, state = crate_then_swap(swap_first=False)
    interpreter, belief = after_the_crate(Handovers(last=START.on_turn))

    assert interpreter.look(belief, look(state)).belief.handovers == Handovers(seen=1, last=state.on_turn)


def test_turns_handed_over_are_counted_by_looks() -> None:
    assert handovers_of(STORY, range(len(STORY.states))).unseen == 0
    assert handovers_of(STORY, [len(STORY.plies)]).unseen > 10


@pytest.mark.parametrize(("players", "looks", "seen", "unseen"), [
    ([], 0, 0, 0), ([1], 0, 1, 0), ([0, 0], 0, 0, 0), ([0, 1], 0, 0, 1), ([1, 0, 1], 0, 1, 2), ([1, 0, 1], 2, 1, 0),
    ([1, CHANCE, 0], 0, 1, 0), ([CHANCE, 1], 0, 0, 0),
])
def test_what_plies_add_to_the_turns_handed_over(players: list[Any], looks: int, seen: int, unseen: int) -> None:
    after = Handovers(last=0).after(players, looks)

    assert (after.seen, after.unseen) == (seen, unseen)
    assert after.last == (players[-1] if players else 0)


def test_one_turn_handed_over_unseen_makes_the_next_one_likelier() -> None:
    assert Handovers(unseen=1).unseen_nats < Handovers().unseen_nats - 2 < Handovers(seen=30).unseen_nats - 2


def test_a_ply_that_was_surely_seen_is_seldom_taken_back_for_others() -> None:
    plies, state = crate_then_swap(swap_first=False)
    interpreter, belief = after_the_crate(Handovers())
    first = GAME.apply(START, plies[0])
    belief = interpreter.look(interpreter.begin(START), look(START)).belief
    belief = interpreter.look(belief, look(first)).belief

    found = explaining.explanations(GAME, belief, weigh(look(state), belief.base.seen, index_layout(STORY.layout)))

    others = [each.rarity for each in found if each.taken_back and len(each.plies) == 1]
    assert set(others) == {explaining.REGRET_NATS}


def test_a_crate_that_is_moved_again_was_moved_by_the_next_player() -> None:
    interpreter, first = Interpreter(GAME, STORY.layout), plies_of(GAME, START, "crate")[0]
    moved, done = GAME.apply(START, first), Ply(first.player, Done())
    belief = interpreter.look(interpreter.begin(START), look(START)).belief
    belief = interpreter.look(belief, look(moved)).belief
    handed_over = GAME.apply(moved, done)
    again = [each for each in plies_of(GAME, handed_over, "crate") if each.action.crate == first.action.crate]

    outcomes = [interpreter.look(belief, look(after_plies(GAME, moved, [done, each]))).outcome for each in again]

    assert [each.plies for each in outcomes if isinstance(each, Moved)] == [
        (done, each) for each, outcome in zip(again, outcomes, strict=True) if isinstance(outcome, Moved)]
    [back] = [each for each in outcomes if not isinstance(each, Moved)]  # put back where it was, by either of them
    assert isinstance(back, Ambiguous)
    assert [each.taken_back for each in back.choices if not each.plies] == [1]


@pytest.mark.parametrize(("handovers", "kind"), [(Handovers(), Moved), (Handovers(seen=3, unseen=1), Ambiguous)])
def test_a_ply_beneath_the_next_coin_is_as_unlikely_as_a_turn_handed_over_unseen(
    handovers: Handovers, kind: type[Any],
) -> None:
    story = made_up("war-chest", seed=14)
    interpreter = Interpreter(story.game, story.layout)
    last, draw, next_one = story.plies[13:16]
    assert (draw.player, last.player + next_one.player) == (CHANCE, 1)
    before, after = (look_at(story, story.states[n]) for n in (13, 16))
    belief = replace(interpreter.look(interpreter.begin(story.states[13]), before).belief, handovers=handovers)

    outcome = interpreter.look(belief, after).outcome

    assert isinstance(outcome, kind)
    plies = outcome.plies if isinstance(outcome, Moved) else outcome.choices[0].plies
    assert list(plies) == [last, draw, next_one]
