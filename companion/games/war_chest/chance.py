"""What chance deals: the hands of a round and the coin that a priest draws, with their odds (WC 4.1, WC 6.16)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

from companion.engine import Odds
from companion.games.war_chest import coins
from companion.games.war_chest.actions import Action, Draw, Hands, Priest
from companion.games.war_chest.coins import Coin
from companion.games.war_chest.state import DrawCoin, State


def outcomes(state: State) -> Iterable[Odds[Action]]:
    """Every draw with its odds; at a table (`referee`) a draw shows nothing, so there is only one."""
    if not state.is_open:
        yield (Priest() if state.due else Draw()), Fraction(1)
    elif state.due:
        for (coin,), odds in coins.possible_draws(state.purses[state.due[-1].seat], 1):
            yield Priest(coin), odds
    else:
        yield from _hands(state)


def sample(state: State, rng: Random) -> Action:
    """One draw by the odds."""
    if not state.is_open:
        return Priest() if state.due else Draw()
    if isinstance(state.due[-1] if state.due else None, DrawCoin):
        return Priest(coins.draw_at_random(state.purses[state.due[-1].seat], 1, rng)[0])
    ahead = state.table.preview and state.round == 0
    drawn = [
        coins.draw_at_random(purse, coins.hand_to_draw(purse) + coins.HAND * ahead, rng) for purse in state.purses
    ]
    if not ahead:
        return Draw(_by_seat(drawn))
    return Draw(_by_seat([each[:coins.HAND] for each in drawn]), _by_seat([each[coins.HAND:] for each in drawn]))


def _by_seat(hands: Sequence[Sequence[Coin]]) -> Hands:
    return tuple((seat, tuple(sorted(hand))) for seat, hand in enumerate(hands))


def _hands(state: State) -> Iterator[Odds[Action]]:
    """All seats' hands of a round, and in the first of a preview their second hands."""
    if state.table.preview and state.round == 0:
        pairs = (coins.possible_pairs(purse) for purse in state.purses)
        for seats in product(*map(list, pairs)):
            first, second = [hand for (hand, _), _ in seats], [ahead for (_, ahead), _ in seats]
            yield Draw(_by_seat(first), _by_seat(second)), prod((odds for _, odds in seats), start=Fraction(1))
        return
    draws = [list(coins.possible_draws(purse, coins.hand_to_draw(purse))) for purse in state.purses]
    for drawn in product(*draws):
        yield Draw(_by_seat([hand for hand, _ in drawn])), prod((odds for _, odds in drawn), start=Fraction(1))
