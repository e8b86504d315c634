"""What a draw does to the purses: all hands of a round, and the coin of a priest."""

from __future__ import annotations

from dataclasses import replace

from companion.games.war_chest import coins
from companion.games.war_chest.actions import Draw, Priest
from companion.games.war_chest.refusals_of_draws import check_draw, check_priest, impossible_draw
from companion.games.war_chest.state import State, UseCoin


def draw_hands(state: State, draw: Draw) -> State:
    """WC 4.1 to WC 4.3, WC 3.10."""
    check_draw(state, draw)
    named, ahead = dict(draw.coins), dict(draw.next)
    also_ahead = state.table.preview and state.round == 0
    purses = []
    for seat, purse in enumerate(state.purses):
        drawn = coins.draw_hand(purse, named.get(seat, ()), also_ahead=also_ahead, ahead=ahead.get(seat, ()))
        purses.append(drawn if drawn.known else impossible_draw(state, seat, named.get(seat, ())))
    begun = replace(state, purses=tuple(purses), round=state.round + 1, initiative_moved=False)
    return replace(begun, active=state.initiative)


def draw_coin(state: State, draw: Priest) -> State:
    """WC 6.16."""
    seat = state.due[-1].seat
    check_priest(state, seat, draw)
    purse = coins.draw_one(state.purses[seat], draw.coin)
    if not purse.known:
        impossible_draw(state, seat, () if draw.coin is None else (draw.coin,))
    return replace(state.with_purse(seat, purse), due=(*state.due[:-1], UseCoin(seat)))
