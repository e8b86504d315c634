"""The course of the game: whose turn it is, what is legal, and what comes next (WC 4 to WC 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.engine import CHANCE, Chance, Over, Player, Ply, Seat, ToMove, Turn
from companion.errors import phrase
from companion.games.war_chest import coins, hidden, knowledge, refusals
from companion.games.war_chest.actions import AbsorbFrom, Action, Draw, Free, Priest, Skip
from companion.games.war_chest.answers import answer
from companion.games.war_chest.board import board
from companion.games.war_chest.draws import draw_coin, draw_hands
from companion.games.war_chest.effects import use
from companion.games.war_chest.legal import answers, frees, paid
from companion.games.war_chest.state import (
    Absorb, DrawCoin, FootmenManeuver, FrozenDict, MayManeuver, State, Table, UseCoin,
)
from companion.games.war_chest.units import UNITS

STALEMATE = "stalemate"
"""The reason for which a game ends without a winner (WC 1.3)."""


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
        return draw_hands(state, action)
    if isinstance(action, Priest):
        return draw_coin(state, action)
    if isinstance(action, Free | Skip | AbsorbFrom):
        return _settled(answer(state, action))
    assert isinstance(ply.player, int)
    return _settled(use(state, ply.player, action))


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
