"""What stands on the table, and what each observer may know (WC 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from random import Random

from companion.engine import Observer, Seat
from companion.errors import Phrase, phrase
from companion.games.war_chest import coins, hidden, knowledge
from companion.games.war_chest.board import Hex
from companion.games.war_chest.coins import ROYAL, Coin, Purse
from companion.games.war_chest.hidden import PARTS, Counts, Hidden, Known
from companion.games.war_chest.state import State
from companion.table import Appearance, Placement, seat_phrase


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
class Account:
    """A player's purse at a table: what lies open, and the set of all that is possible for one observer."""

    kinds: tuple[Coin, ...]
    supply: Counts
    pile: tuple[Coin | None, ...]
    known: Known
    put_aside: bool = False
    """Whether what the player confided came to be wrong; said to that player only."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that an observer knows: the board and the purses, as far as they are known. `state` has no purses."""

    observer: Observer
    state: State
    purses: tuple[Purse | Veiled | Account, ...]


def known_to(observer: Observer, state: State) -> Knowledge:
    """What this observer knows of a state."""
    purses = tuple(_known_of(state, seat, observer) for seat in state.table.seats)
    return Knowledge(observer, replace(state, purses=(), made_up=False), purses)


def _known_of(state: State, seat: Seat, observer: Observer) -> Purse | Veiled | Account:
    purse = state.purses[seat]
    if state.over is not None:
        return purse
    if purse.seen is None:
        return purse if observer in (seat, "referee") else _veiled(purse)
    if observer == seat:
        return Account(purse.kinds, purse.supply, purse.pile, purse.own or purse.known, purse.put_aside)
    return Account(purse.kinds, purse.supply, purse.pile, purse.seen)


def open_state(state: State) -> Hashable:
    """The state with counts in place of hidden coins, and discard piles as they show: the top, and what is below."""
    purses = tuple(
        (purse.supply, purse.pile[-1:], frozenset(Counter(purse.pile).items()), tuple(map(purse.size, PARTS)))
        for purse in state.purses
    )
    return replace(state, purses=()), purses


def possible(known: Knowledge, rng: Random) -> State:
    """A random state that agrees with it: hidden coins are dealt out, at a table by the exact odds (WC 9.3)."""
    purses = tuple(_made_up(purse, rng) for purse in known.purses)
    at_table = any(isinstance(purse, Account) for purse in known.purses)
    return replace(known.state, purses=purses, made_up=at_table)


def _made_up(purse: Purse | Veiled | Account, rng: Random) -> Purse:
    match purse:
        case Veiled():
            return _unveiled(purse, rng)
        case Account(kinds, supply, pile, known, put_aside):
            return Purse(kinds, supply, pile, knowledge.dealt(known, rng), known, known, put_aside)
        case Purse():
            return purse


def _veiled(purse: Purse) -> Veiled:
    sizes = tuple(purse.size(part) for part in PARTS)
    return Veiled(purse.kinds, purse.supply, purse.pile, hidden.pool(purse.known), sizes)


def _unveiled(purse: Veiled, rng: Random) -> Purse:
    left = list(coins.coins_of(purse.kinds, purse.pool))
    rng.shuffle(left)
    dealt = []
    for size in purse.sizes:
        part, left = left[:size], left[size:]
        dealt.append(tuple(part.count(kind) for kind in purse.kinds))
    return Purse(purse.kinds, purse.supply, purse.pile, ((Hidden(*dealt), 1),))


def facts(known: Knowledge) -> Iterator[Phrase]:
    """Lines for the page: of each player how many coins lie where, which are hidden altogether, and what follows from
    that. To the room it is not said what follows: counting is left to those who play, until the game is over."""
    over = known.state.over is not None
    for seat, purse in enumerate(known.purses):
        sizes = purse.sizes if isinstance(purse, Veiled) else tuple(map(sum, purse.known[0][0]))
        bag, hand, pile = sizes[0], sizes[1] + sizes[3], len(purse.pile)
        yield phrase("wc.fact.sizes", seat=seat_phrase(seat), bag=bag, hand=hand, pile=pile)
        if isinstance(purse, Veiled):
            yield _list("wc.fact.hidden", seat, coins.coins_of(purse.kinds, purse.pool))
            continue
        possible = (isinstance(purse, Purse) and purse.own) or purse.known
        if len(possible) > 1 or isinstance(purse, Account):
            yield _list("wc.fact.hidden", seat, coins.coins_of(purse.kinds, hidden.pool(purse.known)))
        if known.observer != "room" or over:
            yield from _what_follows(purse.kinds, possible, seat)
        if purse.put_aside and not over:
            yield phrase("wc.fact.put_aside", seat=seat_phrase(seat))


def _what_follows(kinds: tuple[Coin, ...], known: Known, seat: Seat) -> Iterator[Phrase]:
    """What each part holds for certain, and the odds of the hand."""
    for part in PARTS:
        held = knowledge.certain(known, part)
        if held is None:
            yield from _chances(kinds, known, part, seat) if part == "hand" else ()
        elif any(held):
            yield _list(f"wc.fact.{part}", seat, coins.coins_of(kinds, held))


def _chances(kinds: tuple[Coin, ...], known: Known, part: str, seat: Seat) -> Iterator[Phrase]:
    odds, least = knowledge.odds(kinds, known, part), knowledge.at_least(known, part)
    for coin, sure in zip(kinds, least):
        if sure > 1:
            yield phrase("wc.fact.surely_many", seat=seat_phrase(seat), coin=coin, count=sure)
        elif sure:
            yield phrase("wc.fact.surely", seat=seat_phrase(seat), coin=coin)
        elif odds[coin]:
            share, of = odds[coin].as_integer_ratio()
            yield phrase("wc.fact.maybe", seat=seat_phrase(seat), coin=coin, share=share, of=of)


def _list(id: str, seat: Seat, held: tuple[Coin, ...]) -> Phrase:
    """Equal coins are said together: "2 knight and 1 royal"."""
    counted = tuple(phrase("wc.counted", count=count, coin=coin) for coin, count in sorted(Counter(held).items()))
    return phrase(id, seat=seat_phrase(seat), coins=counted or phrase("wc.nothing"))


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
