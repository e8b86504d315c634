"""From what stands on the table back to the set-up: the armies by their supplies, the initiative by its marker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Final

from companion.engine import Json
from companion.games.war_chest.coins import Coin
from companion.games.war_chest.setup import FACTIONS, UNITS_EACH, factions
from companion.games.war_chest.units import UNITS
from companion.table import EMPTY, Appearance, Spot

Thing = Mapping[Appearance, float]
"""What a thing may be, with its costs in nats; 0 for the likeliest."""

TOLD_NATS: Final = 7.0
"""Something is told when every other way to read it is a thousand times less likely."""
UNKNOWN_NATS: Final = 15.0
MOST_CHOICES: Final = 6
"""So many units, the likeliest, are considered for each pile; if they do not go round, nothing is told."""


def setup_seen(costs: Mapping[Spot, Sequence[Thing]], players: int) -> Json:
    """The set-up as the table shows it before the first ply, with null for what cannot be told.

    Each pile of a supply is one thing, so a supply that shows another number of things is not told at all.
    """
    things = {where: [thing for thing in found if thing.get(EMPTY, inf) > 0] for where, found in costs.items()}
    piles = {seat: things.get(f"supply:{seat}", []) for seat in range(players)}
    whole = {seat: found for seat, found in piles.items() if len(found) == UNITS_EACH[players]}
    told = iter(_told([_units(thing) for found in whole.values() for thing in found]))
    return {
        "units": [[next(told) for _ in found] if seat in whole else None for seat, found in piles.items()],
        "initiative": _initiative(things, players),
        "factions": _factions(things, players),
    }


def _units(thing: Thing) -> dict[Coin, float]:
    prices = {unit: thing.get(f"coin:{unit}", UNKNOWN_NATS) for unit in UNITS}
    return dict(sorted(prices.items(), key=lambda each: each[1])[:MOST_CHOICES])


def _told(piles: list[dict[Coin, float]]) -> list[Coin | None]:
    """Each pile's unit in the likeliest way to give every unit out once; None where another is nearly as likely."""
    cost, best = _cheapest(piles)
    told: list[Coin | None] = []
    for index, unit in enumerate(best or [None] * len(piles)):
        others = {other: price for other, price in piles[index].items() if other != unit}
        second, _ = _cheapest([*piles[:index], others, *piles[index + 1:]])
        told.append(unit if second >= cost + TOLD_NATS else None)
    return told


def _cheapest(piles: list[dict[Coin, float]]) -> tuple[float, tuple[Coin, ...]]:
    """The least cost at which each pile gets a unit of its own, and the units; infinite when there is no way."""
    least = [min(pile.values(), default=inf) for pile in piles]
    best: tuple[float, tuple[Coin, ...]] = (inf, ())

    def give(index: int, cost: float, given: tuple[Coin, ...]) -> Iterator[tuple[float, tuple[Coin, ...]]]:
        if index == len(piles):
            yield cost, given
            return
        for unit, price in sorted(piles[index].items(), key=lambda each: each[1]):
            if cost + price + sum(least[index + 1:]) >= best[0]:
                return
            if unit not in given:
                yield from give(index + 1, cost + price, (*given, unit))

    for found in give(0, 0.0, ()):
        best = min(best, found)
    return best


def _initiative(things: Mapping[Spot, Sequence[Thing]], players: int) -> int | None:
    """Whose zone the initiative marker lies in; None unless exactly one zone has something in it."""
    holders = [seat for seat in range(players) if things.get(f"initiative:{seat}")]
    return holders[0] if len(holders) == 1 else None


def _factions(things: Mapping[Spot, Sequence[Thing]], players: int) -> list[str] | None:
    """The seats' factions by the markers that lie in front of each side, and by the initiative marker."""
    prices = [0.0, 0.0]
    for side in (0, 1):
        for which, own in ((0, FACTIONS[side]), (1, FACTIONS[1 - side])):
            for thing in things.get(f"markers:{side}", ()):
                prices[which] += thing.get(f"marker:{own}", UNKNOWN_NATS)
            for seat in range(side, players, 2):
                for thing in things.get(f"initiative:{seat}", ()):
                    prices[which] += thing.get(f"initiative:{own}", UNKNOWN_NATS)
    if abs(prices[0] - prices[1]) < TOLD_NATS:
        return None
    return factions(players, FACTIONS[0] if prices[0] < prices[1] else FACTIONS[1])
