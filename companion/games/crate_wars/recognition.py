"""From what stands on the table back to the set-up: the cards of the crates, and who has which drinks (CW 1.3, CW 1.4).

All drinks are decided together: each is in one of the two supplies, and each supply has three of every colour and
three of every shape. Giving drinks to things is an assignment; the rule of three is brought in by prices on colours
and shapes in seat 0's supply, moved until it holds (a Lagrangian): what is cheapest then is cheapest of all that obey.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from operator import add
from typing import Final

from companion.engine import Json, OpenPart, SetupPath
from companion.engine.assignment import FORBIDDEN_NATS, linear_assignment
from companion.engine.recognise import (
    UNKNOWN_NATS,
    NameCosts,
    drinks_margin_nats,
    leaves,
    open_parts,
    settled,
)
from companion.games.crate_wars.setup import OF_EACH_KIND
from companion.games.crate_wars.state import COLOUR_PLAYER, CRATES, SHAPE_PLAYER
from companion.table import EMPTY, SHAPES, Drink, Spot, all_drinks, colour_of, shape_of

SUPPLY: Final = 18
SPARE: Final = 2
"""How many drinks of a supply may be hidden although as many other things are seen there as it should have."""
MISSING_NATS: Final = 6.0
"""A drink that is not seen: a bottle may hide it."""
GHOST_NATS: Final = 6.0
"""A thing that is no drink of the supply."""
ROUNDS: Final = 80
"""How often the prices are moved."""
FIRST_STEP_NATS: Final = 3.0
STEP_SHRINKS: Final = 0.95


def setup_seen(costs: Mapping[Spot, Sequence[NameCosts]], colours: Sequence[str]) -> Json:
    """The set-up as the table shows it, with null for what cannot be settled, and for who begins."""
    return {
        "colour_cards": _cards(costs, COLOUR_PLAYER, colours),
        "shape_cards": _cards(costs, SHAPE_PLAYER, SHAPES),
        "supplies": _supplies(costs, colours),
        "first": None,
    }


def _cards(costs: Mapping[Spot, Sequence[NameCosts]], seat: int, kinds: Sequence[str]) -> list[str | None]:
    places = [next(iter(costs.get(f"card:{seat}:{crate}", ())), {}) for crate in CRATES]
    names = settled(places, {f"card:{kind}": 1 for kind in kinds})
    return [None if name is None else name.removeprefix("card:") for name in names]


# --- supplies ---------------------------------------------------------------------------------------------------------


def _supplies(costs: Mapping[Spot, Sequence[NameCosts]], colours: Sequence[str]) -> list[list[Drink | None]]:
    """Each seat's drinks, by colour; a drink whose seat cannot be settled is None in both."""
    seats = _seats([costs.get(f"supply:{seat}", ()) for seat in (0, 1)], all_drinks(colours))
    return [
        [drink for colour in colours for drink in _of_colour(colour, [each for each in seats if seats[each] == seat])]
        for seat in (0, 1)
    ]


def _of_colour(colour: str, drinks: Sequence[Drink]) -> list[Drink | None]:
    own: list[Drink | None] = [drink for drink in drinks if colour_of(drink) == colour]
    return own + [None] * (OF_EACH_KIND - len(own))


def _seats(supplies: Sequence[Sequence[NameCosts]], drinks: tuple[Drink, ...]) -> dict[Drink, int]:
    """Whose each drink is in the likeliest way that obeys the rule of three. Left out: those that are the other seat's
    in a way that is nearly as likely; all of them if no way was found."""
    problem = _Problem.of(supplies, drinks)
    best = _priced(problem, {})
    if not best.obeys:
        return {}
    enough = best.cost + drinks_margin_nats(best.cost, len(drinks))
    return {
        drink: seat for drink, seat in best.seats.items()
        if _priced(problem, best.prices, elsewhere=(drink, seat), enough=enough).cost >= enough
    }


@dataclass(frozen=True, slots=True)
class _Problem:
    """Costs to assign by. Rows: the things of both supplies, and drinks that may be hidden there; `seats` says in whose
    supply. Columns: the drinks, then being none of them."""

    drinks: tuple[Drink, ...]
    rows: tuple[tuple[float, ...], ...]
    seats: tuple[int, ...]

    @classmethod
    def of(cls, supplies: Sequence[Sequence[NameCosts]], drinks: tuple[Drink, ...]) -> _Problem:
        hidden = [max(0, SUPPLY - len(things)) + SPARE for things in supplies]
        none = sum(map(len, supplies)) + sum(hidden) - len(drinks)
        rows: list[tuple[float, ...]] = []
        seats: list[int] = []
        for seat, things in enumerate(supplies):
            rows += [_thing_row(thing, drinks, none) for thing in things]
            rows += [(*[MISSING_NATS] * len(drinks), *[0.0] * none)] * hidden[seat]
            seats += [seat] * (len(things) + hidden[seat])
        return cls(drinks, tuple(rows), tuple(seats))

    def priced(self, extra: Sequence[float], elsewhere: tuple[Drink, int] | None) -> list[list[float]]:
        """The costs with what each drink costs more in seat 0's supply, and one drink forbidden in one supply."""
        table = [
            [*map(add, row, extra), *row[len(extra) :]] if seat == 0 else list(row)
            for row, seat in zip(self.rows, self.seats)
        ]
        if elsewhere is not None:
            column = self.drinks.index(elsewhere[0])
            for row, seat in zip(table, self.seats):
                row[column] = FORBIDDEN_NATS if seat == elsewhere[1] else row[column]
        return table


