"""Points at a crate, who wins it, and the yen in the end (CW 4)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from companion.engine import ScorePart, ScoreParts, Seat
from companion.errors import phrase
from companion.games.crate_wars.state import (
    COIN_YEN,
    COLOUR_PLAYER,
    CRATE_YEN,
    CRATES,
    Decided,
    Drinks,
    State,
    Terms,
    at_crate,
)
from companion.table import Drink, colour_of, shape_of

Cards = tuple[tuple[str, ...], tuple[str, ...]]
CARD_YEN: Final = tuple(CRATE_YEN * crate for crate in CRATES) * 2
"""What the cards at crate 1 to 6 are worth, the colours' and then the shapes' (CW 4.7)."""


def kind_for(seat: Seat, drink: Drink) -> str:
    """What the seat looks at in a drink: its colour or its shape."""
    return colour_of(drink) if seat == COLOUR_PLAYER else shape_of(drink)


def points(state: State, seat: Seat, crate: int) -> int:
    """The seat's points at a crate (CW 4.2, CW 4.3)."""
    return _points(state.terms, seat, crate, state.beside[seat][crate - 1])


def _points(terms: Terms, seat: Seat, crate: int, drinks: Drinks) -> int:
    cards = terms.cards[seat]
    kinds = [kind_for(seat, drink) for drink in drinks]
    if terms.global_points:
        return sum(cards.index(kind) + 1 for kind in kinds)
    return crate * kinds.count(cards[crate - 1])


def crate_winner(state: State, crate: int) -> Seat | None:
    """Who has more points at a crate; None when they are equal (CW 4.4, CW 4.5)."""
    return _winner(state.terms, crate, state.beside[0][crate - 1], state.beside[1][crate - 1])


def _winner(terms: Terms, crate: int, front: Drinks, back: Drinks) -> Seat | None:
    first, second = _points(terms, 0, crate, front), _points(terms, 1, crate, back)
    return None if first == second else int(second > first)


def decide(state: State, crate: int) -> Decided:
    """The crate as it is won with all that lies at it."""
    winner = crate_winner(state, crate)
    return Decided(winner, () if winner is None else at_crate(state, crate))


def yen(state: State) -> tuple[int, int]:
    """The yen of both seats: as they are in the end, or as they would be if both passed now (CW 4.7, 4.8, 4.10)."""
    total = [COIN_YEN * coins for coins in state.coins]
    for worth, first_has_more in zip(CARD_YEN, _first_has_more(state)):
        if first_has_more:
            total[int(first_has_more < 0)] += worth
    return total[0], total[1]


def score_parts(state: State) -> ScoreParts:
    """Each seat's coins, and the cards of whose kind it has more, by what they are worth."""
    parts = [[_coins_part(coins)] if coins else [] for coins in state.coins]
    kinds = (*state.terms.cards[0], *state.terms.cards[1])
    for kind, worth, first_has_more in zip(kinds, CARD_YEN, _first_has_more(state)):
        if first_has_more:
            said = phrase("cw.part_card", kind=kind, crate=worth // CRATE_YEN, more=abs(first_has_more))
            parts[int(first_has_more < 0)].append(ScorePart(said, worth, "CW 4.7"))
    return tuple(map(tuple, parts))


def _coins_part(coins: int) -> ScorePart:
    return ScorePart(phrase("cw.part_coins", coins=coins), COIN_YEN * coins, "CW 4.8")


def _first_has_more(state: State) -> Iterator[int]:
    """How many drinks of each card's kind the first seat has more than the second in the crates won."""
    terms, (front, back) = state.terms, state.beside
    more = [_more(terms.cards, each.winner, each.drinks) for each in state.decided]
    more += [_more_if_won(terms, crate, front[crate - 1], back[crate - 1]) for crate in CRATES[len(state.decided) :]]
    return map(sum, zip(*more))


@lru_cache(4096)
def _more_if_won(terms: Terms, crate: int, front: Drinks, back: Drinks) -> tuple[int, ...]:
    """The same for a crate as it stands. Remembered, as a play changes one crate and leaves five as they were."""
    return _more(terms.cards, _winner(terms, crate, front, back), (*front, *back))


def _more(cards: Cards, winner: Seat | None, drinks: Drinks) -> tuple[int, ...]:
    """How many drinks of each card's kind the first seat has more than the second by winning these; colours first."""
    sign = 0 if winner is None else 1 - 2 * winner
    return tuple(
        sign * sum(kind_for(side, drink) == card for drink in drinks) for side, own in enumerate(cards) for card in own
    )
