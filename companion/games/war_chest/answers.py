"""What the answer to a follow-up does (WC 7.3 to WC 7.5)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.war_chest import coins
from companion.games.war_chest.actions import AbsorbFrom, Free, Skip
from companion.games.war_chest.legal import answers
from companion.games.war_chest.maneuvers import after, carry_out, loses_coin, struck, take_location
from companion.games.war_chest.refusals_of_answers import refuse_answer
from companion.games.war_chest.state import Absorb, FootmenManeuver, MayManeuver, State
from companion.games.war_chest.units import Aim


def answer(state: State, action: Free | Skip | AbsorbFrom) -> State:
    """WC 7.3 to WC 7.5."""
    due = state.due[-1] if state.due else None
    if due is None or action not in answers(state, due):
        refuse_answer(state, due, action)
    rest = replace(state, due=state.due[:-1])
    match due, action:
        case Absorb(seat, at, attacker), AbsorbFrom("supply"):
            kept = rest.with_purse(seat, coins.take_from_supply(rest.purses[seat], "royal_guard"))
            return after(kept, attacker, "attack")
        case Absorb(_, at, attacker), AbsorbFrom():
            return after(struck(rest, attacker, at), attacker, "attack")
        case MayManeuver(seat, at, _, True), Free():
            kind = rest.stacks[at].kind
            paid_for = loses_coin(rest, at).with_purse(seat, coins.discard(rest.purses[seat], kind))
            return _free(paid_for, action)
        case FootmenManeuver(seat, waiting), Free():
            others = tuple(at for at in waiting if at != action.from_)
            return _free(rest.with_due(FootmenManeuver(seat, others)), action)
        case _, Free():
            return _free(rest, action)
    return rest


def _free(state: State, action: Free) -> State:
    if action.maneuver == "control":
        return take_location(state, action.from_)
    return carry_out(state, Aim(action.from_, to=action.to, target=action.target))
