"""Whether a turn may have ended, and another one have begun, while the table was not read.

The end of a turn leaves no trace. Mostly there is a look then: who waits for the turn waits until the other hands are
gone. Where that look is missing, what one player seems to have done may be the work of two: a crate that each of them
moved has the place that the second one gave it.
"""

from __future__ import annotations

from typing import Any

from companion.engine import AnyGame
from companion.engine.play import after_plies
from companion.interpret.explanation import differing
from companion.interpret.outcome import Plies
from companion.interpret.plies import plain_plies


def may_be_handed_on(game: AnyGame, state: Any, plies: Plies) -> bool:
    """Whether between some of these plies a turn may have ended, by a ply that changes nothing on the table, and the
    next one have begun with a ply whose traces lie where these leave theirs."""
    before, after = game.placement(state), game.placement(after_plies(game, state, plies))
    changed = differing(before, after)
    for ply in plies[:-1]:
        state = game.apply(state, ply)
        here = game.placement(state)
        for silent in plain_plies(game, state):
            ended = game.apply(state, silent)
            if not differing(here, game.placement(ended)) and any(
                    differing(here, game.placement(game.apply(ended, each))) <= changed
                    for each in plain_plies(game, ended)):
                return True
    return False
