"""What else a look, and those before it, say about plies that explain it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine import AnyGame
from companion.interpret.belief import Belief, root_of
from companion.interpret.contradictions import Difference, differences, looks_like, unexplained
from companion.interpret.evidence import Evidence
from companion.interpret.explanation import LEFT_OVER_NATS, Explanation, differing
from companion.interpret.matching import assign
from companion.table import EMPTY, Placement, Spot


def agrees(game: AnyGame, belief: Belief, best: Explanation) -> bool:
    """Whether each look that settled nothing shows the table at some point of these plies, in order.

    If not, something may have been played in between that the newest look alone does not tell. A single ply leaves
    no room for that, unless it takes away a whole zone that contradicted those looks, as who passes does: what was
    played before it cannot be seen any more.
    """
    if len(best.plies) < 2:
        return not _takes_along(game, belief, best)
    state = root_of(game, belief, best.taken_back)
    placements = [game.placement(state)]
    for ply in best.plies:
        state = game.apply(state, ply)
        placements.append(game.placement(state))
    point = 0
    for evidence in belief.unsettled:
        while point < len(placements) and not _shows(game, belief, evidence, placements, point):
            point += 1
    return point < len(placements)


def _takes_along(game: AnyGame, belief: Belief, best: Explanation) -> bool:
    """Whether these plies empty zones in which a look that settled nothing contradicts the state: in more than one
    thing, which may be a shadow."""
    here, there = game.placement(belief.now.state), game.placement(best.state)
    emptied = {spot for spot, stack in here.items() if stack and not there.get(spot)}
    wrong = [[each for each in differences(evidence, belief.base.costs, here)
              if each.spot in emptied & evidence.zones.keys()] for evidence in belief.unsettled]
    return any(len(each) > 1 for each in wrong)


def _shows(
    game: AnyGame, belief: Belief, evidence: Evidence, placements: Sequence[Placement], point: int
) -> bool:
    """Whether a look shows the table at this point of plies, at the spots that they change."""
    if unexplained(evidence, belief.base.costs, placements[point]):
        return False
    before = game.placement(belief.base.state)
    zones = evidence.zones.keys() & {spot for each in placements for spot in differing(placements[0], each)}
    above = (
        evidence.reading_cost(zone, before, placements[point]) - belief.base.costs.get(zone, 0.0) for zone in zones
    )
    return sum(max(each, 0.0) for each in above) <= LEFT_OVER_NATS


def puts_what_is_not_seen(game: AnyGame, belief: Belief, best: Explanation, evidence: Evidence) -> bool:
    """Whether these plies bring a piece to a zone in which nothing hides another, and it is not seen there: other plies
    may have taken it elsewhere."""
    here, there = game.placement(belief.now.state), game.placement(best.state)
    for zone in best.suspects & differing(here, there):
        if evidence.shows_all(zone):
            pieces = there.get(zone, ())
            seen = Counter(name for name in assign(evidence.zones[zone], pieces).pieces if name is not None)
            if (Counter(pieces) - seen) & (Counter(pieces) - Counter(here.get(zone, ()))):
                return True
    return False


def more_wrong(game: AnyGame, belief: Belief, best: Explanation, evidence: Evidence) -> int:
    """How many things in the zones, that were not there before, speak against these plies: things too many where
    the plies put or took pieces, and anywhere else things that look like the pieces they moved, or that may be one
    that is missing.

    One may be a shadow, or a drink put aside, and is asked about. Several contradict the plies: drinks that were
    taken back to their stocks look like an explosion, but for the stocks.
    """
    if not best.plies:
        return 0
    here, there = game.placement(belief.now.state), game.placement(best.state)
    changed = differing(here, there)
    moved = {name for spot in changed for name in {*here.get(spot, ())} ^ {*there.get(spot, ())}}
    wrong = wrong_in_zones(game, evidence, {}, best.state)
    is_any_missing = any(each.seen == EMPTY for each in wrong)
    return sum(
        each.seen != EMPTY and each not in belief.doubts
        and (is_any_missing or each.spot in changed or looks_like(evidence, each, moved))
        for each in wrong
    )


def wrong_in_zones(
    game: AnyGame, evidence: Evidence, floor: Mapping[Spot, float], state: Any
) -> list[Difference]:
    """Where things in zones contradict a state."""
    found = differences(evidence, floor, game.placement(state))
    return [each for each in found if each.spot in evidence.zones]
