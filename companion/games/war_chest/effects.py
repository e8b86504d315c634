"""What an action does that is paid with a coin (WC 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.engine import Seat
from companion.games.war_chest import coins, refusals
from companion.games.war_chest.actions import (
    Attack, Bolster, Control, Deploy, FaceDown, Move, Pass, Recruit, Tactic, TakeInitiative, hidden_coin,
)
from companion.games.war_chest.legal import FACE_UP, face_down
from companion.games.war_chest.maneuvers import carry_out, take_location
from companion.games.war_chest.state import FootmenManeuver, MayManeuver, State
from companion.games.war_chest.units import ANY_MANEUVER, Aim


def use(state: State, seat: Seat, action: Any) -> State:
    """Pay, then do what was paid for (WC 7.1)."""
    refusals.check_coin(state, seat, action)
    if isinstance(action, FaceDown):
        allowed = hidden_coin(action) in face_down(state, seat, None)
        if not allowed:
            refusals.refuse(state, seat, action)
        purse = coins.spend_face_down(state.purses[seat], action.coin)
    else:
        if action not in FACE_UP[type(action)](state, seat, action.coin):
            refusals.refuse(state, seat, action)
        purse = coins.spend(state.purses[seat], action.coin, onto_pile=not isinstance(action, Deploy | Bolster))
    paid_for = state.with_purse(seat, purse)
    if paid_for.due:  # a coin drawn by a priest is used now
        paid_for = replace(paid_for, due=paid_for.due[:-1])
    return _EFFECTS[type(action)](paid_for, seat, action)


def _deploy(state: State, _: Seat, action: Deploy) -> State:
    return state.with_stack(action.at, action.coin, 1)


def _bolster(state: State, _: Seat, action: Bolster) -> State:
    return state.with_stack(action.at, action.coin, state.stacks[action.at].height + 1)


def _pass(state: State, _: Seat, __: Pass) -> State:
    return state


def _take_initiative(state: State, seat: Seat, _: TakeInitiative) -> State:
    return replace(state, initiative=seat, initiative_moved=True)


def _recruit(state: State, seat: Seat, action: Recruit) -> State:
    assert action.unit is not None
    purse = coins.discard(coins.take_from_supply(state.purses[seat], action.unit), action.unit)
    recruited = state.with_purse(seat, purse)
    places = state.places_of("mercenary") if action.unit == "mercenary" else ()
    return recruited.with_due(MayManeuver(seat, places[0], ANY_MANEUVER)) if places else recruited


def _move(state: State, _: Seat, action: Move) -> State:
    return carry_out(state, Aim(action.from_, to=action.to))


def _attack(state: State, _: Seat, action: Attack) -> State:
    return carry_out(state, Aim(action.from_, target=action.target))


def _control(state: State, _: Seat, action: Control) -> State:
    return take_location(state, action.at)


def _tactic(state: State, seat: Seat, action: Tactic) -> State:
    if action.coin == "footman":
        return state.with_due(FootmenManeuver(seat, state.places_of("footman")))
    return carry_out(state, Aim(action.from_, action.unit_at, action.to, action.target))


_EFFECTS: Final[Mapping[type[Any], Callable[..., State]]] = {
    Deploy: _deploy, Bolster: _bolster, Pass: _pass, TakeInitiative: _take_initiative, Recruit: _recruit,
    Move: _move, Attack: _attack, Control: _control, Tactic: _tactic,
}
