"""Who reached over the table and did not play: that is rare, and another explanation may have more to it."""

from __future__ import annotations

from companion.engine import CHANCE, AnyGame, Player
from companion.interpret.belief import Belief, root_of
from companion.interpret.explanation import Explanation
from companion.interpret.handovers import shown_by


def idle_arms(game: AnyGame, belief: Belief, each: Explanation) -> frozenset[Player]:
    """The players who reached over the table since the last look and by this explanation neither played anything that
    shows nor took it back. Where chance had its part, anybody may have helped."""
    if not belief.arms:
        return frozenset()
    active = {ply.player for ply in shown_by(game, root_of(game, belief, each.taken_back), each.plies)}
    if each.taken_back:
        active |= {ply.player for ply in belief.since[-1:]}
    return frozenset() if CHANCE in active else belief.arms - active
