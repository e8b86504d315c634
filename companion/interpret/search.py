"""The search for legal plies that explain a look: one to three of them, people are fast.

A beam search: every legal ply that touches something which the table contradicts is tried; the best few are followed by
further plies while something is still unexplained. Each ply has to explain more than it costs, by itself: otherwise
three plies nobody made could be found for almost any table that breaks a rule. Sequences that lead to the same state
are one explanation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.engine import CHANCE, AnyGame, Choose, Ply, ToMove
from companion.interpret.evidence import Evidence
from companion.interpret.outcome import Plies
from companion.table import Placement, Spot

MOST_PLIES = 3
MOST_PLIES_LATER = 6
"""While looks stay unexplained or a question stays open people play on; each such look allows one ply more."""
BEAM = 40
PLY_NATS = 2.0
"""Price of each ply: of two explanations that fit alike the shorter one is likelier."""
CONTRADICTED_NATS = 1.0
"""A spot that costs so much more than at the look before is worth a ply's try."""
EXPLAINED_NATS = 6.0
"""What may stay unexplained for a search to stop at this depth: less than one contradicted place."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Plies from a root state, the state they lead to, and the cost of the look under it, in nats, plies included.

    `excess` is what it leaves unexplained: how much more the spots cost than at the look before.
    """

    plies: Plies
    state: Any
    cost: float
    excess: float
    taken_back: int = 0


@dataclass(frozen=True, slots=True)
class Root:
    """Where explanations start: a believed state, the placement that stood at the look before, and what each spot
    cost then (`floor`, nats): what the eyes misread all along is no news."""

    state: Any
    before: Placement
    floor: Mapping[Spot, float] = field(default_factory=dict)
    taken_back: int = 0
    price_nats: float = 0.0


def explain(game: AnyGame, evidence: Evidence, root: Root, waited: int = 0) -> list[Explanation]:
    """Explanations of the look from this root, the cheapest first; the root itself (no plies) is one of them.

    `waited` is the number of looks since the root that settled nothing.
    """
    here = game.placement(root.state)
    costs = evidence.costs(root.before, here)
    excess = sum(_above(root, spot, cost) for spot, cost in costs.items())
    start = Explanation((), root.state, sum(costs.values()) + root.price_nats, excess, root.taken_back)
    found = {root.state: start}
    beam = [start]
    for _ in range(min(MOST_PLIES + waited, MOST_PLIES_LATER)):
        if min(each.excess for each in found.values()) <= EXPLAINED_NATS:
            break
        grown = [after for each in beam for after in _followed(game, evidence, root, each)]
        grown.sort(key=lambda each: each.cost)
        beam = []
        for each in grown:
            if each.state not in found or each.cost < found[each.state].cost:
                found[each.state] = each
                beam.append(each)
                if len(beam) == BEAM:
                    break
        if not beam:
            break
    return sorted(found.values(), key=lambda each: each.cost)


def _above(root: Root, spot: Spot, cost: float) -> float:
    return max(0.0, cost - root.floor.get(spot, 0.0))


def _followed(game: AnyGame, evidence: Evidence, root: Root, so_far: Explanation) -> Iterator[Explanation]:
    """`so_far` and one more legal ply, for each ply that touches a contradicted spot."""
    here = game.placement(so_far.state)
    suspects = contradicted(evidence, root, here)
    for ply in possible_plies(game, so_far.state):
        state = game.apply(so_far.state, ply)
        there = game.placement(state)
        changed = differing(here, there)
        if suspects.isdisjoint(changed) or not evidence.covered.isdisjoint(changed):
            continue  # what cannot be seen is never invented
        old = {spot: evidence.spot_cost(spot, root.before, here) for spot in changed}
        new = {spot: evidence.spot_cost(spot, root.before, there) for spot in changed}
        gain = sum(old.values()) - sum(new.values())
        if gain > PLY_NATS:
            excess = so_far.excess + sum(_above(root, spot, new[spot]) - _above(root, spot, old[spot]) for spot in new)
            cost = so_far.cost - gain + PLY_NATS
            yield Explanation((*so_far.plies, ply), state, cost, excess, so_far.taken_back)


def possible_plies(game: AnyGame, state: Any) -> Iterator[Ply[Any]]:
    """The plies of players that can be listed; chance and subsets are decided elsewhere."""
    if isinstance(game.turn(state), ToMove):
        for ply in game.legal(state):
            if ply.player != CHANCE and not isinstance(ply.action, Choose):
                yield ply


def contradicted(evidence: Evidence, root: Root, here: Placement) -> set[Spot]:
    """The spots where the look disagrees with a placement more than before."""
    costs = evidence.costs(root.before, here)
    return {spot for spot, cost in costs.items() if cost > root.floor.get(spot, 0.0) + CONTRADICTED_NATS}


def differing(a: Placement, b: Placement) -> set[Spot]:
    """The spots at which two placements differ."""
    return {spot for spot in a.keys() | b.keys() if a.get(spot, ()) != b.get(spot, ())}


def shares(explanations: Sequence[Explanation]) -> list[float]:
    """The probability of each explanation among these."""
    best = min(each.cost for each in explanations)
    weights = [math.exp(best - each.cost) for each in explanations]
    total = sum(weights)
    return [weight / total for weight in weights]
