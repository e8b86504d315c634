"""Sets of possibilities: all ways in which a player's coins may be split where nobody sees them (WC 9.2, WC 9.3).

Each way has a whole-number weight; only their proportions have a meaning. When every coin is known, as in a simulation,
the set has one member: the truth. A part is a multiset, so the sets stay small, some thousand members at worst; equal
multisets are one object, by the caches here, so a game with all its states needs little memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb, gcd, prod
from operator import add, sub
from typing import Final, NamedTuple

Counts = tuple[int, ...]
"""How many of each kind, in the order of the player's kinds: a multiset of coins."""


class Hidden(NamedTuple):
    """One way in which the coins that nobody sees may be split."""

    bag: Counts
    hand: Counts
    down: Counts
    """Face down in the discard pile."""
    drawn: Counts
    """The coin that a Warrior Priest drew and that must be used at once."""
    ahead: Counts
    """The second hand, drawn ahead and set aside."""


Known = tuple[tuple[Hidden, int], ...]
"""All that is possible, each once, with its weight."""
PARTS: Final = Hidden._fields
_BAG, _HAND, _DOWN, _, _AHEAD = range(len(PARTS))


def certainly(bag: Counts) -> Known:
    """All coins lie in the bag."""
    none = (0,) * len(bag)
    return ((Hidden(bag, none, none, none, none), 1),)


def pool(known: Known) -> Counts:
    """All hidden coins together: everybody can work them out from what lies open."""
    return tuple(map(sum, zip(*known[0][0])))


def may_hold(known: Known, part: str, index: int) -> bool:
    """Whether in some possible state the part has a coin of this kind."""
    at = PARTS.index(part)
    return any(one[at][index] for one, _ in known)


# --- what becomes of a set -------------------------------------------------------------------------------------------


def shown(known: Known, part: str, index: int) -> Known:
    """A coin of this kind is taken from the part for all to see: what lacks it is ruled out."""
    at = PARTS.index(part)
    return _reduced([(_moved(one, index, at), weight) for one, weight in known if one[at][index]])


def laid_down(known: Known, part: str, index: int | None) -> Known:
    """A coin is taken from the part and laid down unseen: of this kind, or any single coin with equal probability."""
    at = PARTS.index(part)
    if index is not None:
        return _merged([(_moved(one, index, at, _DOWN), weight) for one, weight in known if one[at][index]])
    return _merged([
        (_moved(one, any_kind, at, _DOWN), weight * count)
        for one, weight in known
        for any_kind, count in enumerate(one[at])
        if count
    ])


def drawn(known: Known, to: str, number: int, wanted: Counts, up: Counts) -> Known:
    """So many coins are drawn to an empty part, `wanted` among them. When the bag runs out, the discards go into it
    first (WC 4.2): those face down, and `up`, those face up."""
    at, in_bag = PARTS.index(to), sum(known[0][0].bag)
    if number > in_bag:
        return _merged([
            (_with(one._replace(bag=left, down=(0,) * len(left)), at, handful), weight * ways)
            for one, weight in known
            for handful, ways, left in refilled(one.bag, plus(one.down, up), number, wanted)
        ])
    return _reduced([
        (_with(one, at, handful, left), weight * ways)
        for one, weight in known
        for handful, ways, left in handfuls(one.bag, number, wanted)
    ])


def taken_up(known: Known, wanted: Counts) -> Known:
    """The hands that were set aside become the hands, if they hold what is wanted."""
    return _merged([
        (one._replace(hand=one.ahead, ahead=one.hand), weight) for one, weight in known if _holds(one.ahead, wanted)
    ])


Draws = tuple[tuple[Counts, int, Counts], ...]
"""What may be drawn, in how many ways, and what is left."""


@lru_cache(maxsize=20_000)
def handfuls(coins: Counts, number: int, least: Counts) -> Draws:
    """Each multiset of `number` of the coins that holds `least`."""
    return tuple(
        (handful, prod(map(comb, coins, handful)), tuple(map(sub, coins, handful)))
        for handful in _multisets(coins, number, least)
    )


@lru_cache(maxsize=20_000)
def refilled(bag: Counts, discards: Counts, number: int, wanted: Counts) -> Draws:
    """Draws that take the whole bag and go on with the discards."""
    missing = number - sum(bag)
    still_wanted = tuple(max(0, want - had) for want, had in zip(wanted, bag))
    return tuple((plus(bag, more), ways, left) for more, ways, left in handfuls(discards, missing, still_wanted))


@lru_cache(maxsize=20_000)
def plus(one: Counts, other: Counts) -> Counts:
    """Two multisets together."""
    return tuple(map(add, one, other))


@lru_cache(maxsize=20_000)
def changed(counts: Counts, index: int, by: int) -> Counts:
    """The multiset with so many coins of one kind more."""
    return (*counts[:index], counts[index] + by, *counts[index + 1:])


def _multisets(coins: Counts, number: int, least: Counts) -> Iterator[Counts]:
    if not coins:
        if number == 0:
            yield ()
        return
    for count in range(least[0], min(coins[0], number) + 1):
        for rest in _multisets(coins[1:], number - count, least[1:]):
            yield (count, *rest)


def _moved(one: Hidden, index: int, from_: int, to: int | None = None) -> Hidden:
    parts = list(one)
    parts[from_] = changed(parts[from_], index, -1)
    if to is not None:
        parts[to] = changed(parts[to], index, 1)
    return Hidden._make(parts)


def _with(one: Hidden, at: int, held: Counts, bag: Counts | None = None) -> Hidden:
    parts = list(one)
    parts[at] = held
    if bag is not None:
        parts[_BAG] = bag
    return Hidden._make(parts)


def _holds(coins: Counts, wanted: Counts) -> bool:
    return all(have >= want for have, want in zip(coins, wanted))


def _merged(found: list[tuple[Hidden, int]]) -> Known:
    """Equal states are one, with the sum of their weights."""
    if len(found) == 1:
        return ((found[0][0], 1),)
    weights: dict[Hidden, int] = {}
    for one, weight in found:
        weights[one] = weights.get(one, 0) + weight
    return _reduced(list(weights.items()))


def _reduced(found: list[tuple[Hidden, int]]) -> Known:
    """States that differ, with weights as small as they can be."""
    shared = gcd(*(weight for _, weight in found))
    return tuple(found) if shared == 1 else tuple((one, weight // shared) for one, weight in found)
