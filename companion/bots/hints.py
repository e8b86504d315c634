"""What a bot thinks, as sentences: a hint for the player on turn, and why."""

from __future__ import annotations

from random import Random

from companion.bots.bot import Decision, Option
from companion.engine import AnyGame, Seen
from companion.errors import Phrase, phrase


def percent(value: float) -> int:
    """A value from 0 to 1 in percent."""
    return round(100 * value)


def hint(game: AnyGame, seen: Seen, decision: Decision) -> tuple[Phrase, Phrase]:
    """What to consider, and why. Says no more than this observer may know."""
    said = game.say(game.possible(seen, Random(0)), decision.ply, seen.observer)
    return phrase("bots.consider", ply=said), decision.why


def why_search(best: Option, playouts: int, then: Phrase | None) -> Phrase:
    """Why a tree search plays a ply: what it is worth, how often it was tried, what it expects next."""
    why = phrase("bots.why_search", value=percent(best.value), visits=best.visits, playouts=playouts)
    return why if then is None else phrase("bots.why_and_then", why=why, then=then)
