"""What a seat alone may see and tell: the own hand, and its plies that others saw only in part."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import islice
from typing import Any, Final

from companion.engine import Confiding, Ply, Seat
from companion.errors import IllegalError
from companion.session.exports import open_ply
from companion.session.snapshot import CoveredShown, HandShown
from companion.session.state import Match, State

MAX_HANDS: Final = 4000
"""How many of the hands that a seat may hold are gone through."""
MAX_COVERED: Final = 8
"""How many of a seat's own last plies can be put right."""


def hand(state: State, seat: Seat) -> HandShown | None:
    """What the seat alone may see and tell; None when the game hides nothing of it, or is over."""
    match = state.match
    if match is None or match.result is not None or seat >= match.opened.players:
        return None
    if not isinstance(match.game, Confiding):
        return None
    may_tell = tuple(islice(match.game.may_confide(match.told[-1], seat), MAX_HANDS))
    own = [n for n, made in enumerate(match.made) if made.ply.player == seat]
    covered = tuple(each for n in reversed(own[-MAX_COVERED:]) if (each := _covered(match, seat, n)) is not None)
    return HandShown(may_tell, covered) if may_tell or covered else None


def _covered(match: Match, seat: Seat, n: int) -> CoveredShown | None:
    """Ply `n` (from 0) of the seat with what else it can have been for all that others saw; None when it hid nothing.

    What was hidden is one of the things that the seat could tell then (a coin of the hand), in a field of the action
    that is empty as others saw it.
    """
    ply, before = match.made[n].ply, match.told[n]
    seen = open_ply(match, ply)
    hands = islice(match.game.may_confide(before, seat) if isinstance(match.game, Confiding) else (), MAX_HANDS)
    things = sorted({thing for may_be in hands for held in may_be.values() for thing in held})
    empty = [field.name for field in fields(seen.action) if getattr(seen.action, field.name) is None]
    guesses = [Ply(seat, replace(seen.action, **{name: thing})) for name in empty for thing in things]
    others = [guess for guess in guesses
              if guess not in (ply, seen) and open_ply(match, guess) == seen and _can_be(match, before, guess)]
    said = tuple((match.game.write_action(each.action), match.game.say(before, each, seat)) for each in others)
    return CoveredShown(n + 1, match.game.say(before, ply, seat), said) if said else None


def _can_be(match: Match, before: Any, ply: Ply[Any]) -> bool:
    try:
        match.game.apply(before, ply)
    except IllegalError:
        return False
    return True
