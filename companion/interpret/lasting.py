"""What is misread and stays misread: it was no news at the look before, so it is none now.

A can that is not found on a cloth of its own colour, a ghost beside a crate: they say nothing about what was played,
look after look. Differences between looks do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.engine import AnyGame
from companion.interpret.belief import Belief, SettledTable
from companion.interpret.contradictions import OCCUPIED_NATS, differences, is_astray
from companion.interpret.evidence import Evidence
from companion.interpret.explanation import (
    CONTRADICTED_NATS,
    EXPLAINED_NATS,
    PLY_NATS,
    Explanation,
    Root,
    differing,
)
from companion.interpret.matching import WORST_NATS, assign
from companion.interpret.plies import possible_plies
from companion.interpret.pricing import Pricing
from companion.interpret.tracks import likeliest_of
from companion.table import Appearance, Placement, Spot

MASKED_BY_MISREADING_NATS = 4.6
"""What must speak against every ply that may hide behind things which are misread, one in a hundred."""
MAX_LASTING_SPOTS = 4
"""So many spots may be misread from the first look on; or so many of a hundred that are seen:"""
MAX_LASTING_SHARE = 0.1


def lasting_costs(game: AnyGame, belief: Belief, evidence: Evidence) -> dict[Spot, float]:
    """What spots cost at this look as at the one before, which was not explained either, above what they always cost:
    where both looks show the same, and that one may not show plies."""
    if not belief.unsettled:
        return {}
    earlier, floor = belief.unsettled[-1], belief.base.costs
    before, here = game.placement(belief.base.state), game.placement(belief.now.state)
    found = {}
    for spot in (*evidence.places, *evidence.zones):
        if spot in belief.contested or before.get(spot, ()) != here.get(spot, ()):
            continue
        if not _is_same(earlier, evidence, spot) or _has_come(belief, evidence, spot, here.get(spot, ())):
            continue
        cost = min(each.reading_cost(spot, before, here) for each in (earlier, evidence))
        if cost > floor.get(spot, 0.0) + CONTRADICTED_NATS:
            found[spot] = cost
    few = max(MAX_LASTING_SPOTS, MAX_LASTING_SHARE * (len(evidence.places) + sum(map(len, evidence.zones.values()))))
    return found if len(found) <= few else {}


def _is_same(earlier: Evidence, evidence: Evidence, spot: Spot) -> bool:
    """Whether a place looks the same at two looks; of a zone it is the costs that tell."""
    if spot in evidence.places:
        return spot in earlier.places and earlier.likeliest(spot) == evidence.likeliest(spot)
    return spot in earlier.zones


def _has_come(belief: Belief, evidence: Evidence, spot: Spot, pieces: tuple[Appearance, ...]) -> bool:
    """Whether a flat piece clearly lies where it did not when the table was settled: its face is told from everything
    else, so somebody put it there, whether a ply explains that or not."""
    if spot not in evidence.places or spot not in evidence.index.flat or not evidence.likeliest(spot):
        return False
    return belief.base.costs.get(spot, 0.0) <= OCCUPIED_NATS < evidence.place_cost(spot, pieces)


def with_lasting(game: AnyGame, belief: Belief, evidence: Evidence) -> Belief:
    """The belief with what lasts taken for what is always seen."""
    costs = lasting_costs(game, belief, evidence)
    if not costs:
        return replace(belief, lasting=frozenset())
    here = game.placement(belief.now.state)
    looks, floor = (belief.unsettled[-1], evidence), belief.base.costs
    both = frozenset.intersection(*(frozenset(differences(look, floor, here)) for look in looks))
    if is_astray(both):
        return replace(belief, lasting=frozenset())
    return replace(
        belief, now=_raised(belief.now, costs), before=belief.before and _raised(belief.before, costs),
        doubts=belief.doubts | both, lasting=frozenset(costs))


def _raised(table: SettledTable, costs: Mapping[Spot, float]) -> SettledTable:
    return replace(table, costs={**table.costs, **costs})


def may_hide_a_ply(
    game: AnyGame, belief: Belief, evidence: Evidence, best: Explanation
) -> bool:
    """Whether a ply that changes one of the spots held to be misread is hardly less likely than `best`: what is misread
    would hide it."""
    if not belief.lasting:
        return False
    here = game.placement(belief.now.state)
    root = Root(belief.now.state, game.placement(belief.base.state), belief.base.costs)
    pricing = Pricing(game, evidence, root)
    start, done = pricing.start(), game.placement(best.state)

    def price(ply: Any) -> float:
        return pricing.priced(start, here, pricing.followed_by(start, here, ply)).cost

    for ply in possible_plies(game, root.state, price):
        then = pricing.followed_by(start, here, ply)
        if belief.lasting.isdisjoint(then.changed) or _is_part(then.placement, done, then.changed):
            continue
        if pricing.priced(start, here, then).cost - PLY_NATS < best.cost + MASKED_BY_MISREADING_NATS:
            return True
    return False


def _is_part(after: Placement, done: Placement, changed: frozenset[Spot]) -> bool:
    """Whether `done` stands as after this ply where that changes something."""
    return all(after.get(spot, ()) == done.get(spot, ()) for spot in changed)


def floor_beside(game: AnyGame, belief: Belief, best: Explanation) -> dict[Spot, float]:
    """What is always seen at the spots that `best` leaves alone, and what little is misread where it does not: what is
    misread there says nothing about a piece that comes."""
    changed = differing(game.placement(belief.now.state), game.placement(best.state))
    return {spot: cost for spot, cost in belief.base.costs.items() if spot not in changed or cost <= EXPLAINED_NATS}


def moves_what_is_not_seen(game: AnyGame, belief: Belief, evidence: Evidence, best: Explanation) -> bool:
    """Whether `best` moves a piece that was not found where it stood, and is not found now either: nothing shows it. Or
    one that seems to stand there still, as nothing that is left looks like that thing: which of them went? Or it comes
    to a place that was misread, and looks as it did."""
    here, there = game.placement(belief.now.state), game.placement(best.state)
    for spot in differing(here, there):
        if _is_as_misread(belief, evidence, spot):
            return True
        for name in (Counter(here.get(spot, ())) - Counter(there.get(spot, ()))).elements():
            if _is_missing(belief, spot, name, here.get(spot, ())) and not _is_found(evidence, name, here, there):
                return True
            if _seems_to_stand(evidence, spot, name, there.get(spot, ())):
                return True
    return False


def _is_as_misread(belief: Belief, evidence: Evidence, place: Spot) -> bool:
    """Whether a place that was misread when the table was settled still looks like the same."""
    was, now = belief.now.seen.places.get(place), evidence.places.get(place)
    is_misread = belief.base.costs.get(place, 0.0) > EXPLAINED_NATS
    return is_misread and was is not None and now is not None and likeliest_of(was) == likeliest_of(now)


def _seems_to_stand(evidence: Evidence, zone: Spot, name: Appearance, left: tuple[Appearance, ...]) -> bool:
    """Whether a thing in a zone looks like a piece that is no more among those left, and like none of these."""
    return evidence.index.heap(zone) == "spread" and any(
        likeliest_of(thing) == name and all(thing.costs.get(each, WORST_NATS) > EXPLAINED_NATS for each in left)
        for thing in evidence.zones.get(zone, ())
    )


def _is_missing(belief: Belief, spot: Spot, name: Appearance, pieces: tuple[Appearance, ...]) -> bool:
    """Whether a piece was not found at its spot when the table was settled."""
    seen = belief.now.seen
    if spot in seen.places:
        return seen.places[spot].costs.get(name, WORST_NATS) > OCCUPIED_NATS
    if belief.base.costs.get(spot, 0.0) <= EXPLAINED_NATS:
        return False
    return name not in assign(seen.zones.get(spot, ()), pieces).pieces


def _is_found(evidence: Evidence, name: Appearance, here: Placement, there: Placement) -> bool:
    """Whether a piece is seen at a spot to which it came."""
    for spot in differing(here, there):
        pieces = there.get(spot, ())
        if pieces.count(name) <= here.get(spot, ()).count(name):
            continue
        if spot in evidence.places and evidence.likeliest(spot) and evidence.place_cost(spot, pieces) <= OCCUPIED_NATS:
            return pieces[-1] == name
        if spot in evidence.zones and name in assign(evidence.zones[spot], pieces).pieces:
            return True
    return False
