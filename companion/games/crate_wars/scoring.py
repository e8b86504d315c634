"""Points at a crate, who wins it, and the yen in the end (CW 4)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.engine import Seat
from companion.games.crate_wars.state import COIN_YEN, CRATE_YEN, CRATES, COLOUR_PLAYER, Decided, State, at_crate
from companion.table import Drink, colour_of, shape_of


def kind_for(seat: Seat, drink: Drink) -> str:
    """What the seat looks at in a drink: its colour or its shape."""
    return colour_of(drink) if seat == COLOUR_PLAYER else shape_of(drink)


def points(state: State, seat: Seat, crate: int) -> int:
    """The seat's points at a crate (CW 4.2, CW 4.3)."""
    cards = state.terms.cards[seat]
    kinds = [kind_for(seat, drink) for drink in state.beside[seat][crate - 1]]
    if state.terms.global_points:
        return sum(cards.index(kind) + 1 for kind in kinds)
    return crate * kinds.count(cards[crate - 1])


def crate_winner(state: State, crate: int) -> Seat | None:
    """Who has more points at a crate; None when they are equal (CW 4.4, CW 4.5)."""
    first, second = points(state, 0, crate), points(state, 1, crate)
    return None if first == second else int(second > first)


def decide(state: State, crate: int) -> Decided:
    """The crate as it is won with all that lies at it."""
    winner = crate_winner(state, crate)
    return Decided(winner, () if winner is None else at_crate(state, crate))


def yen(state: State) -> tuple[int, int]:
    """The yen of both seats: as they are in the end, or as they would be if both passed now (CW 4.7, 4.8, 4.10)."""
    crates = state.decided + tuple(decide(state, crate) for crate in CRATES if crate > len(state.decided))
    counts = tuple(_counts(crates, seat) for seat in (0, 1))
    total = [COIN_YEN * coins for coins in state.coins]
    for side, cards in enumerate(state.terms.cards):
        for crate, card in zip(CRATES, cards):
            first, second = (of_seat[side].get(card, 0) for of_seat in counts)
            if first != second:
                total[int(second > first)] += CRATE_YEN * crate
    return total[0], total[1]


def _counts(crates: Iterable[Decided], seat: Seat) -> tuple[dict[str, int], dict[str, int]]:
    """How many drinks of each colour, and of each shape, are in the crates that the seat won."""
    colours: dict[str, int] = {}
    shapes: dict[str, int] = {}
    for each in crates:
        if each.winner == seat:
            for drink in each.drinks:
                colour, _, shape = drink.partition("/")
                colours[colour] = colours.get(colour, 0) + 1
                shapes[shape] = shapes.get(shape, 0) + 1
    return colours, shapes
