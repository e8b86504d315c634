"""A player's coins off the board, and exactly what is known of those that nobody sees (WC 4, WC 9).

The hidden coins of one player lie in the bag, in the hand, or face down among the discards. What is known of them is
a set of possible `Hidden` splits with whole-number weights; only their proportions have a meaning. When every coin is
told, as in a simulation, the set has one member: the truth. Bag, hand and discards are multisets: the set stays small.

At a table there are up to three such sets of a purse, each one within the one before: what everybody saw allows, what
the record tells beyond that, and what the owner confided. They are one and the same as long as nobody tells anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import comb, gcd, prod
from operator import add, sub
from random import Random
from typing import Final, NamedTuple

Coin = str
"""A unit's id, or `ROYAL`."""
ROYAL: Final = "royal"
HAND: Final = 3
"""Coins that are drawn for a round (WC 4.1)."""

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


@dataclass(frozen=True, slots=True)
class Purse:
    """All coins of one player that are not on the board."""

    kinds: tuple[Coin, ...]
    """The player's units in the order of the set-up, then `ROYAL`."""
    supply: Counts
    pile: tuple[Coin | None, ...]
    """The discard pile, lowest coin first; None is a coin face down."""
    known: Known
    """By all that the record tells: what is legal goes by it."""
    seen: Known | None = None
    """By what everybody saw, without coins that were told of hidden things; None in the open, where nobody needs it."""
    own: Known | None = None
    """By what the record tells and what the owner confided; None: nothing."""
    put_aside: bool = False
    """Whether what the owner confided came to be wrong."""

    def size(self, where: str) -> int:
        """How many coins lie in `bag`, `hand`, `down`, `drawn` or `ahead`: everybody may count them."""
        return sum(getattr(self.known[0][0], where))

    def in_supply(self, coin: Coin) -> int:
        """How many coins of a kind the supply has."""
        return self.supply[self.kinds.index(coin)]

    @property
    def pocket(self) -> str:
        """Where the next coin to be spent lies: a coin just drawn by a priest goes before the hand."""
        return "drawn" if self.size("drawn") else "hand"


def new_purse(units: Iterable[tuple[Coin, int]], in_bag: int = 2, *, referee: bool = False) -> Purse:
    """The purse before the first draw, from each unit's name and number of coins; at a table with `referee`."""
    kinds, totals = zip(*units)
    none = (0,) * (len(kinds) + 1)
    bag = (in_bag,) * len(kinds) + (1,)
    known = ((Hidden(bag, none, none, none, none), 1),)
    return Purse((*kinds, ROYAL), (*(total - in_bag for total in totals), 0), (), known, known if referee else None)


def spendable(purse: Purse) -> tuple[Coin, ...]:
    """The kinds of coin that may be in the hand now: in some possible state they are."""
    pocket = purse.pocket
    return tuple(
        coin for index, coin in enumerate(purse.kinds) if any(getattr(one, pocket)[index] for one, _ in purse.known)
    )


def spend(purse: Purse, coin: Coin, *, onto_pile: bool = True) -> Purse:
    """Spend a coin that everybody sees: face up onto the discard pile, or onto the board."""
    index, pocket = purse.kinds.index(coin), purse.pocket

    def shown(known: Known) -> Known:
        return _known([(_moved(one, index, pocket), weight) for one, weight in known if getattr(one, pocket)[index]])

    return _learnt(purse, shown, pile=(*purse.pile, coin) if onto_pile else purse.pile)


def spend_face_down(purse: Purse, coin: Coin | None) -> Purse:
    """Spend a coin face down. When nobody tells which (None) each single coin of the hand is as likely; one that is
    told was chosen, as one that is shown: it only rules out the hands that lack it."""
    pocket = purse.pocket

    def unknown(known: Known) -> Known:
        return _known([
            (_moved(one, index, pocket, "down"), weight * count)
            for one, weight in known
            for index, count in enumerate(getattr(one, pocket))
            if count
        ])

    if coin is None:
        return _learnt(purse, unknown, pile=(*purse.pile, None))
    index = purse.kinds.index(coin)

    def told(known: Known) -> Known:
        return _known([
            (_moved(one, index, pocket, "down"), weight) for one, weight in known if getattr(one, pocket)[index]
        ])

    return _learnt(purse, told, unknown, pile=(*purse.pile, None))


