"""Whether more may have been played than the plies that explain a look best.

Where a flat piece came, went or was handled and these plies do not say why, either it was nudged, or there was one ply
more. Which, the other traces tell that such a ply would have left: a search only keeps plies that explain more than
they cost, so they are priced here whatever they cost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from companion.engine import CHANCE, AnyGame, Ply
from companion.interpret.belief import Belief
from companion.interpret.evidence import Evidence
from companion.interpret.explaining import pricing_from_now
from companion.interpret.explanation import Explanation
from companion.interpret.plies import possible_plies
from companion.interpret.pricing import Pricing
from companion.interpret.search import MAX_SILENT_PLIES
from companion.table import Spot


def further_nats(game: AnyGame, belief: Belief, evidence: Evidence, best: Explanation) -> float:
    """By how much one ply more is less likely than none, at least, that leaves a trace where flat pieces contradict the
    best explanation, in nats; infinite if no legal ply does. `best` is one by plies from what is believed."""
    pricing = pricing_from_now(game, belief, evidence)
    unsaid = frozenset(spot for spot in best.suspects if spot in evidence.index.flat)
    return min((each.cost - best.cost for each in _further(pricing, best, unsaid)), default=math.inf)


def _further(pricing: Pricing, best: Explanation, unsaid: frozenset[Spot]) -> Iterator[Explanation]:
    """The explanations by one ply more that changes one of these spots, after some that show nothing, and chance."""
    silent = [best]
    for _ in range(MAX_SILENT_PLIES + 1):
        earlier, silent = silent, []
        for each in earlier:
            for ply, after, changed in _next(pricing, each):
                if not unsaid.isdisjoint(changed):
                    yield after
                elif not changed or ply.player == CHANCE:
                    silent.append(after)


def _next(pricing: Pricing, so_far: Explanation) -> Iterator[tuple[Ply[Any], Explanation, frozenset[Spot]]]:
    """What may come next, the explanation with it, and the spots that it changes."""
    here = pricing.game.placement(so_far.state)

    def priced(ply: Ply[Any]) -> tuple[Explanation, frozenset[Spot]]:
        then = pricing.followed_by(so_far, here, ply)
        return pricing.priced(so_far, here, then), then.changed

    for ply in possible_plies(pricing.game, so_far.state, lambda ply: priced(ply)[0].cost):
        yield ply, *priced(ply)
