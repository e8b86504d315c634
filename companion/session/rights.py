"""Who may take what back. Undo takes a move back, a correction puts a misreading right: two different rights.

| who       | undo                                                          | correction                            |
|-----------|---------------------------------------------------------------|---------------------------------------|
| a seat    | its own last ply, freely while nothing came to light by it;   | its own last turn; and, unless the    |
|           | otherwise with the consent of those affected                  | host kept it, what the host may       |
| host      | the last ply, whoever made it                                 | anything that others saw              |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from companion.engine import CHANCE, Confiding, Over, Ply, Revealing
from companion.engine.amend import amended, concerns_only
from companion.engine.positions import is_position
from companion.session.bot_seats import bots_of
from companion.session.commands import By, EndGame, LayOut, Reopen, SeatBot, StartGame, TakeUp
from companion.session.state import Match


OF_HOST: Final = (StartGame, LayOut, EndGame, Reopen, SeatBot, TakeUp)
"""Commands that no seat may ask for."""
HOST_CORRECTS: Final = "x-host-corrects"
"""The note in a record's header that only the host puts right what is not a seat's own last turn."""
OF_OTHERS: Final = frozenset({
    "session.correct_own_turn", "session.helper_only", "session.not_asked", "session.not_your_question"})
"""How a seat is refused what is not its own: the host may do it, also one that sits there."""


@dataclass(frozen=True, slots=True)
class Undoing:
    """How many plies an undo takes back, and the seats that must agree first."""

    number: int
    consent: tuple[int, ...]


def undoing(match: Match, by: By) -> Undoing:
    """What an undo by `by` means now; the match has at least one ply.

    The last ply of a player goes, and with it what chance has said since: that came to light for everybody, so all
    other seats are affected. So they are where the ply itself brought something to light, or put the position right.
    Another player's ply needs that player's consent. A bot always agrees.
    """
    plies = [made.ply for made in reversed(match.made)]
    decided = (i for i, ply in enumerate(plies) if ply.player != CHANCE or is_position(ply))
    chances = next(decided, len(plies) - 1)
    owner = plies[chances].player
    if not isinstance(by, int):
        return Undoing(chances + 1, ())
    affected = {owner} if isinstance(owner, int) else set()
    if chances or not affected or came_to_light(match):
        affected = set(range(match.opened.players))
    return Undoing(chances + 1, tuple(sorted(affected - {by} - bots_of(match.opened.header).keys())))


def came_to_light(match: Match) -> bool:
    """Whether the last ply told anybody what somebody else kept secret: by itself, or as it ended the game."""
    game, before, now = match.game, match.states[-2], match.state
    if isinstance(game, Revealing) and game.brings_to_light(before, now):
        return True
    return isinstance(game.turn(now), Over) and has_secrets(match)


def has_secrets(match: Match) -> bool:
    """Whether something of the game is kept from somebody until it ends."""
    opened = match.opened
    if isinstance(match.game, Confiding) or match.game.open_setup(opened.setup, opened.options, "room") != opened.setup:
        return True
    return any(match.seen(made.ply) != made.ply for made in match.made)


def is_own_turn(match: Match, by: By, take_back: int, plies: tuple[Ply[Any], ...]) -> bool:
    """Whether replacing the last `take_back` plies by `plies` concerns the last turn of `by` alone, and chance."""
    misread = match.made[len(match.made) - take_back:]
    concerned = (*(made.ply for made in misread), *plies)
    return all(ply.player in (by, CHANCE) and not is_position(ply) for ply in concerned)


def may_correct(match: Match, by: By, take_back: int, plies: tuple[Ply[Any], ...]) -> bool:
    """Whether `by` may replace the last `take_back` plies by `plies`: the host always; a seat its own last turn, and
    what others played unless only the host does that. To add a ply of another is no correction."""
    if not isinstance(by, int) or is_own_turn(match, by, take_back, plies):
        return True
    return not host_corrects(match) and all(ply.player in (by, CHANCE) for ply in plies[take_back:])


def host_corrects(match: Match) -> bool:
    """Whether the host alone puts right what is not a seat's own last turn."""
    return match.opened.header.get(HOST_CORRECTS) is True


def may_amend(match: Match, by: By, n: int, better: Ply[Any]) -> bool:
    """Whether `by` may say that ply `n` (from 1) was `better`: its player alone, if nobody else could have seen the
    difference. Raises `IllegalError` when it, or a ply after it, is impossible then by what its player knows."""
    owner, seen = match.made[n - 1].ply.player, match.seen_plies
    if not isinstance(owner, int) or by != owner or match.seen(better) != seen[n - 1]:
        return False
    known = [made.ply if made.ply.player == owner else ply for made, ply in zip(match.made, seen)]
    confided = [each for each in match.confided if each[1] == owner]
    states = amended(match.game, match.states[0], known, n - 1, better, confided)
    return concerns_only(match.game, owner, match.opened.players, match.known_to(owner)[n:], states[n:])
