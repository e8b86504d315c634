"""Why a draw is not allowed: the rule it breaks, in words for players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from companion.engine import Seat
from companion.games.war_chest.actions import Draw, Hands, Priest
from companion.games.war_chest.coins import HAND, Coin, hand_to_draw
from companion.games.war_chest.knowledge import at_most, where_else
from companion.games.war_chest.refusing import check_own, no
from companion.games.war_chest.state import State
from companion.table import seat_phrase


def check_draw(state: State, draw: Draw) -> None:
    """Whether the draw tells what it must, and no more coins than are drawn."""
    _check_hands(state, draw.coins, [hand_to_draw(purse) for purse in state.purses])
    if state.table.preview and state.round == 0:
        _check_hands(state, draw.next, [HAND for _ in state.purses])
    elif draw.next:
        no("WC 3.10", "no_preview")


def _check_hands(state: State, hands: Hands, sizes: list[int]) -> None:
    for seat, named in hands:
        if seat not in state.table.seats:
            no("WC 4.1", "no_seat", seat=seat)
        if len(named) > sizes[seat]:
            no("WC 4.1", "draw_count", seat=seat_phrase(seat), want=sizes[seat], given=len(named))
        for coin in named:
            check_own(state, seat, coin)
    if not state.is_open:
        return
    for seat in state.table.seats:
        given = len(dict(hands).get(seat, ()))
        if given != sizes[seat]:
            no("WC 4.1", "draw_count", seat=seat_phrase(seat), want=sizes[seat], given=given)


def check_priest(state: State, seat: Seat, draw: Priest) -> None:
    """Whether the priest's draw tells its coin where it must."""
    if draw.coin is not None:
        check_own(state, seat, draw.coin)
    elif state.is_open:
        no("WC 9.1", "coin_untold")


def impossible_draw(state: State, seat: Seat, named: Sequence[Coin]) -> NoReturn:
    """Raises: these coins cannot have been drawn."""
    purse = state.purses[seat]
    if purse.size("ahead") and not state.due:
        no("WC 3.10", "draw_repeats", seat=seat_phrase(seat))
    if purse.size("bag") < (1 if state.due else HAND):
        no("WC 4.2", "draw_refilled", seat=seat_phrase(seat), coins=tuple(named), bag=purse.size("bag"))
    most = at_most(purse.known, "bag")
    for coin in dict.fromkeys(named):
        if named.count(coin) > most[purse.kinds.index(coin)]:
            where = where_else(state, purse, coin, "bag")
            no("WC 4.1", "draw_coin", seat=seat_phrase(seat), given=named.count(coin), coin=coin, where=where)
    no("WC 4.1", "draw_not_in_bag", seat=seat_phrase(seat), coins=tuple(named))
