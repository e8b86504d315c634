"""What plies cost by one look: the explanation by no plies, and by one ply more, spot by spot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.engine import CHANCE, AnyGame, Ply
from companion.errors import IllegalError
from companion.interpret.evidence import Evidence
from companion.interpret.explanation import CONTRADICTED_NATS, PLY_NATS, Explanation, Root, differing
from companion.interpret.outcome import Plies
from companion.table import Placement, Spot


@dataclass(frozen=True, slots=True)
class NextPly:
    """A ply that may come next, the state and placement that it leads to, and the spots that it changes."""

    ply: Ply[Any]
    state: Any
    placement: Placement
    changed: frozenset[Spot]


@dataclass(frozen=True, slots=True)
class Pricing:
    """Prices explanations of one look, `evidence`, from one `root`."""

    game: AnyGame
    evidence: Evidence
    root: Root

    def start(self) -> Explanation:
        """The explanation without any plies."""
        root = self.root
        costs = self.evidence.costs(root.before, self.game.placement(root.state), root.handled, root.emptied)
        excess = sum(self.above(spot, cost) for spot, cost in costs.items())
        cost = sum(costs.values()) + root.price_nats
        suspects = frozenset(spot for spot, each in costs.items() if self.above(spot, each))
        here = self.game.placement(root.state)
        flat = sum(self.flat(spot, self.above(spot, costs[spot]), here) for spot in suspects)
        return Explanation((), root.state, cost, excess, flat, root.taken_back, root.handled, suspects=suspects,
                           emptied=root.emptied)

    def all_priced(self, start: Explanation, plies: Plies) -> Explanation | None:
        """The explanation by these plies; None if they are not legal, or change what is covered."""
        after = start
        for ply in plies:
            here = self.game.placement(after.state)
            try:
                then = self.followed_by(after, here, ply)
            except IllegalError:
                return None
            if self.evidence.hides(then.changed, then.placement):
                return None
            after = self.priced(after, here, then)
        return after

    def followed_by(self, so_far: Explanation, here: Placement, ply: Ply[Any]) -> NextPly:
        """The ply with the state and placement that it leads to; raises `IllegalError`."""
        state = self.game.apply(so_far.state, ply)
        there = self.game.placement(state)
        return NextPly(ply, state, there, frozenset(differing(here, there)))

    def priced(self, so_far: Explanation, here: Placement, then: NextPly) -> Explanation:
        """The explanation with one ply more."""
        handled = so_far.handled.union(s for s in then.changed if not self.evidence.lay_so(s, then.placement))
        emptied = so_far.emptied.union(s for s in then.changed if not then.placement.get(s))
        cost, excess = so_far.cost + (0.0 if then.ply.player == CHANCE else PLY_NATS), so_far.excess
        flat, suspects = so_far.flat, set(so_far.suspects)
        touched = then.changed | self.evidence.index.beneath(then.changed)
        for spot in sorted(touched):  # in one order: sums differ by rounding, and ties would be decided by that
            old = self.evidence.spot_cost(spot, self.root.before, here, so_far.handled, so_far.emptied)
            new = self.evidence.spot_cost(spot, self.root.before, then.placement, handled, emptied)
            below, above = self.above(spot, old), self.above(spot, new)
            cost, excess = cost + new - old, excess + above - below
            flat += self.flat(spot, above, then.placement) - self.flat(spot, below, here)
            (suspects.add if above else suspects.discard)(spot)
        return Explanation((*so_far.plies, then.ply), then.state, cost, excess, flat, so_far.taken_back, handled,
                           so_far.faint, frozenset(suspects), emptied=emptied)

    def reading(self, spot: Spot, there: Placement) -> float:
        """What the look says against a placement at one spot, whatever was handled."""
        return self.evidence.reading_cost(spot, self.root.before, there)

    def above(self, spot: Spot, cost: float) -> float:
        """What a spot leaves unexplained; that readings differ a little from look to look is no news."""
        above = cost - self.root.floor.get(spot, 0.0)
        return above if above > CONTRADICTED_NATS else 0.0

    def flat(self, spot: Spot, above: float, here: Placement) -> float:
        """The same if it is flat pieces that came, went or were handled; a thing too many in a zone may be anything."""
        evidence = self.evidence
        is_too_many = evidence.shows_all(spot) and len(evidence.zones[spot]) > len(here.get(spot, ()))
        return above if spot in evidence.index.flat and not is_too_many else 0.0


def priced(game: AnyGame, evidence: Evidence, root: Root, histories: Iterable[Plies]) -> Iterator[Explanation]:
    """The explanations by these plies, without those that are not legal or change what is covered."""
    pricing = Pricing(game, evidence, root)
    start = pricing.start()
    tried = (pricing.all_priced(start, plies) for plies in histories)
    return (each for each in tried if each is not None)