def discard(purse: Purse, coin: Coin) -> Purse:
    """Lay a coin that comes from the board or the supply face up onto the discard pile."""
    return replace(purse, pile=(*purse.pile, coin))


def take_from_supply(purse: Purse, coin: Coin) -> Purse:
    """One coin less in the supply."""
    index = purse.kinds.index(coin)
    return replace(purse, supply=_changed(purse.supply, index, -1))


def draw_hand(
    purse: Purse, told: Iterable[Coin] = (), *, also_ahead: bool = False, ahead: Iterable[Coin] = ()
) -> Purse:
    """Draw the hand of a round (WC 4.1 to WC 4.3): the hand that was set aside, or three coins from the bag.

    `told` are coins known to be among those drawn; with `also_ahead` a second hand is drawn and set aside, of which
    `ahead` is known. The purse that comes back has no `known` states when what was told is impossible.
    """
    wanted, wanted_ahead = _counts(purse.kinds, told), _counts(purse.kinds, ahead)
    if purse.size("ahead"):
        return _learnt(purse, lambda known: _taken_up(known, wanted), lambda known: _taken_up(known))
    drawn = _draw(purse, "hand", hand_to_draw(purse), wanted)
    return _draw(drawn, "ahead", HAND, wanted_ahead) if also_ahead and drawn.known else drawn


def hand_to_draw(purse: Purse) -> int:
    """How many coins the next draw of a round brings: three, or all there are."""
    return purse.size("ahead") or min(HAND, purse.size("bag") + len(purse.pile))


def draw_one(purse: Purse, coin: Coin | None) -> Purse:
    """The Warrior Priest's draw; None when nobody tells the coin."""
    return _draw(purse, "drawn", 1, _counts(purse.kinds, () if coin is None else (coin,)))


def possible_draws(purse: Purse, number: int) -> Iterator[tuple[tuple[Coin, ...], Fraction]]:
    """What a draw of so many coins may bring, with the exact odds."""
    odds: dict[Counts, int] = {}
    for one, weight in purse.known:
        if any(one.ahead):
            odds[one.ahead] = odds.get(one.ahead, 0) + weight
            continue
        for _, drawn, ways in _draws(one, _face_up(purse), number, _none(one)):
            odds[drawn] = odds.get(drawn, 0) + weight * ways
    total = sum(odds.values())
    for drawn, weight in odds.items():
        yield coins_of(purse.kinds, drawn), Fraction(weight, total)


def possible_pairs(purse: Purse) -> Iterator[tuple[tuple[tuple[Coin, ...], tuple[Coin, ...]], Fraction]]:
    """What the first draw may bring when a second hand is drawn ahead: both hands, with the exact odds."""
    drawn = draw_hand(purse, also_ahead=True)
    total = sum(weight for _, weight in drawn.known)
    for one, weight in drawn.known:
        yield (coins_of(purse.kinds, one.hand), coins_of(purse.kinds, one.ahead)), Fraction(weight, total)


def draw_at_random(purse: Purse, number: int, rng: Random) -> tuple[Coin, ...]:
    """One draw by the odds from a purse of which all is known."""
    one = purse.known[0][0]
    if any(one.ahead):
        return coins_of(purse.kinds, one.ahead)
    bag = coins_of(purse.kinds, one.bag)
    if number <= len(bag):
        return tuple(rng.sample(bag, number))
    discards = coins_of(purse.kinds, tuple(map(add, one.down, _face_up(purse))))
    return (*bag, *rng.sample(discards, number - len(bag)))


def coins_of(kinds: tuple[Coin, ...], counts: Counts) -> tuple[Coin, ...]:
    """A multiset as a list of coins, in alphabetical order."""
    return tuple(sorted(coin for coin, count in zip(kinds, counts) for _ in range(count)))


def pool(known: Known) -> Counts:
    """All hidden coins together: everybody can work them out from what lies open."""
    return tuple(map(sum, zip(*known[0][0])))


def handfuls(coins: Counts, number: int, least: Counts) -> Iterator[tuple[Counts, int]]:
    """Each multiset of `number` of the coins that holds `least`, and in how many ways it can be drawn."""
    if sum(least) == number:  # all of it is told: the usual case
        if _holds(coins, least):
            yield least, prod(map(comb, coins, least))
        return
    ranges = (range(low, min(high, number) + 1) for low, high in zip(least, coins))
    for handful in product(*ranges):
        if sum(handful) == number:
            yield handful, prod(map(comb, coins, handful))


