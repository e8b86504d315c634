"""Why something is not allowed: the rule it breaks, in words for players. Nothing here decides what is legal.

`check_…` come before an action is looked at; `refuse…` are asked about one that is not legal, and always raise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

from companion.engine import CHANCE, Player, Ply, Seat
from companion.errors import IllegalError, PhraseArg, phrase
from companion.games.war_chest.actions import (
    AbsorbFrom,
    Attack,
    Bolster,
    Control,
    Deploy,
    Draw,
    Free,
    Hands,
    Move,
    Pass,
    Priest,
    Recruit,
    Skip,
    Tactic,
    TakeInitiative,
)
from companion.games.war_chest.board import Hex
from companion.games.war_chest.coins import HAND, ROYAL, Coin, hand_to_draw, spendable
from companion.games.war_chest.knowledge import at_most, where_else
from companion.games.war_chest.state import Absorb, DrawCoin, Due, FootmenManeuver, MayManeuver, State, UseCoin
from companion.games.war_chest.units import UNITS


def no(rule: str, id: str, **args: PhraseArg) -> NoReturn:
    """Raises: a rule forbids it."""
    raise IllegalError(rule, phrase(f"wc.no.{id}", **args))


def shown(at: Hex) -> str:
    """A hex as it is said: `-1,2`."""
    return f"{at[0]},{at[1]}"


# Whose turn it is


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
        no("WC 4.4", "not_your_turn", player=_numbered(ply.player), who=_numbered(who))
    answer = isinstance(action, Free | Skip | AbsorbFrom)
    if due is None and answer:
        no("WC 7.4", "nothing_due")
    if isinstance(due, UseCoin) and answer:
        no("WC 6.16", "use_drawn")
    if isinstance(due, Absorb | MayManeuver | FootmenManeuver) and not answer:
        no("WC 7.1", "due_first", player=_numbered(due.seat))


def _numbered(who: Player) -> PhraseArg:
    return phrase("wc.chance") if who == CHANCE else phrase("wc.player", number=int(who) + 1)


# Draws


def check_draw(state: State, draw: Draw) -> None:
    """Whether the draw tells what it must, and no more coins than are drawn."""
    _check_hands(state, draw.coins, [hand_to_draw(purse) for purse in state.purses])
    if state.table.preview and state.round == 0:
        _check_hands(state, draw.next, [HAND for _ in state.purses])
    elif draw.next:
        no("WC 3.10", "no_preview")


def _check_hands(state: State, hands: Hands, sizes: list[int]) -> None:
    for seat, told in hands:
        if seat not in state.table.seats:
            no("WC 4.1", "no_seat", seat=seat)
        if len(told) > sizes[seat]:
            no("WC 4.1", "draw_count", number=seat + 1, want=sizes[seat], given=len(told))
        for coin in told:
            check_own(state, seat, coin)
    if not state.is_open:
        return
    for seat in state.table.seats:
        given = len(dict(hands).get(seat, ()))
        if given != sizes[seat]:
            no("WC 4.1", "draw_count", number=seat + 1, want=sizes[seat], given=given)


def check_priest(state: State, seat: Seat, draw: Priest) -> None:
    """Whether the priest's draw tells its coin where it must."""
    if draw.coin is not None:
        check_own(state, seat, draw.coin)
    elif state.is_open:
        no("WC 9.1", "coin_untold")


def impossible_draw(state: State, seat: Seat, told: Sequence[Coin]) -> NoReturn:
    """Raises: these coins cannot have been drawn."""
    purse = state.purses[seat]
    if purse.size("ahead") and not state.due:
        no("WC 3.10", "draw_repeats", number=seat + 1)
    if purse.size("bag") < (1 if state.due else HAND):
        no("WC 4.2", "draw_refilled", number=seat + 1, coins=tuple(told), bag=purse.size("bag"))
    most = at_most(purse.known, "bag")
    for coin in dict.fromkeys(told):
        if told.count(coin) > most[purse.kinds.index(coin)]:
            where = where_else(state, purse, coin, "bag")
            no("WC 4.1", "draw_coin", number=seat + 1, given=told.count(coin), coin=coin, where=where)
    no("WC 4.1", "draw_not_in_bag", number=seat + 1, coins=tuple(told))


def check_own(state: State, seat: Seat, coin: Coin) -> None:
    """Whether the seat has such coins in this game."""
    if coin not in state.purses[seat].kinds:
        no("WC 3.2", "not_own_coin", number=seat + 1, coin=coin)


# Coins


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


