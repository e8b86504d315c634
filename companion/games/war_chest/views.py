"""What stands on the table, and what each observer may know (WC 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from companion.engine import Observer, Seat
from companion.errors import Phrase, phrase
from companion.games.war_chest import coins
from companion.games.war_chest.board import Hex
from companion.games.war_chest.coins import ROYAL, Coin, Counts, Hidden, Purse
from companion.games.war_chest.state import State
from companion.table import Appearance, Placement

PARTS = Hidden._fields


@dataclass(frozen=True, slots=True)
class Veiled:
    """Another player's purse: which coins are hidden altogether, and how many lie where."""

    kinds: tuple[Coin, ...]
    supply: Counts
    pile: tuple[Coin | None, ...]
    pool: Counts
    sizes: tuple[int, ...]
    """How many coins each part of `Hidden` has."""


@dataclass(frozen=True, slots=True)
class Told:
    """All that an observer knows: the board, the own purse, the others' veiled. `state` has no purses."""

    state: State
    purses: tuple[Purse | Veiled, ...]


def told(state: State, observer: Observer) -> Told:
    """What this observer knows of a state."""
    purses = tuple(
        purse if observer in (seat, "referee") else _veiled(purse) for seat, purse in enumerate(state.purses)
    )
    return Told(replace(state, purses=()), purses)


def possible(known: Told, rng: Random) -> State:
    """A random state that agrees with it: the others' hidden coins are dealt out at random."""
    purses = tuple(purse if isinstance(purse, Purse) else _unveiled(purse, rng) for purse in known.purses)
    return replace(known.state, purses=purses)


def _veiled(purse: Purse) -> Veiled:
    sizes = tuple(purse.size(part) for part in PARTS)
    return Veiled(purse.kinds, purse.supply, purse.pile, coins.pool(purse), sizes)


def _unveiled(purse: Veiled, rng: Random) -> Purse:
    hidden = list(coins.coins_of(purse.kinds, purse.pool))
    rng.shuffle(hidden)
    dealt = []
    for size in purse.sizes:
        part, hidden = hidden[:size], hidden[size:]
        dealt.append(tuple(part.count(kind) for kind in purse.kinds))
    return Purse(purse.kinds, purse.supply, purse.pile, ((Hidden(*dealt), 1),))


def facts(known: Told) -> Iterator[Phrase]:
    """Lines for the page: the own hand, bag and face-down discards; of each player how many coins lie where."""
    for seat, purse in enumerate(known.purses):
        sizes = purse.sizes if isinstance(purse, Veiled) else tuple(purse.size(part) for part in PARTS)
        yield phrase("wc.fact.sizes", number=seat + 1, bag=sizes[0], hand=sizes[1] + sizes[3], pile=len(purse.pile))
        if isinstance(purse, Purse):
            yield from _own_facts(purse, seat)
        else:
            yield _list("wc.fact.hidden", seat, coins.coins_of(purse.kinds, purse.pool))


def _own_facts(purse: Purse, seat: Seat) -> Iterator[Phrase]:
    if len(purse.known) == 1:
        for part in PARTS:
            held = coins.coins_of(purse.kinds, getattr(purse.known[0][0], part))
            if held:
                yield _list(f"wc.fact.{part}", seat, held)
        return
    for coin in purse.kinds:
        odds = coins.odds_in_hand(purse, coin)
        if odds == 1:
            yield phrase("wc.fact.surely", number=seat + 1, coin=coin)
        elif odds:
            yield phrase("wc.fact.maybe", number=seat + 1, coin=coin, odds=f"{odds}")


def _list(id: str, seat: Seat, held: tuple[Coin, ...]) -> Phrase:
    """Equal coins are said together: "2 knight and 1 royal"."""
    counted = tuple(phrase("wc.counted", count=count, coin=coin) for coin, count in sorted(Counter(held).items()))
    return phrase(id, number=seat + 1, coins=counted or phrase("wc.nothing"))


def placement(state: State) -> Placement:
    """What stands where; coins in bags and hands are not on the table, and coins face down show their backs."""
    table, placed = state.table, dict[str, tuple[Appearance, ...]]()
    for at, stack in state.stacks.items():
        placed[spot("hex", at)] = (f"coin:{stack.kind}",) * stack.height
    for at, side in state.control.items():
        placed[spot("marker", at)] = (f"marker:{table.factions[side]}",)
    for side in (0, 1):
        placed[f"markers:{side}"] = (f"marker:{table.factions[side]}",) * (table.board.markers - state.markers(side))
    for seat, purse in enumerate(state.purses):
        held = (f"coin:{kind}" for kind, count in zip(purse.kinds, purse.supply) for _ in range(count))
        placed[f"supply:{seat}"] = tuple(held)
        placed[f"discard:{seat}"] = tuple(_face(state, seat, coin) for coin in purse.pile)
    placed[f"initiative:{state.initiative}"] = (f"initiative:{table.factions[state.initiative]}",)
    return {where: pieces for where, pieces in placed.items() if pieces}


def spot(kind: str, at: Hex) -> str:
    """`hex:q,r` or `marker:q,r`."""
    return f"{kind}:{at[0]},{at[1]}"


def _face(state: State, seat: Seat, coin: Coin | None) -> Appearance:
    if coin is None:
        return "coin:back"
    return f"coin:{ROYAL}:{state.table.factions[seat]}" if coin == ROYAL else f"coin:{coin}"
