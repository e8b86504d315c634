"""The search for legal plies that explain a look: one to three of them, people are fast.

A beam search: every legal ply that touches something which the table contradicts is tried; the best few are followed by
further plies while something is still unexplained. Each ply has to explain more than it costs, by itself: otherwise
three plies nobody made could be found for almost any table that breaks a rule. Plies that change nothing which can be
seen, and chance, are taken along only where a ply that shows comes after them. Sequences that lead to the same state
are one explanation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from companion.engine import CHANCE, AnyGame, Chance, Ply
from companion.errors import IllegalError
from companion.interpret.evidence import Evidence
from companion.interpret.outcome import Plies
from companion.interpret.plies import possible_plies
from companion.interpret.seen_placement import suggested
from companion.table import Placement, Spot

MAX_PLIES = 3
MAX_PLIES_LATER = 6
"""While looks stay unexplained or a question stays open people play on; each such look allows one ply more."""
MAX_SILENT_PLIES = 2
"""So many plies that show nothing may come before one that does."""
BEAM_WIDTH = 40
PLY_NATS = 2.0
"""Price of each ply: of two explanations that fit alike the shorter one is likelier."""
FAINT_NATS = 9.0
"""A ply against which nothing but its lack of traces speaks, and no more than this, may have been made all the same."""
CONTRADICTED_NATS = 1.0
"""A spot that costs so much more than at the look before is worth a ply's try."""
EXPLAINED_NATS = 5.0
"""What may stay unexplained for a search to stop at this depth: less than one piece that is missing."""
LEFT_OVER_NATS = 6.5
"""The same once some plies are found: one thing in a zone that is none, or one piece that is not seen there."""
MAX_TRIED_PLIES = 500
"""So many plies are tried at each depth of the search, those that follow the best explanations first; as many again in
all among those that left no trace."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Plies from a root state, the state they lead to, and the cost of the look under it, in nats, plies included.

    `excess` is what it leaves unexplained: how much more the spots cost than at the look before; `flat` is the part of
    it where flat pieces lie, which nothing hides and which show that they were handled.
    `handled` are the spots at which pieces came or went since that look. `faint` says that one of the plies left no
    trace of its own, nor did one that could only follow it. `suspects` are the spots where the look disagrees with it
    more than with what stood before. `rarity` is what makes its plies unlikely besides, in nats, whatever the look
    shows.
    """

    plies: Plies
    state: Any
    cost: float
    excess: float
    flat: float = 0.0
    taken_back: int = 0
    handled: frozenset[Spot] = frozenset()
    faint: bool = False
    suspects: frozenset[Spot] = frozenset()
    rarity: float = 0.0

    @property
    def nats(self) -> float:
        """How unlikely it is in all."""
        return self.cost + self.rarity


How = Literal["plain", "faint", "stepping"]
"""Which plies may come before one that shows: those that change nothing to be seen, and chance; also those that left no
trace; also those that put a piece down which was moved on, or that is gone."""


@dataclass(frozen=True, slots=True)
class Root:
    """Where explanations start: a believed state, the placement that stood at the look before, what each spot cost
    then (`floor`, nats): what the eyes misread all along is no news; and the spots that were `handled` since."""

    state: Any
    before: Placement
    floor: Mapping[Spot, float] = field(default_factory=dict)
    handled: frozenset[Spot] = frozenset()
    taken_back: int = 0
    price_nats: float = 0.0


def explain(game: AnyGame, evidence: Evidence, root: Root, most_plies: int = MAX_PLIES) -> list[Explanation]:
    """Explanations of the look from this root, the cheapest first; the root itself (no plies) is one of them."""
    search = _Search(game, evidence, root, most_plies)
    found = search.run("plain")
    if not root.taken_back and found[0].excess > (LEFT_OVER_NATS if found[0].plies else EXPLAINED_NATS):
        found = search.run("faint")
    if not root.taken_back and found[0].excess > EXPLAINED_NATS:
        found = search.run("stepping")
    return search.with_hints(found) if found[0].plies or found[0].excess > EXPLAINED_NATS else found


def priced(game: AnyGame, evidence: Evidence, root: Root, histories: Iterable[Plies]) -> Iterator[Explanation]:
    """The explanations by these plies, without those that are not legal or change what is covered."""
    search = _Search(game, evidence, root, 0)
    start = search.start()
    tried = (search.all_priced(start, plies) for plies in histories)
    return (each for each in tried if each is not None)


@dataclass(frozen=True, slots=True)
class _Next:
    """A ply that may come next, the state and placement that it leads to, and the spots that it changes."""

    ply: Ply[Any]
    state: Any
    placement: Placement
    changed: frozenset[Spot]