def _not_royal(coin: Coin) -> None:
    if coin == ROYAL:
        no("WC 5.2", "royal")


# Actions paid with a coin


def refuse(state: State, seat: Seat, action: Any) -> NoReturn:
    """Raises: why this action, whose coin is there, is not legal."""
    _WHY[type(action)](state, seat, action)
    no("WC 5.1", "not_legal")


def _deploy(state: State, _: Seat, action: Deploy) -> None:
    _not_royal(action.coin)
    unit = UNITS[action.coin]
    if len(state.places_of(action.coin)) >= unit.limit:
        no("WC 6.6" if action.coin == "footman" else "WC 5.3", "deployed_already", coin=action.coin, limit=unit.limit)
    _on_board(state, action.at)
    if not state.is_empty(action.at):
        no("WC 5.3", "deploy_taken", at=shown(action.at), there=state.stacks[action.at].kind)
    if action.coin == "scout":
        no("WC 6.14", "deploy_scout", at=shown(action.at))
    no("WC 5.3", "deploy_where", coin=action.coin, at=shown(action.at))


def _bolster(_: State, __: Seat, action: Bolster) -> None:
    _not_royal(action.coin)
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
    _not_royal(action.coin)
    _stands(state, action.coin, action.from_, "WC 5.8")
    _step(state, action.from_, action.to)


def _attack(state: State, _: Seat, action: Attack) -> None:
    _not_royal(action.coin)
    _stands(state, action.coin, action.from_, "WC 5.9")
    _strike(state, action.from_, action.target, paying=0)


def _control(state: State, _: Seat, action: Control) -> None:
    _not_royal(action.coin)
    _stands(state, action.coin, action.at, "WC 5.10")
    _take(state, action.at)


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
        _stands(state, kind, action.from_, unit.rule)
    actor = action.unit_at if action.unit_at is not None else action.from_
    if actor in state.stacks and action.target in state.stacks:
        assert actor is not None
        assert action.target is not None
        if not state.stacks[actor].is_bolstered:
            _knight(state, action.target)
    no(unit.rule, f"tactic.{kind}")


_WHY: Final[Mapping[type[Any], Callable[[State, Seat, Any], None]]] = {
    Deploy: _deploy, Bolster: _bolster, TakeInitiative: _take_initiative, Recruit: _recruit, Pass: _pass,
    Move: _move, Attack: _attack, Control: _control, Tactic: _tactic,
}


# Follow-ups


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
        _step(state, action.from_, action.to)
    elif action.target is not None:
        _strike(state, action.from_, action.target, paying)
    else:
        _take(state, action.from_)


# What maneuvers have in common


def _on_board(state: State, at: Hex) -> None:
    if at not in state.table.board.hexes:
        no("WC 2.2" if len(state.table.units) == 4 else "WC 2.1", "no_hex", at=shown(at))


def _stands(state: State, kind: Coin, at: Hex, rule: str) -> None:
    if at not in state.stacks or state.stacks[at].kind != kind:
        no(rule, "not_there", coin=kind, at=shown(at))


def _step(state: State, at: Hex, to: Hex) -> None:
    _on_board(state, to)
    if to not in state.table.board.neighbours[at]:
        no("WC 5.8", "not_next", origin=shown(at), at=shown(to))
    if to in state.stacks:
        no("WC 5.8", "taken", at=shown(to), there=state.stacks[to].kind)


def _strike(state: State, at: Hex, target: Hex, paying: int) -> None:
    attacker = state.stacks[at].kind
    if not UNITS[attacker].attacks:
        no(UNITS[attacker].rule, f"attack.{attacker}")
    _on_board(state, target)
    if target not in state.table.board.neighbours[at]:
        no("WC 5.9", "attack_far", coin=attacker, at=shown(target))
    if target not in state.stacks:
        no("WC 5.9", "attack_nobody", at=shown(target))
    if state.side_at(target) == state.side_at(at):
        no("WC 5.9", "attack_friend", there=state.stacks[target].kind)
    if state.stacks[at].height - paying < 2:
        _knight(state, target)


def _knight(state: State, target: Hex) -> None:
    """Asked when the attacker is not bolstered."""
    if state.stacks[target].kind == "knight":
        no("WC 6.7", "knight", at=shown(target))


def _take(state: State, at: Hex) -> None:
    if at not in state.table.board.locations:
        no("WC 5.10", "no_location", at=shown(at))
    if state.control.get(at) == state.side_at(at):
        no("WC 5.10", "own_location", at=shown(at))
