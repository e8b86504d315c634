"""The course of the game: whose turn it is, what is legal, and what each action does (WC 4 to WC 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.engine import CHANCE, Chance, Over, Player, Ply, Seat, ToMove, Turn
from companion.errors import phrase
from companion.games.war_chest import coins, hidden, knowledge, refusals
from companion.games.war_chest.actions import (
    AbsorbFrom,
    Action,
    Attack,
    Bolster,
    Control,
    Deploy,
    Draw,
    FaceDown,
    Free,
    Move,
    Pass,
    Priest,
    Recruit,
    Skip,
    Tactic,
    TakeInitiative,
    hidden_coin,
)
from companion.games.war_chest.board import Hex, board, distance
from companion.games.war_chest.legal import FACE_UP, answers, face_down, frees, paid
from companion.games.war_chest.state import (
    Absorb,
    DrawCoin,
    FootmenManeuver,
    FrozenDict,
    Maneuver,
    MayManeuver,
    State,
    Table,
    UseCoin,
)
from companion.games.war_chest.units import ANY_MANEUVER, UNITS, Aim

LAST_MARKER, STALEMATE = "last marker placed", "stalemate"
"""The reasons for which the game ends (WC 1.1, WC 1.3)."""


def start(table: Table, initiative: Seat) -> State:
    """The board with the starting markers, all bags full (WC 3)."""
    control = {at: side for side in (0, 1) for at in table.board.starts_of(table.factions[side])}
    purses = tuple(
        coins.new_purse(((unit, UNITS[unit].coins) for unit in units), referee=table.referee) for units in table.units
    )
    return State(table, FrozenDict(), FrozenDict(control), purses, initiative, False, 0, None)


def turn(state: State) -> Turn:
    """Who is to act, or how the game ended."""
    if state.over is not None:
        return state.over
    if state.due:
        due = state.due[-1]
        if isinstance(due, DrawCoin):
            return Chance(phrase("wc.ask.priest"))
        return ToMove((due.seat,), phrase(_ASKS[type(due)]))
    return Chance(phrase("wc.ask.draw")) if state.active is None else ToMove((state.active,), phrase("wc.ask.use"))


_ASKS: Final[Mapping[type[Any], str]] = {
    Absorb: "wc.ask.absorb", MayManeuver: "wc.ask.may_maneuver", FootmenManeuver: "wc.ask.footmen",
    UseCoin: "wc.ask.use_drawn",
}


def player(state: State) -> Player:
    """Who is to act while the game lasts."""
    if state.due:
        due = state.due[-1]
        return CHANCE if isinstance(due, DrawCoin) else due.seat
    return CHANCE if state.active is None else state.active


def legal(state: State) -> Iterator[Ply[Action]]:
    """Every legal ply; nothing where chance is due."""
    seat = player(state)
    if state.over is not None or seat == CHANCE:
        return
    for action in answers(state, state.due[-1]) if state.due else paid(state, seat):
        yield Ply(seat, action)


def apply(state: State, ply: Ply[Action]) -> State:
    """The state after the ply; raises `IllegalError` with the rule that it breaks."""
    refusals.check_turn(state, ply, player(state))
    if state.made_up and any(purse.seen is not None for purse in state.purses):
        state = replace(state, purses=tuple(map(knowledge.played_in_the_open, state.purses)))
    action = ply.action
    if isinstance(action, Draw):
        return _draw_hands(state, action)
    if isinstance(action, Priest):
        return _draw_coin(state, action)
    if isinstance(action, Free | Skip | AbsorbFrom):
        return _settled(_answer(state, action))
    assert isinstance(ply.player, int)
    return _settled(_use(state, ply.player, action))


# Chance


def _draw_hands(state: State, draw: Draw) -> State:
    """WC 4.1 to WC 4.3, WC 3.10."""
    refusals.check_draw(state, draw)
    told, ahead = dict(draw.coins), dict(draw.next)
    also_ahead = state.table.preview and state.round == 0
    purses = []
    for seat, purse in enumerate(state.purses):
        drawn = coins.draw_hand(purse, told.get(seat, ()), also_ahead=also_ahead, ahead=ahead.get(seat, ()))
        purses.append(drawn if drawn.known else refusals.impossible_draw(state, seat, told.get(seat, ())))
    begun = replace(state, purses=tuple(purses), round=state.round + 1, initiative_moved=False)
    return replace(begun, active=state.initiative)


def _draw_coin(state: State, draw: Priest) -> State:
    """WC 6.16."""
    seat = state.due[-1].seat
    refusals.check_priest(state, seat, draw)
    purse = coins.draw_one(state.purses[seat], draw.coin)
    if not purse.known:
        refusals.impossible_draw(state, seat, () if draw.coin is None else (draw.coin,))
    return replace(state.with_purse(seat, purse), due=(*state.due[:-1], UseCoin(seat)))


# Using a coin


def _use(state: State, seat: Seat, action: Any) -> State:
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
    return _carry_out(state, Aim(action.from_, to=action.to))


def _attack(state: State, _: Seat, action: Attack) -> State:
    return _carry_out(state, Aim(action.from_, target=action.target))


def _control(state: State, _: Seat, action: Control) -> State:
    return _take_location(state, action.at)


def _tactic(state: State, seat: Seat, action: Tactic) -> State:
    if action.coin == "footman":
        return state.with_due(FootmenManeuver(seat, state.places_of("footman")))
    return _carry_out(state, Aim(action.from_, action.unit_at, action.to, action.target))


_EFFECTS: Final[Mapping[type[Any], Callable[..., State]]] = {
    Deploy: _deploy, Bolster: _bolster, Pass: _pass, TakeInitiative: _take_initiative, Recruit: _recruit,
    Move: _move, Attack: _attack, Control: _control, Tactic: _tactic,
}


# What units do


def _carry_out(state: State, aim: Aim) -> State:
    """The acting unit moves, then attacks, then its attribute is due (WC 7.1)."""
    at = aim.unit_at or aim.from_
    assert at is not None
    if aim.to is not None:
        kind, height = state.stacks[at]
        state = state.with_stack(at, kind, 0).with_stack(aim.to, kind, height)
        at = aim.to
    return _attack_from(state, at, aim.target) if aim.target is not None else _after(state, at, "move")


def _attack_from(state: State, at: Hex, target: Hex) -> State:
    """Ask the owner of a royal guard first (WC 6.13); otherwise the target loses a coin of its stack."""
    owner = state.owner_at(target)
    if state.stacks[target].kind == "royal_guard" and state.purses[owner].in_supply("royal_guard"):
        return state.with_due(Absorb(owner, target, at))
    return _after(_struck(state, at, target), at, "attack")


def _struck(state: State, at: Hex, target: Hex) -> State:
    """The target loses a coin to the box; so does the neighbour that attacked a pikeman (WC 6.12)."""
    struck = _loses_coin(state, target)
    if state.stacks[target].kind == "pikeman" and distance(at, target) == 1:
        struck = _loses_coin(struck, at)
    return struck


def _loses_coin(state: State, at: Hex) -> State:
    kind, height = state.stacks[at]
    return state.with_stack(at, kind, height - 1)


def _take_location(state: State, at: Hex) -> State:
    """Place the side's marker; the last one wins at once (WC 5.10, WC 1.1)."""
    side = state.table.side_of_unit(state.stacks[at].kind)
    taken = replace(state, control=state.control.put(at, side))
    if taken.markers(side) == state.table.board.markers:
        winners = tuple(seat for seat in state.table.seats if seat % 2 == side)
        return replace(taken, due=(), over=Over(winners, LAST_MARKER))
    return _after(taken, at, "control")


