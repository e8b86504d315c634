"""The search for legal plies that explain a look: one to three of them, people are fast.

A beam search: every legal ply that touches something which the table contradicts is tried; the best few are followed by
further plies while something is still unexplained. Each ply has to explain more than it costs, by itself: otherwise
three plies nobody made could be found for almost any table that breaks a rule. Plies that change nothing which can be
seen, and chance, are taken along only where a ply that shows comes after them. Sequences that lead to the same state
are one explanation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from companion.engine import CHANCE, AnyGame, Chance, Ply
from companion.interpret.evidence import Evidence
from companion.interpret.explanation import (
    CONTRADICTED_NATS,
    EXPLAINED_NATS,
    LEFT_OVER_NATS,
    PLY_NATS,
    Explanation,
    Root,
    differing,
    made,
)
from companion.interpret.outcome import Plies
from companion.interpret.plies import possible_plies
from companion.interpret.pricing import NextPly, Pricing
from companion.interpret.seen_placement import suggested
from companion.table import Placement, Spot

MAX_PLIES = 3
MAX_PLIES_LATER = 6
"""While looks stay unexplained or a question stays open people play on; each such look allows one ply more."""
MAX_SILENT_PLIES = 2
"""How many plies that show nothing may come before one that does."""
BEAM_WIDTH = 40
"""Explanations kept at each depth."""
FAINT_NATS = 9.0
"""A ply against which nothing but its lack of traces speaks, and no more than this, may have been made all the same."""
MAX_TRIED_PLIES = 500
"""Bound on the plies tried at each depth of the search, those that follow the best explanations first; three times as
many in all, twice as many from before the last ply, and as many again among those that left no trace."""

How = Literal["plain", "faint", "stepping"]
"""Which plies may come before one that shows: those that change nothing to be seen, and chance; also those that left no
trace; also those that put a piece down which was moved on, or that is gone, and after such a one those that explain
something, if not yet all that it cost."""


def explain(game: AnyGame, evidence: Evidence, root: Root, most_plies: int = MAX_PLIES) -> list[Explanation]:
    """Explanations of the look from this root, the cheapest first; the root itself (no plies) is one of them."""
    search = _Search(Pricing(game, evidence, root), most_plies)
    found = search.run("plain")
    if not root.taken_back and found[0].excess > (LEFT_OVER_NATS if found[0].plies else EXPLAINED_NATS):
        found = search.run("faint")
    if not root.taken_back and found[0].excess > EXPLAINED_NATS:
        found = _cheapest((*found, *search.run("stepping")))
    return search.with_hints(found) if found[0].plies or found[0].excess > EXPLAINED_NATS else found


def _cheapest(found: Iterable[Explanation]) -> list[Explanation]:
    """Of each state the explanation that costs least, the cheapest first."""
    best: dict[Any, Explanation] = {}
    for each in found:
        if each.state not in best or each.cost < best[each.state].cost:
            best[each.state] = each
    return sorted(best.values(), key=lambda each: each.cost)


@dataclass(slots=True)
class _Search:
    """A beam search to `depth` plies. `tried` counts plies, `most` bounds it at the present depth."""

    pricing: Pricing
    depth: int
    tried: int = 0
    most: int = 0
    _nexts: dict[Plies, list[NextPly]] = field(default_factory=dict)

    def run(self, how: How) -> list[Explanation]:
        """All explanations, the cheapest first."""
        start = self.pricing.start()
        depths = (MAX_PLIES - 1 if start.taken_back else MAX_PLIES) if how == "plain" else 1
        last = self.tried + MAX_TRIED_PLIES * min(self.depth, depths)
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
        return _cheapest(found.values())

    def explains(self, each: Explanation) -> bool:
        """Whether so little is left that no further ply would be worth its price: of chance, which costs nothing, where
        it is due; of a player, where flat pieces came, went or were handled and these plies do not say why. Of none it
        is less: a piece that is missing may be the one that is hardly seen elsewhere."""
        if each.excess > (EXPLAINED_NATS if each.plies or each.taken_back else PLY_NATS + CONTRADICTED_NATS):
            return False
        if each.plies and each.excess > CONTRADICTED_NATS and isinstance(self.pricing.game.turn(each.state), Chance):
            return False
        return each.flat <= PLY_NATS

    def with_hints(self, found: list[Explanation]) -> list[Explanation]:
        """The same, with what the game itself suggests."""
        start = self.pricing.start()
        hints = suggested(self.pricing.game, start.state, self.pricing.evidence, start.suspects)
        priced = [self.pricing.all_priced(start, plies) for plies in hints]
        return _cheapest((*found, *(after for after in priced if after is not None and after.cost < start.cost)))

    def _followed(self, so_far: Explanation, how: How) -> Iterator[Explanation]:
        """`so_far` and one more ply that shows, with plies before it that do not."""
        silent = [so_far]
        for hop in range(MAX_SILENT_PLIES + 1):
            before, silent = sorted(silent, key=lambda each: each.cost), []
            for each in before:
                here = self.pricing.game.placement(each.state)
                may_step = how != "plain" and made(each.plies) == made(so_far.plies)
                for then in self._after(each):
                    may_show = not each.suspects.isdisjoint(then.changed)
                    may_wait = hop < MAX_SILENT_PLIES and (not then.changed or then.ply.player == CHANCE)
                    if not (may_show or may_wait or may_step):
                        continue
                    if self.pricing.evidence.hides(then.changed, then.placement):
                        continue  # what cannot be seen is never invented
                    after = self.pricing.priced(each, here, then)
                    if may_show and after.cost < min(each.cost, so_far.cost):
                        is_faint = after.faint and not (how == "stepping" and self._is_told(so_far, each, then))
                        yield replace(after, faint=is_faint)
                    is_after_stone = how == "stepping" and each.faint and hop < MAX_SILENT_PLIES
                    if may_wait or (is_after_stone and may_show and so_far.cost <= after.cost < each.cost):
                        silent.append(after)
                    elif may_step and self._leaves_no_trace(how, each, here, then, after):
                        against = how == "stepping" or after.cost - each.cost > PLY_NATS + CONTRADICTED_NATS
                        silent.append(replace(after, faint=against or each.faint))

    def _after(self, so_far: Explanation) -> list[NextPly]:
        """What may come next; nothing more once enough was tried."""
        if so_far.plies not in self._nexts:
            if self.tried >= self.most:
                return []
            here = self.pricing.game.placement(so_far.state)
            plies = possible_plies(self.pricing.game, so_far.state, lambda ply: self._price(so_far, here, ply))
            self._nexts[so_far.plies] = [self.pricing.followed_by(so_far, here, ply) for ply in plies]
            self.tried += len(self._nexts[so_far.plies])
        return self._nexts[so_far.plies]

    def _price(self, so_far: Explanation, here: Placement, ply: Ply[Any]) -> float:
        self.tried += 1
        return self.pricing.priced(so_far, here, self.pricing.followed_by(so_far, here, ply)).cost

    def _is_told(self, so_far: Explanation, stepped: Explanation, then: NextPly) -> bool:
        """Whether a stepping stone is told by what else is seen. A ply that moves on what was put down before it shows
        itself by more than where that is now: else it may have been put there at once, against the rules. Chance
        follows a ply that shows itself where chance changed nothing: as by the coin that was put into a machine, which
        gave back some of what it took."""
        before, here = (self.pricing.game.placement(each.state) for each in (so_far, stepped))
        changed = differing(before, here)
        if so_far.faint:
            return False
        if then.ply.player == CHANCE and self._shown(changed - then.changed, before, here):
            return True
        return self._shown(then.changed - changed, here, then.placement) > 1

    def _shown(self, spots: Set[Spot], before: Placement, after: Placement) -> int:
        """At how many of these spots the look shows a change."""
        reading = self.pricing.reading
        return sum(reading(spot, before) - reading(spot, after) > EXPLAINED_NATS for spot in spots)

    def _leaves_no_trace(
        self, how: How, so_far: Explanation, here: Placement, then: NextPly, after: Explanation
    ) -> bool:
        """Whether this ply may have been made though the look does not show it, in this kind of search."""
        if after.cost < so_far.cost:
            return False
        if how == "faint":
            return self._is_hardly_contradicted(so_far, here, then, after)
        return how == "stepping" and self._may_be_stepped_on(so_far, here, then, after)

    def _is_hardly_contradicted(
        self, so_far: Explanation, here: Placement, then: NextPly, after: Explanation
    ) -> bool:
        """Whether nothing but the lack of traces speaks against the ply."""
        reading = self.pricing.reading
        read = sum(reading(spot, then.placement) - reading(spot, here) for spot in then.changed)
        return read <= CONTRADICTED_NATS and after.cost - so_far.cost <= PLY_NATS + FAINT_NATS

    def _may_be_stepped_on(self, so_far: Explanation, here: Placement, then: NextPly, after: Explanation) -> bool:
        """Whether the ply took what is gone indeed, or put down what the look shows somewhere else."""
        likeliest = self.pricing.evidence.likeliest
        if not so_far.suspects & then.changed <= after.suspects:
            return True  # what became of what it took, the next one may tell
        taken = {spot: _gone(here, then.placement, spot) for spot in so_far.suspects & then.changed}
        if any(names and names.isdisjoint(likeliest(spot)) for spot, names in taken.items()):
            return True  # though something else came there: the next one may move that on
        wanted = {name for spot in so_far.suspects for name in likeliest(spot)}
        return any(wanted & _gone(then.placement, here, spot) for spot in then.changed)


def _gone(before: Placement, after: Placement, spot: Spot) -> set[str]:
    """The pieces of which a spot has fewer afterwards."""
    return set(Counter(before.get(spot, ())) - Counter(after.get(spot, ())))
