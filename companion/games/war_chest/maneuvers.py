"""What units do on the board: moves, attacks, control, and the follow-ups that their attributes make due (WC 7)."""

from __future__ import annotations

from dataclasses import replace

from companion.engine import Over
from companion.games.war_chest.board import Hex, distance
from companion.games.war_chest.state import Absorb, Maneuver, State
from companion.games.war_chest.units import UNITS, Aim

LAST_MARKER = "last marker placed"
"""The reason for which a game is won (WC 1.1)."""


def carry_out(state: State, aim: Aim) -> State:
    """The acting unit moves, then attacks, then its attribute is due (WC 7.1)."""
    at = aim.unit_at or aim.from_
    assert at is not None
    if aim.to is not None:
        kind, height = state.stacks[at]
        state = state.with_stack(at, kind, 0).with_stack(aim.to, kind, height)
        at = aim.to
    return _attack_from(state, at, aim.target) if aim.target is not None else after(state, at, "move")


def _attack_from(state: State, at: Hex, target: Hex) -> State:
    """Ask the owner of a royal guard first (WC 6.13); otherwise the target loses a coin of its stack."""
    owner = state.owner_at(target)
    if state.stacks[target].kind == "royal_guard" and state.purses[owner].in_supply("royal_guard"):
        return state.with_due(Absorb(owner, target, at))
    return after(struck(state, at, target), at, "attack")


def struck(state: State, at: Hex, target: Hex) -> State:
    """The target loses a coin to the box; so does the neighbour that attacked a pikeman (WC 6.12)."""
    struck = loses_coin(state, target)
    if state.stacks[target].kind == "pikeman" and distance(at, target) == 1:
        struck = loses_coin(struck, at)
    return struck


def loses_coin(state: State, at: Hex) -> State:
    """One coin less in the stack, to the box."""
    kind, height = state.stacks[at]
    return state.with_stack(at, kind, height - 1)


def take_location(state: State, at: Hex) -> State:
    """Place the side's marker; the last one wins at once (WC 5.10, WC 1.1)."""
    side = state.table.side_of_unit(state.stacks[at].kind)
    taken = replace(state, control=state.control.put(at, side))
    if taken.markers(side) == state.table.board.markers:
        winners = tuple(seat for seat in state.table.seats if seat % 2 == side)
        return replace(taken, due=(), over=Over(winners, LAST_MARKER))
    return after(taken, at, "control")


def after(state: State, at: Hex, maneuver: Maneuver) -> State:
    """What the attribute of the unit that acted makes due, if the unit lives (WC 7.2)."""
    if at not in state.stacks:
        return state
    follow_up = UNITS[state.stacks[at].kind].follows.get(maneuver)
    return state if follow_up is None else state.with_due(follow_up(state.owner_at(at), at))
