"""Why something is not allowed: the rule it breaks, in words for players. Nothing here decides what is legal.

`check_…` come before an action is looked at; `refuse…` are asked about one that is not legal, and always raise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from companion.engine import CHANCE, Player, Ply, Seat
from companion.errors import PhraseArg, phrase
from companion.games.war_chest.actions import (
    AbsorbFrom, Attack, Bolster, Control, Deploy, Draw, Free, Move, Pass, Priest, Recruit, Skip, Tactic, TakeInitiative,
)
from companion.games.war_chest.coins import ROYAL, spendable
from companion.games.war_chest.knowledge import where_else
from companion.games.war_chest.refusing import (
    check_own, knight, no, not_royal, on_board, shown, stands, step, strike, take,
)
from companion.games.war_chest.state import Absorb, DrawCoin, FootmenManeuver, MayManeuver, State, UseCoin
from companion.games.war_chest.units import UNITS
from companion.table import seat_phrase


def check_turn(state: State, ply: Ply[Any], who: Player) -> None:
    """Whether this player may do anything of this type now."""
    action = ply.action
    if state.over is not None:
        no("WC 1.1", "over")
    due = state.due[-1] if state.due else None
    if isinstance(action, Draw) and (due is not None or state.active is not None):
        no("WC 4.1", "draw_now")
    if isinstance(action, Priest) and not isinstance(due, DrawCoin):
        no("WC 6.16", "priest_now")
    if who == CHANCE and not isinstance(action, Draw | Priest):
        no("WC 6.16" if due else "WC 4.1", "draw_first")
    if ply.player != who:
        no("WC 4.4", "not_your_turn", player=_called(ply.player), who=_called(who))
    answer = isinstance(action, Free | Skip | AbsorbFrom)
    if due is None and answer:
        no("WC 7.4", "nothing_due")
    if isinstance(due, UseCoin) and answer:
        no("WC 6.16", "use_drawn")
    if isinstance(due, Absorb | MayManeuver | FootmenManeuver) and not answer:
        no("WC 7.1", "due_first", player=_called(due.seat))


def _called(who: Player) -> PhraseArg:
    return phrase("wc.chance") if who == CHANCE else seat_phrase(int(who))


def check_coin(state: State, seat: Seat, action: Any) -> None:
    """Whether the coin can be spent by this seat now."""
    coin, purse = action.coin, state.purses[seat]
    if coin is None:
        if state.is_open:
            no("WC 9.1", "coin_untold")
        return
    check_own(state, seat, coin)
    if coin in spendable(purse):
        return
    if purse.pocket == "drawn":
        no("WC 6.16", "drawn_other", coin=coin)
    if not state.is_open:
        no("WC 9.2", "coin_gone", coin=coin, where=where_else(state, purse, coin, "hand"))
    no("WC 5.1", "coin_not_in_hand", coin=coin)


def refuse(state: State, seat: Seat, action: Any) -> NoReturn:
    """Raises: why this action, whose coin is there, is not legal."""
    _WHY[type(action)](state, seat, action)
    no("WC 5.1", "not_legal")


def _deploy(state: State, _: Seat, action: Deploy) -> None:
    not_royal(action.coin)
    unit = UNITS[action.coin]
    if len(state.places_of(action.coin)) >= unit.limit:
        no("WC 6.6" if action.coin == "footman" else "WC 5.3", "deployed_already", coin=action.coin, limit=unit.limit)
    on_board(state, action.at)
    if not state.is_empty(action.at):
        no("WC 5.3", "deploy_taken", at=shown(action.at), there=state.stacks[action.at].kind)
    if action.coin == "scout":
        no("WC 6.14", "deploy_scout", at=shown(action.at))
    no("WC 5.3", "deploy_where", coin=action.coin, at=shown(action.at))


def _bolster(_: State, __: Seat, action: Bolster) -> None:
    not_royal(action.coin)
    no("WC 5.4", "not_there", coin=action.coin, at=shown(action.at))


def _take_initiative(state: State, seat: Seat, _: TakeInitiative) -> None:
    if state.initiative == seat:
        no("WC 5.5", "initiative_own")
    if state.initiative % 2 == seat % 2:
        no("WC 8.3", "initiative_partner")
    no("WC 5.5", "initiative_moved")


def _recruit(state: State, seat: Seat, action: Recruit) -> None:
    unit = action.unit or ""
    check_own(state, seat, unit)
    no("WC 5.6", "supply_empty", coin=unit)


def _pass(_: State, __: Seat, ___: Pass) -> None:
    """Always legal."""


def _move(state: State, _: Seat, action: Move) -> None:
    not_royal(action.coin)
    stands(state, action.coin, action.from_, "WC 5.8")
    step(state, action.from_, action.to)


def _attack(state: State, _: Seat, action: Attack) -> None:
    not_royal(action.coin)
    stands(state, action.coin, action.from_, "WC 5.9")
    strike(state, action.from_, action.target, paying=0)


def _control(state: State, _: Seat, action: Control) -> None:
    not_royal(action.coin)
    stands(state, action.coin, action.at, "WC 5.10")
    take(state, action.at)


def _tactic(state: State, seat: Seat, action: Tactic) -> None:
    kind = "royal_guard" if action.coin == ROYAL else action.coin
    if kind not in state.table.units[seat]:
        no("WC 5.2", "royal")
    unit = UNITS[kind]
    if unit.tactic is None:
        no("WC 5.11", "no_tactic", coin=kind)
    if unit.paid_with not in (None, action.coin):
        no(unit.rule, "paid_with_royal")
    if kind != "footman":
        if action.from_ is None:
            no(unit.rule, f"tactic.{kind}")
        stands(state, kind, action.from_, unit.rule)
    actor = action.unit_at if action.unit_at is not None else action.from_
    if actor in state.stacks and action.target in state.stacks:
        assert actor is not None
        assert action.target is not None
        if not state.stacks[actor].is_bolstered:
            knight(state, action.target)
    no(unit.rule, f"tactic.{kind}")


_WHY: Final[Mapping[type[Any], Callable[[State, Seat, Any], None]]] = {
    Deploy: _deploy, Bolster: _bolster, TakeInitiative: _take_initiative, Recruit: _recruit, Pass: _pass,
    Move: _move, Attack: _attack, Control: _control, Tactic: _tactic,
}
