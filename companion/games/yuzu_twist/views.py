"""What stands where in Yuzu Twist, what observers know of a blind game, and plies in words."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from random import Random

from companion.engine import Observer, Over, Ply, Seen
from companion.errors import Phrase, phrase
from companion.games.yuzu_twist import rules
from companion.games.yuzu_twist.actions import Action, Crate, Done, Swap
from companion.games.yuzu_twist.layout import CARD_BACK, CRATE, shown_shift
from companion.games.yuzu_twist.setup import COLOURS_EACH
from companion.games.yuzu_twist.state import (
    DEEP, LETTERS, WIDE, Cell, Slot, State, Terms, around, drink_at, slots_of, told_by)
from companion.table import Appearance, Drink, Placement, Spot, colour_of, seat_phrase

SIDES = ("yt.right_of", "yt.behind", "yt.in_front_of", "yt.left_of")
"""Where a crate stands as seen from each of the cells `around` it."""


def placement(state: State) -> Placement:
    """Crates on cells, drinks in slots, stock cards before the seats: face down while a blind game is on."""
    placed = dict(_crates(state.cells))
    shift = shown_shift(state.cells)
    for cell, turned, drinks in zip(state.cells, state.turned, state.drinks):
        placed.update(_drinks(cell, turned, drinks, shift))
    placed.update(_cards(state.terms, is_hidden(state)))
    return placed


@lru_cache(4096)
def _crates(cells: tuple[Cell, ...]) -> Placement:
    """The crates on their cells. What is placed is remembered in parts: placements are made by the thousand."""
    right, back = shown_shift(cells)
    return {_spot("cell", i + right, j + back): (CRATE,) for i, j in cells}


@lru_cache(4096)
def _drinks(cell: Cell, turned: bool, drinks: tuple[Drink, ...], shift: Cell) -> Placement:
    """The drinks of one crate in their slots."""
    there = zip(slots_of(cell), reversed(drinks) if turned else drinks)
    return {_spot("slot", x + WIDE * shift[0], y + DEEP * shift[1]): (drink,) for (x, y), drink in there}


@lru_cache(64)
def _cards(terms: Terms, hidden: bool) -> Placement:
    """The seats' cards."""
    placed: dict[Spot, tuple[Appearance, ...]] = {}
    for seat, own in enumerate(terms.colours):
        if own is None or (hidden and own):
            placed[f"cards:{seat}"] = (CARD_BACK,) * COLOURS_EACH[len(terms.colours)]
        elif own:
            placed[f"cards:{seat}"] = tuple(f"card:{colour}" for colour in own)
    return placed


@lru_cache(4096)
def _spot(kind: str, x: int, y: int) -> Spot:
    """Made once each: placements are compared by the thousand."""
    return f"{kind}:{x},{y}"


def is_hidden(state: State) -> bool:
    """Whether the colours are still a secret (YT 7.2)."""
    return state.terms.blind and not isinstance(rules.turn(state), Over)


def brings_to_light(before: State, after: State) -> bool:
    """A colour that was completed without an end is nobody's; an end shows whose the others are (YT 7.2)."""
    return is_hidden(before) and (before.nobodys != after.nobodys or not is_hidden(after))


def view(state: State, observer: Observer) -> Seen:
    """All but the other seats' colours in a blind game; nobody but the seat itself sees them, the referee included."""
    known = _redacted(state, observer) if is_hidden(state) else state
    facts = tuple(
        phrase("yt.fact_colours", seat=seat_phrase(seat), colours=own)
        for seat, own in enumerate(known.terms.colours) if own
    )
    return Seen("yuzu-twist", observer, rules.turn(state), rules.scores(state), placement(state), known, facts)


def _redacted(state: State, observer: Observer) -> State:
    colours = tuple(own if seat == observer else None for seat, own in enumerate(state.terms.colours))
    return replace(state, terms=replace(state.terms, colours=colours))


def possible(known: State, rng: Random) -> State:
    """A random state that agrees with what an observer knows: hidden colours are dealt anew.

    Colours that were completed and did not end the game are nobody's.
    """
    owned = [colour for own in known.terms.colours if own is not None for colour in own]
    every = sorted({colour_of(drink) for drinks in known.drinks for drink in drinks})
    left = [colour for colour in every if colour not in owned and colour not in known.nobodys]
    rng.shuffle(left)
    each = COLOURS_EACH[len(known.terms.colours)]
    dealt = tuple(
        tuple(sorted(left.pop() for _ in range(each))) if own is None else own for own in known.terms.colours
    )
    return replace(known, terms=replace(known.terms, colours=dealt))


def say(state: State, ply: Ply[Action]) -> Phrase:
    """The ply in words, before it is applied."""
    match ply.action:
        case Crate(letter, to, half_turn):
            crate = LETTERS.index(letter)
            if state.cells[crate] == to:
                return phrase("yt.crate_turned", drink=told_by(state, crate))
            said = "yt.crate_moved_and_turned" if half_turn else "yt.crate_moved"
            side, other = next((SIDES[n], state.cells.index(cell)) for n, cell in enumerate(around(to))
                               if cell in state.cells and cell != state.cells[crate])
            return phrase(said, drink=told_by(state, crate), side=phrase(side), other=told_by(state, other))
        case Swap(a, b):
            return phrase("yt.swap", first=_drink(state, a), second=_drink(state, b))
        case Done():
            return phrase("yt.done")


def _drink(state: State, slot: Slot) -> str:
    return drink_at(state, slot) or "?"
