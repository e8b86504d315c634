"""Why something is no answer to what is due: the rule it breaks, in words for players."""

from __future__ import annotations

from typing import Any, NoReturn

from companion.games.war_chest.actions import AbsorbFrom, Free, Skip
from companion.games.war_chest.refusing import no, shown, step, strike, take
from companion.games.war_chest.state import Absorb, Due, FootmenManeuver, MayManeuver, State
from companion.games.war_chest.units import UNITS


def refuse_answer(state: State, due: Due | None, action: Any) -> NoReturn:
    """Raises: why this is no answer to what is due."""
    match due, action:
        case Absorb(), _:
            no("WC 6.13", "absorb_first")
        case _, AbsorbFrom():
            no("WC 6.13", "absorb_now")
        case FootmenManeuver(), Skip():
            no("WC 6.6", "footmen_must")
        case FootmenManeuver(_, waiting), Free():
            if action.from_ not in waiting:
                no("WC 6.6", "footman_waiting", at=shown(action.from_), waiting=tuple(map(shown, waiting)))
            _free(state, action, paying=0)
        case MayManeuver(_, at, maneuvers, pays), Free():
            kind = state.stacks[at].kind
            if action.from_ != at:
                no(UNITS[kind].rule, "free_other", coin=kind, at=shown(at))
            if action.maneuver not in maneuvers:
                no(UNITS[kind].rule, "free_kind", coin=kind, maneuvers=maneuvers)
            _free(state, action, paying=int(pays))
    no("WC 7.3", "not_legal")


def _free(state: State, action: Free, paying: int) -> None:
    if action.to is not None:
        step(state, action.from_, action.to)
    elif action.target is not None:
        strike(state, action.from_, action.target, paying)
    else:
        take(state, action.from_)