Learn = Callable[[Known], Known]
"""What becomes of a set of possibilities when something happens."""


def _learnt(
    purse: Purse, told: Learn, seen: Learn | None = None, *, pile: tuple[Coin | None, ...] | None = None
) -> Purse:
    """The purse after something happened: `told` is what the record tells of it, `seen` what everybody saw if that is
    less. When nothing is left of what the owner confided, it was wrong, and is put aside."""
    known = told(purse.known)
    by_all = purse.seen
    if by_all is not None:
        told_no_more = seen in (None, told) and by_all is purse.known
        by_all = known if told_no_more else (seen or told)(by_all)
    own = None if purse.own is None else told(purse.own)
    wrong = own is not None and not own
    return replace(
        purse, known=known, seen=by_all, own=own or None, put_aside=purse.put_aside or wrong,
        pile=purse.pile if pile is None else pile,
    )


def _draw(purse: Purse, to: str, number: int, wanted: Counts) -> Purse:
    """Draw `number` coins to `to`; when the bag runs out, the discards go into it first (WC 4.2)."""
    up = _face_up(purse)

    def drawn(least: Counts) -> Learn:
        return lambda known: _known([
            (after._replace(**{to: handful}), weight * ways)
            for one, weight in known
            for after, handful, ways in _draws(one, up, number, least)
        ])

    unknown = drawn((0,) * len(wanted))
    told = drawn(wanted) if any(wanted) else unknown
    runs_out = purse.size("bag") < number
    return _learnt(purse, told, unknown, pile=() if runs_out else None)


def _taken_up(known: Known, wanted: Counts = ()) -> Known:
    """The hands that were set aside become the hands, if they hold what is wanted."""
    return _known([
        (one._replace(hand=one.ahead, ahead=_none(one)), weight) for one, weight in known if _holds(one.ahead, wanted)
    ])


def _draws(one: Hidden, up: Counts, number: int, wanted: Counts) -> Iterator[tuple[Hidden, Counts, int]]:
    """The states after a draw, what was drawn, and in how many ways; `up` are the discards that lie face up."""
    missing = number - sum(one.bag)
    if missing <= 0:
        for drawn, ways in handfuls(one.bag, number, wanted):
            yield one._replace(bag=tuple(map(sub, one.bag, drawn))), drawn, ways
        return
    refilled = tuple(map(add, up, one.down))
    still_wanted = tuple(max(0, want - had) for want, had in zip(wanted, one.bag))
    if sum(still_wanted) > missing:
        return
    for more, ways in handfuls(refilled, missing, still_wanted):
        left = tuple(map(sub, refilled, more))
        yield one._replace(bag=left, down=_none(one)), tuple(map(add, one.bag, more)), ways


def _moved(one: Hidden, index: int, from_: str, to: str | None = None) -> Hidden:
    """One coin taken from a part and, with `to`, put into another."""
    changed = one._replace(**{from_: _changed(getattr(one, from_), index, -1)})
    return changed if to is None else changed._replace(**{to: _changed(getattr(one, to), index, 1)})


def _changed(counts: Counts, index: int, by: int) -> Counts:
    return (*counts[:index], counts[index] + by, *counts[index + 1:])


def _holds(coins: Counts, wanted: Counts) -> bool:
    return all(have >= want for have, want in zip(coins, wanted))


def _none(one: Hidden) -> Counts:
    return (0,) * len(one.bag)


def _counts(kinds: tuple[Coin, ...], coins: Iterable[Coin]) -> Counts:
    listed = tuple(coins)
    return tuple(listed.count(kind) for kind in kinds)


def _face_up(purse: Purse) -> Counts:
    return _counts(purse.kinds, (coin for coin in purse.pile if coin is not None))


def _known(found: list[tuple[Hidden, int]]) -> Known:
    """Equal states are one, with the sum of their weights; the weights are made as small as they can be."""
    if len(found) == 1:
        return ((found[0][0], 1),)
    weights: dict[Hidden, int] = {}
    for one, weight in found:
        weights[one] = weights.get(one, 0) + weight
    shared = gcd(*weights.values())
    return tuple((one, weight // shared) for one, weight in weights.items())
