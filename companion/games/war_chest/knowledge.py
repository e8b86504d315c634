"""What follows from a set of possibilities: certain facts, exact odds, a random deal, why a coin is not there (WC 9).

Nothing here looks at the truth: only at sets, and at what lies open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random

from companion.errors import Phrase, phrase
from companion.games.war_chest.coins import Coin, Purse
from companion.games.war_chest.hidden import PARTS, Counts, Known
from companion.games.war_chest.state import State


def weights_of(known: Known, part: str) -> dict[Counts, int]:
    """What a part of `Hidden` may be, each once, with its weight."""
    weights: dict[Counts, int] = {}
    for one, weight in known:
        held = getattr(one, part)
        weights[held] = weights.get(held, 0) + weight
    return weights


def certain(known: Known, part: str) -> Counts | None:
    """What the part is for certain; None when it may be this or that."""
    found = {getattr(one, part) for one, _ in known}
    return found.pop() if len(found) == 1 else None


def at_least(known: Known, part: str) -> Counts:
    """How many coins of each kind the part holds for certain."""
    return tuple(map(min, zip(*{getattr(one, part) for one, _ in known})))


def at_most(known: Known, part: str) -> Counts:
    """How many coins of each kind the part may hold."""
    return tuple(map(max, zip(*{getattr(one, part) for one, _ in known})))


def odds(kinds: tuple[Coin, ...], known: Known, part: str = "hand") -> dict[Coin, Fraction]:
    """For each kind the exact probability that the part holds a coin of it."""
    weights = weights_of(known, part)
    total = sum(weights.values())
    return {
        coin: Fraction(sum(weight for held, weight in weights.items() if held[index]), total)
        for index, coin in enumerate(kinds)
    }


def dealt(known: Known, rng: Random) -> Known:
    """One of the possibilities, drawn by the odds, as if it were known."""
    left = rng.randrange(sum(weight for _, weight in known))
    for one, weight in known:
        left -= weight
        if left < 0:
            return ((one, 1),)
    raise AssertionError("the weights add up to their sum")


def played_in_the_open(purse: Purse) -> Purse:
    """The purse of a made-up state once it is played on: its one possibility is taken for the truth."""
    return purse if purse.seen is None else replace(purse, seen=None, own=None, put_aside=False)


# --- why a coin cannot be somewhere -----------------------------------------------------------------------------------


def where_else(state: State, purse: Purse, coin: Coin, part: str) -> Phrase:
    """Why no coin of the kind, or not as many as were named, can lie in the part: where they are.

    Only from what everybody saw: if that allows it, what was confided speaks against it, and stays unsaid here.
    """
    index = purse.kinds.index(coin)
    known = purse.known if purse.seen is None else purse.seen
    total = sum(held[index] for held in known[0][0])
    if purse.seen is not None and at_most(known, part)[index] > at_most(purse.known, part)[index]:
        return phrase("wc.where.told")
    discarded, on_board = purse.pile.count(coin), sum(state.stacks[at].height for at in state.places_of(coin))
    if discarded and not total and not on_board:
        return phrase("wc.where.both" if discarded == 2 else "wc.where.all", coin=coin, count=discarded)
    counted = [("discards", discarded), ("board", on_board), ("supply", purse.supply[index])]
    counted += [(other, at_least(known, other)[index]) for other in PARTS]
    counted += [("unsure", total - sum(at_least(known, each)[index] for each in PARTS))]
    return phrase("wc.where", places=tuple(_places(counted)) or phrase("wc.where.box"))


def _places(counted: list[tuple[str, int]]) -> Iterator[Phrase]:
    for place, count in counted:
        if count:
            yield phrase(f"wc.where.{place}", count=count)
