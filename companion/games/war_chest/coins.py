"""A player's coins off the board, and exactly what is known of those that nobody sees (WC 4, WC 9).

The hidden coins of one player lie in the bag, in the hand, or face down among the discards. What is known of them is
a set of possibilities (`hidden.py`).

At a table there are up to three such sets of a purse, each one within the one before: what everybody saw allows, what
the record tells beyond that, and what the owner confided. They are one and the same as long as nobody tells anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Final

from companion.games.war_chest import hidden
from companion.games.war_chest.hidden import Counts, Known

Coin = str
"""A unit's id, or `ROYAL`."""
ROYAL: Final = "royal"
HAND: Final = 3
"""Coins that are drawn for a round (WC 4.1)."""


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
    """By what everybody saw, without the hidden coins that were named; None in the open, where nobody needs it."""
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
    known = hidden.certainly((in_bag,) * len(kinds) + (1,))
    return Purse((*kinds, ROYAL), (*(total - in_bag for total in totals), 0), (), known, known if referee else None)


def spendable(purse: Purse) -> tuple[Coin, ...]:
    """The kinds of coin that may be in the hand now: in some possible state they are."""
    pocket = purse.pocket
    return tuple(coin for index, coin in enumerate(purse.kinds) if hidden.may_hold(purse.known, pocket, index))


def spend(purse: Purse, coin: Coin, *, onto_pile: bool = True) -> Purse:
    """Spend a coin that everybody sees: face up onto the discard pile, or onto the board."""
    shown = partial(hidden.shown, part=purse.pocket, index=purse.kinds.index(coin))
    return _learnt(purse, shown, pile=(*purse.pile, coin) if onto_pile else purse.pile)


def spend_face_down(purse: Purse, coin: Coin | None) -> Purse:
    """Spend a coin face down. When nobody tells which (None) each single coin of the hand is as likely; one that is
    named was chosen, as one that is shown: it only rules out the hands that lack it."""
    seen = partial(hidden.laid_down, part=purse.pocket, index=None)
    learn = seen if coin is None else partial(hidden.laid_down, part=purse.pocket, index=purse.kinds.index(coin))
    return _learnt(purse, learn, seen, pile=(*purse.pile, None))


def discard(purse: Purse, coin: Coin) -> Purse:
    """Lay a coin that comes from the board or the supply face up onto the discard pile."""
    return replace(purse, pile=(*purse.pile, coin))


def take_from_supply(purse: Purse, coin: Coin) -> Purse:
    """One coin less in the supply."""
    index = purse.kinds.index(coin)
    return replace(purse, supply=hidden.changed(purse.supply, index, -1))


def draw_hand(
    purse: Purse, named: Iterable[Coin] = (), *, also_ahead: bool = False, ahead: Iterable[Coin] = ()
) -> Purse:
    """Draw the hand of a round (WC 4.1 to WC 4.3): the hand that was set aside, or three coins from the bag.

    `named` are coins known to be among those drawn; with `also_ahead` a second hand is drawn and set aside, of which
    `ahead` is known. The purse that comes back has no `known` states when they are impossible.
    """
    wanted, wanted_ahead = _counts(purse.kinds, named), _counts(purse.kinds, ahead)
    if purse.size("ahead"):
        learn = partial(hidden.taken_up, wanted=wanted)
        return _learnt(purse, learn, partial(hidden.taken_up, wanted=_counts(purse.kinds, ())))
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
    part = "hand" if purse.size("ahead") else "drawn"
    after = draw_hand(purse) if purse.size("ahead") else _draw(purse, part, number, _counts(purse.kinds, ()))
    total = sum(weight for _, weight in after.known)
    for one, weight in after.known:
        yield coins_of(purse.kinds, getattr(one, part)), Fraction(weight, total)


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
    discards = coins_of(purse.kinds, hidden.plus(one.down, _face_up(purse)))
    return (*bag, *rng.sample(discards, number - len(bag)))


def coins_of(kinds: tuple[Coin, ...], counts: Counts) -> tuple[Coin, ...]:
    """A multiset as a list of coins, in alphabetical order."""
    return tuple(sorted(coin for coin, count in zip(kinds, counts) for _ in range(count)))


Learn = Callable[[Known], Known]
"""What becomes of a set of possibilities when something happens."""


def _learnt(
    purse: Purse, learn: Learn, seen: Learn | None = None, *, pile: tuple[Coin | None, ...] | None = None
) -> Purse:
    """The purse after something happened: `learn` is what the record says of it, `seen` what everybody saw if that is
    less. When nothing is left of what the owner confided, it was wrong, and is put aside."""
    known = learn(purse.known)
    by_all = purse.seen
    if by_all is not None:
        says_no_more = seen in (None, learn) and by_all is purse.known
        by_all = known if says_no_more else (seen or learn)(by_all)
    own = None if purse.own is None else learn(purse.own)
    wrong = own is not None and not own
    return replace(
        purse, known=known, seen=by_all, own=own or None, put_aside=purse.put_aside or wrong,
        pile=purse.pile if pile is None else pile,
    )


def _draw(purse: Purse, to: str, number: int, wanted: Counts) -> Purse:
    """Draw `number` coins to `to`; when the bag runs out, the discards go into it first (WC 4.2)."""
    draw = partial(hidden.drawn, to=to, number=number, up=_face_up(purse))
    seen = partial(draw, wanted=_counts(purse.kinds, ()))
    learn = partial(draw, wanted=wanted) if any(wanted) else seen
    return _learnt(purse, learn, seen, pile=() if purse.size("bag") < number else None)


def _counts(kinds: tuple[Coin, ...], coins: Iterable[Coin]) -> Counts:
    listed = tuple(coins)
    return tuple(listed.count(kind) for kind in kinds)


def _face_up(purse: Purse) -> Counts:
    return _counts(purse.kinds, (coin for coin in purse.pile if coin is not None))