@dataclass(slots=True)
class _Search:
    game: AnyGame
    evidence: Evidence
    root: Root
    depth: int
    tried: int = 0
    most: int = 0
    _nexts: dict[Plies, list[_Next]] = field(default_factory=dict)

    def run(self, how: How) -> list[Explanation]:
        """All explanations, the cheapest first."""
        start = self.start()
        last = self.tried + MAX_TRIED_PLIES * (min(self.depth, MAX_PLIES + 1) if how == "plain" else 1)
        found = {start.state: start}
        beam = [] if self.explains(start) else [start]
        for _ in range(self.depth):
            self.most = min(self.tried + MAX_TRIED_PLIES, last)
            grown = sorted((after for each in beam for after in self._followed(each, how)), key=lambda e: e.cost)
            beam = []
            for each in grown[:BEAM_WIDTH]:
                if each.state not in found or each.cost < found[each.state].cost:
                    found[each.state] = each
                    beam.append(each)
            if not beam or any(self.explains(each) for each in beam):
                break
        return sorted(found.values(), key=lambda each: each.cost)

    def explains(self, each: Explanation) -> bool:
        """Whether so little is left that no further ply would be worth its price: of chance, which costs nothing, where
        it is due; of a player, where flat pieces came, went or were handled and these plies do not say why."""
        if each.excess > EXPLAINED_NATS:
            return False
        if each.plies and each.excess > CONTRADICTED_NATS and isinstance(self.game.turn(each.state), Chance):
            return False
        return each.flat <= PLY_NATS

    def with_hints(self, found: list[Explanation]) -> list[Explanation]:
        """The same, with what the game itself suggests."""
        start = self.start()
        best = {each.state: each for each in found}
        for plies in suggested(self.game, start.state, self.evidence, start.suspects):
            after = self.all_priced(start, plies)
            if after is not None and after.cost < best.get(after.state, start).cost:
                best[after.state] = after
        return sorted(best.values(), key=lambda each: each.cost)

    def all_priced(self, start: Explanation, plies: Plies) -> Explanation | None:
        """The explanation by these plies; None if they are not legal, or change what is covered."""
        after = start
        for ply in plies:
            here = self.game.placement(after.state)
            try:
                then = self._next(after, here, ply)
            except IllegalError:
                return None
            if self.evidence.hides(then.changed, then.placement):
                return None
            after = self._priced(after, here, then)
        return after

    def start(self) -> Explanation:
        """The explanation without any plies."""
        root = self.root
        costs = self.evidence.costs(root.before, self.game.placement(root.state), root.handled)
        excess = sum(self._above(spot, cost) for spot, cost in costs.items())
        cost = sum(costs.values()) + root.price_nats
        suspects = frozenset(spot for spot, each in costs.items() if self._above(spot, each))
        here = self.game.placement(root.state)
        flat = sum(self._flat(spot, self._above(spot, costs[spot]), here) for spot in suspects)
        return Explanation((), root.state, cost, excess, flat, root.taken_back, root.handled, suspects=suspects)

    def _above(self, spot: Spot, cost: float) -> float:
        """What a spot leaves unexplained; that readings differ a little from look to look is no news."""
        above = cost - self.root.floor.get(spot, 0.0)
        return above if above > CONTRADICTED_NATS else 0.0

    def _flat(self, spot: Spot, above: float, here: Placement) -> float:
        """The same if it is flat pieces that came, went or were handled; a thing too many in a zone may be anything."""
        evidence = self.evidence
        is_too_many = evidence.shows_all(spot) and len(evidence.zones[spot]) > len(here.get(spot, ()))
        return above if spot in evidence.index.flat and not is_too_many else 0.0

    def _followed(self, so_far: Explanation, how: How) -> Iterator[Explanation]:
        """`so_far` and one more ply that shows, with plies before it that do not."""
        silent = [so_far]
        for hop in range(MAX_SILENT_PLIES + 1):
            before, silent = sorted(silent, key=lambda each: each.cost), []
            for each in before:
                here = self.game.placement(each.state)
                may_step = how != "plain" and made(each.plies) == made(so_far.plies)
                for then in self._after(each):
                    may_show = not each.suspects.isdisjoint(then.changed)
                    may_wait = hop < MAX_SILENT_PLIES and (not then.changed or then.ply.player == CHANCE)
                    if not (may_show or may_wait or may_step):
                        continue
                    if self.evidence.hides(then.changed, then.placement):
                        continue  # what cannot be seen is never invented
                    after = self._priced(each, here, then)
                    if may_show and after.cost < min(each.cost, so_far.cost):
                        is_faint = after.faint and not (how == "stepping" and self._steps_on(so_far, each, then))
                        yield replace(after, faint=is_faint)
                    if may_wait:
                        silent.append(after)
                    elif may_step and self._leaves_no_trace(how, each, here, then, after):
                        against = how == "stepping" or after.cost - each.cost > PLY_NATS + CONTRADICTED_NATS
                        silent.append(replace(after, faint=against or each.faint))

    def _after(self, so_far: Explanation) -> list[_Next]:
        """What may come next; nothing more once enough was tried."""
        if so_far.plies not in self._nexts:
            if self.tried >= self.most:
                return []
            here = self.game.placement(so_far.state)
            plies = possible_plies(self.game, so_far.state, lambda ply: self._price(so_far, here, ply))
            self._nexts[so_far.plies] = [self._next(so_far, here, ply) for ply in plies]
            self.tried += len(self._nexts[so_far.plies])
        return self._nexts[so_far.plies]

    def _next(self, so_far: Explanation, here: Placement, ply: Ply[Any]) -> _Next:
        state = self.game.apply(so_far.state, ply)
        there = self.game.placement(state)
        return _Next(ply, state, there, frozenset(differing(here, there)))

    def _price(self, so_far: Explanation, here: Placement, ply: Ply[Any]) -> float:
        self.tried += 1
        return self._priced(so_far, here, self._next(so_far, here, ply)).cost

    def _priced(self, so_far: Explanation, here: Placement, then: _Next) -> Explanation:
        """The explanation with one ply more."""
        handled = so_far.handled.union(s for s in then.changed if not self.evidence.lay_so(s, then.placement))
        cost, excess = so_far.cost + (0.0 if then.ply.player == CHANCE else PLY_NATS), so_far.excess
        flat, suspects = so_far.flat, set(so_far.suspects)
        for spot in sorted(then.changed):  # in one order: sums differ by rounding, and ties would be decided by that
            old = self.evidence.spot_cost(spot, self.root.before, here, so_far.handled)
            new = self.evidence.spot_cost(spot, self.root.before, then.placement, handled)
            below, above = self._above(spot, old), self._above(spot, new)
            cost, excess = cost + new - old, excess + above - below
            flat += self._flat(spot, above, then.placement) - self._flat(spot, below, here)
            (suspects.add if above else suspects.discard)(spot)
        return Explanation((*so_far.plies, then.ply), then.state, cost, excess, flat, so_far.taken_back, handled,
                           so_far.faint, frozenset(suspects))

    def _steps_on(self, so_far: Explanation, stepped: Explanation, then: _Next) -> bool:
        """Whether a ply that moves on what was put down before it shows itself by more than where that is now: else it
        may have been put there at once, against the rules."""
        before, here = self.game.placement(so_far.state), self.game.placement(stepped.state)
        shown = [
            spot for spot in then.changed - differing(before, here)
            if self.evidence.reading_cost(spot, self.root.before, here)
            - self.evidence.reading_cost(spot, self.root.before, then.placement) > EXPLAINED_NATS
        ]
        return not so_far.faint and len(shown) > 1

    def _leaves_no_trace(
        self, how: How, so_far: Explanation, here: Placement, then: _Next, after: Explanation
    ) -> bool:
        """Whether this ply may have been made though the look does not show it, in this kind of search."""
        if after.cost < so_far.cost:
            return False
        if how == "faint":
            read = sum(
                self.evidence.reading_cost(spot, self.root.before, then.placement)
                - self.evidence.reading_cost(spot, self.root.before, here)
                for spot in then.changed
            )
            return read <= CONTRADICTED_NATS and after.cost - so_far.cost <= PLY_NATS + FAINT_NATS
        if how == "stepping":
            if not so_far.suspects & then.changed <= after.suspects:
                return True  # what it took is gone indeed; what became of it, the next one may tell
            wanted = {name for spot in so_far.suspects for name in self.evidence.likeliest(spot)}
            return any(
                wanted.intersection((Counter(then.placement.get(spot, ())) - Counter(here.get(spot, ()))).elements())
                for spot in then.changed
            )
        return False


def made(plies: Plies) -> int:
    """How many of these plies players made."""
    return sum(ply.player != CHANCE for ply in plies)


def differing(a: Placement, b: Placement) -> set[Spot]:
    """The spots at which two placements differ."""
    if list(a) == list(b):  # as after most plies: that is quick to compare
        return {spot for spot, was, now in zip(a, a.values(), b.values(), strict=True) if was != now}
    changed = {spot for spot, pieces in a.items() if b.get(spot, ()) != pieces}
    return changed.union(spot for spot in b.keys() - a.keys() if b[spot])


def shares(explanations: Sequence[Explanation]) -> list[float]:
    """The probability of each explanation among these."""
    best = min(each.nats for each in explanations)
    weights = [math.exp(best - each.nats) for each in explanations]
    total = sum(weights)
    return [weight / total for weight in weights]
