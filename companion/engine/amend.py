"""Putting an earlier ply right after more was played: a hidden coin or card that was named wrongly, or not at all.

    states = amended(game, start, plies, 3, better)       # raises IllegalError, naming the later ply that it forbids
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from companion.engine.abilities import Confiding
from companion.engine.game import AnyGame
from companion.engine.values import CHANCE, Json, Observer, Over, Ply, Seat
from companion.errors import IllegalError, phrase
from companion.table import seat_phrase

Confidence = tuple[int, Seat, Json]
"""After how many plies a seat confided something, and what."""


def amended(
    game: AnyGame, start: Any, plies: Sequence[Ply[Any]], index: int, better: Ply[Any],
    confided: Sequence[Confidence] = (),
) -> tuple[Any, ...]:
    """The states from `start` on when ply `index` (from 0) was `better` and all others stay as they are. What was
    confided on the way counts again; what cannot be any more is put aside.

    Raises `IllegalError`: `better` breaks a rule, or a later ply then does; it is named by its number in the record.
    """
    states = [with_confided(game, start, 0, confided)]
    for n, ply in enumerate((*plies[:index], better, *plies[index + 1:]), 1):
        before = states[-1]
        try:
            states.append(with_confided(game, game.apply(before, ply), n, confided))
        except IllegalError as error:
            if n <= index + 1:
                raise
            who = phrase("amend.chance") if ply.player == CHANCE else seat_phrase(int(ply.player))
            said = game.say(before, ply, "room")
            why = phrase("amend.forbids", n=n, player=who, ply=said, why=error.phrase)
            raise IllegalError(error.rule, why) from error
    return tuple(states)


def with_confided(game: AnyGame, state: Any, n: int, confided: Sequence[Confidence]) -> Any:
    """The state after ply `n` with what was confided then; what cannot be is put aside."""
    for after, seat, what in confided:
        if after == n and isinstance(game, Confiding):
            with suppress(IllegalError):
                state = game.confide(state, seat, what)
    return state


def concerns_only(game: AnyGame, seat: Seat, players: int, before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Whether two courses of a game look the same to everybody but the seat: putting one for the other is its own
    affair. Once the game is over nothing is anybody's own affair any more.

    `before` and `after` begin after the ply that differs. They are compared there and at their ends: between lie the
    same plies, and whoever saw the same before sees the same after them.
    """
    if any(isinstance(game.turn(course[-1]), Over) for course in (before, after)):
        return False
    others: list[Observer] = [*(each for each in range(players) if each != seat), "room", "referee"]
    return all(
        game.view(before[at], other) == game.view(after[at], other) for at in (0, -1) for other in others
    )