def _after(state: State, at: Hex, maneuver: Maneuver) -> State:
    """What the attribute of the unit that acted makes due, if the unit lives (WC 7.2)."""
    if at not in state.stacks:
        return state
    follow_up = UNITS[state.stacks[at].kind].follows.get(maneuver)
    return state if follow_up is None else state.with_due(follow_up(state.owner_at(at), at))


# Follow-ups


def _answer(state: State, action: Free | Skip | AbsorbFrom) -> State:
    """WC 7.3 to WC 7.5."""
    due = state.due[-1] if state.due else None
    if due is None or action not in answers(state, due):
        refusals.refuse_answer(state, due, action)
    rest = replace(state, due=state.due[:-1])
    match due, action:
        case Absorb(seat, at, attacker), AbsorbFrom("supply"):
            kept = rest.with_purse(seat, coins.take_from_supply(rest.purses[seat], "royal_guard"))
            return _after(kept, attacker, "attack")
        case Absorb(_, at, attacker), AbsorbFrom():
            return _after(_struck(rest, attacker, at), attacker, "attack")
        case MayManeuver(seat, at, _, True), Free():
            kind = rest.stacks[at].kind
            paid_for = _loses_coin(rest, at).with_purse(seat, coins.discard(rest.purses[seat], kind))
            return _free(paid_for, action)
        case FootmenManeuver(seat, waiting), Free():
            others = tuple(at for at in waiting if at != action.from_)
            return _free(rest.with_due(FootmenManeuver(seat, others)), action)
        case _, Free():
            return _free(rest, action)
    return rest


def _free(state: State, action: Free) -> State:
    if action.maneuver == "control":
        return _take_location(state, action.from_)
    return _carry_out(state, Aim(action.from_, to=action.to, target=action.target))


# What comes next


def _settled(state: State) -> State:
    """Drop what does not arise; when nothing is due, the next seat uses a coin, or the round ends (WC 4.4, WC 7.4)."""
    if state.over is not None:
        return state
    due = state.due
    while due and not _arises(state, len(due) - 1):
        due = due[:-1]
    settled = replace(state, due=due)
    return settled if due else _next_turn(settled)


def _arises(state: State, index: int) -> bool:
    due = state.due[index]
    if isinstance(due, DrawCoin):
        purse = state.purses[due.seat]
        return purse.size("bag") + len(purse.pile) > 0
    if isinstance(due, MayManeuver | FootmenManeuver):
        return any(True for _ in frees(state, due))
    return True


def _next_turn(state: State) -> State:
    if not any(_has_unit_coins(purse) for purse in state.purses):
        return replace(state, active=None, over=Over((), STALEMATE))
    assert state.active is not None
    seats = len(state.purses)
    order = [(state.active + after) % seats for after in range(1, seats + 1)]
    return replace(state, active=next((seat for seat in order if state.purses[seat].size("hand")), None))


def _has_unit_coins(purse: coins.Purse) -> bool:
    """Whether any coin but the Royal Coin lies in the supply, the bag, the hand or the discards (WC 1.3)."""
    if any(purse.supply) or any(hidden.pool(purse.known)[:-1]):
        return True
    return any(coin not in (None, coins.ROYAL) for coin in purse.pile)


def new_table(units: tuple[tuple[str, ...], ...], factions: tuple[Any, ...], **options: bool) -> Table:
    """The unchanging part for a set-up and its options."""
    return Table(board(len(units)), units, factions, **options)