def _thing_row(thing: NameCosts, drinks: Sequence[Drink], none: int) -> tuple[float, ...]:
    nothing = min(GHOST_NATS, thing.get(EMPTY, GHOST_NATS))
    return (*(thing.get(drink, UNKNOWN_NATS) for drink in drinks), *[nothing] * none)


@dataclass(frozen=True, slots=True)
class _Priced:
    """Whose each drink is, and at what prices of colours and shapes in seat 0's supply that is cheapest.

    `cost` is without what the prices add to every way that obeys the rule of three: the least cost of all of those if
    this way `obeys`, else no more than that.
    """

    cost: float
    seats: Mapping[Drink, int]
    prices: Mapping[str, float]
    obeys: bool


def _priced(
    problem: _Problem, prices: Mapping[str, float], elsewhere: tuple[Drink, int] | None = None, enough: float = inf
) -> _Priced:
    """Moves the prices until the cheapest way obeys, or is known to cost `enough`. `elsewhere`: not in that supply."""
    kinds = sorted({kind for drink in problem.drinks for kind in (colour_of(drink), shape_of(drink))})
    step, best = FIRST_STEP_NATS, None
    for _ in range(ROUNDS):
        extra = [prices.get(colour_of(drink), 0.0) + prices.get(shape_of(drink), 0.0) for drink in problem.drinks]
        cost, columns = linear_assignment(problem.priced(extra, elsewhere))
        seats = {problem.drinks[c]: seat for c, seat in zip(columns, problem.seats) if c < len(extra)}
        counts = Counter(kind for drink in seats if seats[drink] == 0 for kind in (colour_of(drink), shape_of(drink)))
        obeys = all(counts[kind] == OF_EACH_KIND for kind in kinds)
        found = _Priced(cost - OF_EACH_KIND * sum(prices.values()), seats, prices, obeys)
        if obeys or found.cost >= enough:
            return found
        best = found if best is None or found.cost > best.cost else best
        prices = {kind: prices.get(kind, 0.0) + step * (counts[kind] - OF_EACH_KIND) for kind in kinds}
        step *= STEP_SHRINKS
    assert best is not None
    return best


# --- what is open -----------------------------------------------------------------------------------------------------


def setup_open(setup: Json, colours: Sequence[str]) -> Sequence[OpenPart]:
    """What is open: cards that lie at no crate yet, drinks that nobody has yet and of which the seat needs one."""
    taken = {drink for supply in setup["supplies"] for drink in supply}
    free = [drink for drink in all_drinks(colours) if drink not in taken]

    def choices(path: SetupPath) -> tuple[Spot | None, list[Json]]:
        match path:
            case ("supplies", int(seat), int(number)):  # threes of a colour
                own = [drink for drink in free if colour_of(drink) == colours[number // OF_EACH_KIND]]
                return f"supply:{seat}", [drink for drink in own if _needed(setup["supplies"][seat], drink)]
            case ("colour_cards" | "shape_cards" as key, int(crate)):
                seat, kinds = (COLOUR_PLAYER, colours) if key == "colour_cards" else (SHAPE_PLAYER, SHAPES)
                return f"card:{seat}:{crate + 1}", [kind for kind in kinds if kind not in setup[key]]
        return None, [0, 1]

    return open_parts(setup, choices)


def _needed(supply: Sequence[Drink | None], drink: Drink) -> bool:
    return all(
        sum(each is not None and kind(each) == kind(drink) for each in supply) < OF_EACH_KIND
        for kind in (colour_of, shape_of)
    )


def setup_parts(setup: Json) -> Mapping[SetupPath, Json]:
    """Each card by its crate, and each drink's seat: the order of a supply has no meaning."""
    parts = {path: value for path, value in leaves(setup) if path[0] in ("colour_cards", "shape_cards")}
    owners = {drink: seat for seat, supply in enumerate(setup["supplies"]) for drink in supply}
    parts |= {("supply", drink): seat for drink, seat in owners.items() if drink is not None}
    return {path: value for path, value in parts.items() if value is not None}
