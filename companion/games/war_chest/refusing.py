"""What all refusals of War Chest have in common: how a rule's number and words are raised, and what maneuvers share."""

from __future__ import annotations

from typing import NoReturn

from companion.engine import Seat
from companion.errors import IllegalError, PhraseArg, phrase
from companion.games.war_chest.board import Hex
from companion.games.war_chest.coins import ROYAL, Coin
from companion.games.war_chest.state import State
from companion.games.war_chest.units import UNITS
from companion.table import seat_phrase


def no(rule: str, id: str, **args: PhraseArg) -> NoReturn:
    """Raises: a rule forbids it."""
    raise IllegalError(rule, phrase(f"wc.no.{id}", **args))


def shown(at: Hex) -> str:
    """A hex as it is said: `-1,2`."""
    return f"{at[0]},{at[1]}"


def check_own(state: State, seat: Seat, coin: Coin) -> None:
    """Whether the seat has such coins in this game."""
    if coin not in state.purses[seat].kinds:
        no("WC 3.2", "not_own_coin", seat=seat_phrase(seat), coin=coin)


def not_royal(coin: Coin) -> None:
    """Refuses the Royal Coin (WC 5.2)."""
    if coin == ROYAL:
        no("WC 5.2", "royal")


def on_board(state: State, at: Hex) -> None:
    """Refuses a hex that is not on the board (WC 2)."""
    if at not in state.table.board.hexes:
        no("WC 2.2" if len(state.table.units) == 4 else "WC 2.1", "no_hex", at=shown(at))


def stands(state: State, kind: Coin, at: Hex, rule: str) -> None:
    """Refuses a unit that does not stand there."""
    if at not in state.stacks or state.stacks[at].kind != kind:
        no(rule, "not_there", coin=kind, at=shown(at))


def step(state: State, at: Hex, to: Hex) -> None:
    """Refuses a move to a hex that is not next, or taken (WC 5.8)."""
    on_board(state, to)
    if to not in state.table.board.neighbours[at]:
        no("WC 5.8", "not_next", origin=shown(at), at=shown(to))
    if to in state.stacks:
        no("WC 5.8", "taken", at=shown(to), there=state.stacks[to].kind)


def strike(state: State, at: Hex, target: Hex, paying: int) -> None:
    """Refuses an attack of the unit at a hex (WC 5.9); `paying` coins of its stack pay for it."""
    attacker = state.stacks[at].kind
    if not UNITS[attacker].attacks:
        no(UNITS[attacker].rule, f"attack.{attacker}")
    on_board(state, target)
    if target not in state.table.board.neighbours[at]:
        no("WC 5.9", "attack_far", coin=attacker, at=shown(target))
    if target not in state.stacks:
        no("WC 5.9", "attack_nobody", at=shown(target))
    if state.side_at(target) == state.side_at(at):
        no("WC 5.9", "attack_friend", there=state.stacks[target].kind)
    if state.stacks[at].height - paying < 2:
        knight(state, target)


def knight(state: State, target: Hex) -> None:
    """Asked when the attacker is not bolstered."""
    if state.stacks[target].kind == "knight":
        no("WC 6.7", "knight", at=shown(target))


def take(state: State, at: Hex) -> None:
    """Refuses to control what is no location, or the own one (WC 5.10)."""
    if at not in state.table.board.locations:
        no("WC 5.10", "no_location", at=shown(at))
    if state.control.get(at) == state.side_at(at):
        no("WC 5.10", "own_location", at=shown(at))
