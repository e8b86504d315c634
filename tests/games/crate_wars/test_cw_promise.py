from __future__ import annotations

from dataclasses import replace
from random import Random

from companion.engine import Ply, play
from companion.games.crate_wars import GAME
from companion.games.crate_wars.actions import Pass
from companion.games.crate_wars.state import State

OPTIONS = GAME.read_options({}, 2)


def begun() -> State:
    return GAME.start(GAME.read_setup(GAME.deal(2, OPTIONS, Random(1)), OPTIONS, 2), OPTIONS, 2)


def test_a_lead_is_trusted_more_the_fewer_drinks_can_still_be_placed() -> None:
    richer = replace(begun(), coins=(4, 2))
    front, back = richer.supplies
    early, late = (GAME.evaluate(replace(richer, supplies=(front[:left], back[:left])), 0) for left in (18, 3))
    assert 0.5 < early < late


def test_the_promises_of_both_seats_make_one() -> None:
    for state, _ in play.random_game(GAME, begun(), Random(2), 200):
        assert abs(GAME.evaluate(state, 0) + GAME.evaluate(state, 1) - 1) < 1e-9


def test_whoever_leads_does_not_gain_by_passing_while_the_other_goes_on() -> None:
    state = replace(begun(), coins=(4, 2), on_turn=0)
    assert GAME.evaluate(GAME.apply(state, Ply(0, Pass())), 0) < GAME.evaluate(state, 0)
