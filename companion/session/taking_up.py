"""Going on with a game that was left: it begins once more as a game of its own, and what happened in it happens again.

Nothing of the game that was left changes. The new one says in its header which one it goes on from, so that nobody is
offered the same game twice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from companion.errors import phrase
from companion.session.commands import TakeUp
from companion.session.events import (
    Amended,
    BotSeated,
    Confided,
    Corrected,
    GameStarted,
    PliesTakenBack,
    PlyMade,
    SetupCorrected,
)
from companion.session.transaction import RefusedError, Transaction

GOES_ON_FROM: Final = "x-goes-on-from"
"""The note in a record's header: the key of the game that was left."""

OF_THE_GAME: Final = (PlyMade, PliesTakenBack, Corrected, Amended, SetupCorrected, Confided, BotSeated)
"""What happens again. Questions, wishes and pauses belong to the evening on which they came up."""


def take_up(transaction: Transaction, command: TakeUp) -> None:
    """The game begins again and stands where it was left; one that is open ends as it stands."""
    begun = next((event for event in command.events if isinstance(event, GameStarted)), None)
    if begun is None:
        raise RefusedError(phrase("session.no_game"))
    transaction.end_open_game()
    header = {**begun.header, GOES_ON_FROM: begun.key}
    transaction.add(replace(begun, header=header, key=transaction.new_key()))
    for event in command.events:
        if isinstance(event, OF_THE_GAME):
            transaction.add(event)
    match = transaction.match
    transaction.put(belief=match.interpreter.begin(match.state), held=None)
