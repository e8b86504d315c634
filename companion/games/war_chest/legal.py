"""What may be done: every legal action of a state, by type. rules.py carries them out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from companion.engine import Seat
from companion.games.war_chest.actions import (
    AbsorbFrom,
    Action,
    Attack,
    Bolster,
    Control,
    Deploy,
    FaceDown,
    Free,
    Move,
    Pass,
    Recruit,
    Skip,
    Tactic,
    TakeInitiative,
)
from companion.games.war_chest.board import Hex
from companion.games.war_chest.coins import ROYAL, Coin, spendable
from companion.games.war_chest.state import Absorb, Due, FootmenManeuver, Maneuver, MayManeuver, State, UseCoin
from companion.games.war_chest.units import ANY_MANEUVER, UNITS, attacks, may_control, moves

Ways = Callable[[State, Seat, Coin], Iterator[Action]]


def deploys(state: State, seat: Seat, coin: Coin) -> Iterator[Deploy]:
    """WC 5.3, WC 6.6, WC 6.14."""
    if coin == ROYAL or len(state.places_of(coin)) >= UNITS[coin].limit:
        return
    own = {at for at, side in state.control.items() if side == seat % 2 and at not in state.stacks}
    if coin == "scout":
        own.update(to for at in state.stacks if state.side_at(at) == seat % 2 for to in moves(state, at))
    for at in sorted(own):
        yield Deploy(coin, at)


def bolsters(state: State, _: Seat, coin: Coin) -> Iterator[Bolster]:
    """WC 5.4."""
    for at in state.places_of(coin):
        yield Bolster(coin, at)


def moves_of(state: State, _: Seat, coin: Coin) -> Iterator[Move]:
    """WC 5.8."""
    for at in state.places_of(coin):
        for to in moves(state, at):
            yield Move(coin, at, to)


def attacks_of(state: State, _: Seat, coin: Coin) -> Iterator[Attack]:
    """WC 5.9."""
    for at in state.places_of(coin):
        for target in attacks(state, at):
            yield Attack(coin, at, target)


def controls_of(state: State, _: Seat, coin: Coin) -> Iterator[Control]:
    """WC 5.10."""
    for at in state.places_of(coin):
        if may_control(state, at):
            yield Control(coin, at)


def tactics_of(state: State, seat: Seat, coin: Coin) -> Iterator[Tactic]:
    """WC 5.11, WC 6."""
    for kind in state.table.units[seat]:
        unit = UNITS[kind]
        if unit.tactic is None or coin != (unit.paid_with or kind):
            continue
        if kind == "footman":  # the tactic is of both together
            yield from (Tactic(coin, *aim) for aim in unit.tactic(state, (0, 0)))
            continue
        for at in state.places_of(kind):
            for aim in unit.tactic(state, at):
                yield Tactic(coin, *aim)


def face_down(state: State, seat: Seat, coin: Coin | None) -> Iterator[FaceDown]:
    """WC 5.5 to WC 5.7."""
    yield Pass(coin)
    purse = state.purses[seat]
    for kind in state.table.units[seat]:
        if purse.in_supply(kind):
            yield Recruit(coin, kind)
    if may_take_initiative(state, seat):
        yield TakeInitiative(coin)


def may_take_initiative(state: State, seat: Seat) -> bool:
    """WC 5.5; not from a partner (WC 8.3)."""
    return not state.initiative_moved and state.initiative % 2 != seat % 2


FACE_UP: Final[Mapping[type[Any], Ways]] = {
    Deploy: deploys, Bolster: bolsters, Move: moves_of, Attack: attacks_of, Control: controls_of, Tactic: tactics_of,
}


def paid(state: State, seat: Seat) -> Iterator[Action]:
    """All that the seat can do with a coin of the hand, or with the coin just drawn by a priest."""
    coins = spendable(state.purses[seat])
    for coin in coins:
        for ways in FACE_UP.values():
            yield from ways(state, seat, coin)
    named: tuple[Coin | None, ...] = coins if state.is_open else (None,)
    for each in named:
        yield from face_down(state, seat, each)


def free_maneuvers(
    state: State, at: Hex, kinds: tuple[Maneuver, ...] = ANY_MANEUVER, paying: int = 0
) -> Iterator[Free]:
    """The free maneuvers of the unit on a hex (WC 7.3), when `paying` coins of its stack are spent first."""
    if at not in state.stacks or state.stacks[at].height <= paying:
        return
    if "move" in kinds:
        yield from (Free("move", at, to=to) for to in moves(state, at))
    if "attack" in kinds:
        yield from (Free("attack", at, target=target) for target in attacks(state, at, paying=paying))
    if "control" in kinds and may_control(state, at):
        yield Free("control", at)


def frees(state: State, due: Due) -> Iterator[Free]:
    """The free maneuvers that a follow-up offers."""
    match due:
        case MayManeuver(_, at, maneuvers, pays):
            yield from free_maneuvers(state, at, maneuvers, int(pays))
        case FootmenManeuver(_, waiting):
            for at in waiting:
                yield from free_maneuvers(state, at)


def answers(state: State, due: Due) -> Iterator[Action]:
    """All that the seat can do about what is due."""
    match due:
        case Absorb():
            yield AbsorbFrom("supply")
            yield AbsorbFrom("stack")
        case MayManeuver():
            yield from frees(state, due)
            yield Skip()
        case FootmenManeuver():
            yield from frees(state, due)
        case UseCoin(seat):
            yield from paid(state, seat)
