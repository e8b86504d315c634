"""How well a placement explains a look: costs in nats, small where the eyes agree, never above `WORST_NATS` a piece.

One piece can never cost more than `WORST_NATS`, because a reading may be wrong for reasons that no likelihood knows
(a reflection, a crumb); with that bound no single misreading outvotes everything else on the table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from companion.interpret.carried import moved_on_carrier_mm
from companion.interpret.handling import READ_ANEW_RATE, UNNOTICED_RATE, exchange_nats, is_anew, touch_nats
from companion.interpret.layout_index import LayoutIndex
from companion.interpret.matching import PILED_PRICES, SPREAD_PRICES, STANDING_PRICES, assign
from companion.interpret.tracks import Linked, Track, cost_at, likeliest_of, link, nearest
from companion.table import EMPTY, Appearance, Placement, Spot

REARRANGED_NATS = 3.0
"""Price of the thought that somebody rearranged a zone in which no piece came or went: about once in twenty looks."""
SAME_PILE_TOLERANCE_MM = 12.0
"""The top of a pile seen this near to where one was is on the same pile: less than half a coin's width."""


@dataclass(frozen=True, slots=True)
class TableTracks:
    """What was on the table at a look: things in zones, and what lay at places, as measured."""

    zones: Mapping[Spot, tuple[Track, ...]] = field(default_factory=dict)
    places: Mapping[Spot, Track] = field(default_factory=dict)


@dataclass(slots=True)
class Evidence:
    """One look, ready to price placements.

    `last` is what was on the table at the look that readings are compared with: the one before a provisional ply.
    Whether something was handled is told by the look `laid`, when `lay` stood: the last one that is held to be right.
    Where plies given out since are doubted, `given` is what they left at the spots that they changed, as it was seen
    at the look `given_seen`: other plies that leave just the same there must have left it so already.
    """

    places: Mapping[Spot, Track]
    zones: Mapping[Spot, tuple[Track, ...]]
    last: TableTracks
    index: LayoutIndex
    laid: TableTracks = field(default_factory=TableTracks)
    lay: Placement = field(default_factory=dict)
    given_seen: TableTracks = field(default_factory=TableTracks)
    given: Placement = field(default_factory=dict)
    covered: frozenset[Spot] = frozenset()
    """Places of which nothing is known at this look."""
    glimpsed: Mapping[Spot, tuple[Track, ...]] = field(default_factory=dict)
    """Things in zones of which a part is out of sight: they say where pieces lie, and nothing for or against plies."""
    likened: Mapping[Spot, Mapping[Appearance, float]] = field(default_factory=dict)
    """What places cost at least as some pieces, by how those looked where they were known to stand."""
    _links: dict[Spot, Linked] = field(default_factory=dict)
    _zone_costs: dict[tuple[Spot, tuple[Appearance, ...], tuple[Appearance, ...], bool], float] = field(
        default_factory=dict
    )
    _spot_costs: dict[tuple[Spot, tuple[Appearance, ...], tuple[Appearance, ...], bool, bool], float] = field(
        default_factory=dict, init=False
    )
    _likeliest: dict[Spot, list[Appearance]] = field(default_factory=dict, init=False)
    _touches: dict[tuple[Spot, bool], tuple[float, float, float]] = field(default_factory=dict, init=False)
    _anew: float | None = field(default=None, init=False)

    def costs(
        self, before: Placement, after: Placement, handled: Collection[Spot] = (), emptied: Collection[Spot] = ()
    ) -> dict[Spot, float]:
        """The cost of `after` by spot, when `before` stood at the look that `last` comes from, pieces at the spots
        `handled` were moved since, and all those at the spots `emptied` were gone in between.

        Spots that were not seen are not there.
        """
        return {spot: self.spot_cost(spot, before, after, handled, emptied) for spot in (*self.places, *self.zones)}

    def spot_cost(
        self, spot: Spot, before: Placement, after: Placement, handled: Collection[Spot] = (),
        emptied: Collection[Spot] = (),
    ) -> float:
        """The same of one spot, 0 if it was not seen."""
        if self.index.is_built_over(spot, after):
            return 0.0
        was = () if spot in self.places else before.get(spot, ())
        key = spot, was, after.get(spot, ()), spot in handled, spot in emptied
        if key not in self._spot_costs:
            read = self.reading_cost(spot, before, after, handled)
            self._spot_costs[key] = read + self.touch_cost(spot, after, handled, emptied)
        return self._spot_costs[key]

    def readings(self, before: Placement, after: Placement) -> dict[Spot, float]:
        """The costs of what is read, without those of what was handled or not."""
        return {spot: self.reading_cost(spot, before, after) for spot in (*self.places, *self.zones)}

    def reading_cost(
        self, spot: Spot, before: Placement, after: Placement, handled: Collection[Spot] = ()
    ) -> float:
        """The same of one spot, 0 if it was not seen."""
        if spot in self.places:
            return 0.0 if self.index.is_built_over(spot, after) else self.place_cost(spot, after.get(spot, ()))
        if spot not in self.zones:
            return 0.0
        was, now = before.get(spot, ()), after.get(spot, ())
        return self.zone_cost(spot, was, now, was != now or spot in handled)

    def hides(self, changed: Collection[Spot], after: Placement) -> bool:
        """Whether a changed spot is covered at this look, though it could be seen as the pieces stand in `after`."""
        return any(spot in self.covered and not self.index.is_out_of_sight(spot, after) for spot in changed)

    def shows_all(self, spot: Spot) -> bool:
        """Whether nothing lies under another piece there."""
        return spot in self.zones and self.index.heap(spot) == "spread"

    def place_cost(self, spot: Spot, pieces: Sequence[Appearance]) -> float:
        """The cost of the top piece of `pieces` at this place."""
        likened = self.likened.get(spot, {}).get(pieces[-1], 0.0) if pieces else 0.0
        return max(cost_at(self.places[spot], pieces), likened)

    def zone_cost(
        self, zone: Spot, before: tuple[Appearance, ...], after: tuple[Appearance, ...], handled: bool = False
    ) -> float:
        """The cost of the best way to say which thing in the zone is which piece.

        Where as many things went and came as pieces left and arrived, each thing that stayed keeps its evidence of
        both looks, and the things that went must have been the pieces that left. Or somebody rearranged the zone, and
        only what is seen now counts. Of piles only what is seen now counts.
        """
        key = (zone, before, after, handled)
        if key not in self._zone_costs:
            self._zone_costs[key] = self._zone_cost(*key)
        return self._zone_costs[key]

    def _zone_cost(
        self, zone: Spot, before: tuple[Appearance, ...], after: tuple[Appearance, ...], handled: bool
    ) -> float:
        if self.index.heap(zone) != "spread":
            return assign(self.zones[zone], *self.shown(zone, after), PILED_PRICES).cost
        linked, prices = self.linked(zone), SPREAD_PRICES if zone in self.index.flat else STANDING_PRICES
        rearranged = self._rearranged_nats(zone, len(before), len(after), handled)
        ways = [
            assign(self.zones[zone], after, prices=prices).cost + rearranged,
            assign((*linked.stayed, *linked.came), after, prices=prices).cost + rearranged,
        ]
        groups = self.groups(zone, before, after)
        return min([*ways, sum(assign(*each, prices=prices).cost for each in groups)]) if groups else min(ways)

    def _rearranged_nats(self, zone: Spot, before: int, after: int, handled: bool) -> float:
        """The price of the thought that things in a zone changed places, with so many pieces in it `before` and
        `after`. Where one piece was taken and nothing else was touched, another would have to have been put down just
        where it stood."""
        linked = self.linked(zone)
        if not handled and after == len(self.zones[zone]) and before == len(self.last.zones.get(zone, ())):
            return REARRANGED_NATS
        if linked.only_went and len(linked.went) == before - after == 1:
            return -math.log(UNNOTICED_RATE)
        return 0.0

    def likeliest(self, spot: Spot) -> list[Appearance]:
        """What each thing at the spot looks most like."""
        if spot not in self._likeliest:
            things = (self.places[spot],) if spot in self.places else self.zones.get(spot, ())
            self._likeliest[spot] = [name for name in map(likeliest_of, things) if name != EMPTY]
        return self._likeliest[spot]

    def shown(self, zone: Spot, pieces: tuple[Appearance, ...]) -> tuple[list[Appearance], list[Appearance]]:
        """The pieces of a zone that must be seen, and those that may be: of a pile the top, of equal ones at least
        one of each."""
        heap = self.index.heap(zone)
        if heap == "pile":
            return list(pieces[-1:]), []
        if heap == "spread":
            return list(pieces), []
        kinds = Counter(pieces)
        return list(kinds), list((kinds - Counter(kinds.keys())).elements())

    def groups(
        self, zone: Spot, before: tuple[Appearance, ...], after: tuple[Appearance, ...]
    ) -> list[tuple[tuple[Track, ...], list[Appearance]]]:
        """The things of a zone beside the pieces that they must be among themselves: stayed, went, came; nothing, if
        their numbers do not agree."""
        linked = self.linked(zone)
        was, now = Counter(before), Counter(after)
        left, arrived, stayed = list((was - now).elements()), list((now - was).elements()), list((was & now).elements())
        if len(linked.went) == len(left) and len(linked.came) == len(arrived):
            return [(linked.stayed, stayed), (linked.went, left), (linked.came, arrived)]
        return []

    def linked(self, zone: Spot) -> Linked:
        """Which things of the zone stayed since the look before, went, or came."""
        if zone not in self._links:
            self._links[zone] = link(self.last.zones.get(zone, ()), self.zones[zone])
        return self._links[zone]

    def touch_cost(
        self, spot: Spot, after: Placement, handled: Collection[Spot], emptied: Collection[Spot] = ()
    ) -> float:
        """What the place and turn of flat pieces say against these spots having been handled, and the others not; and
        what a place that looks as before says against another piece standing there."""
        lay, laid = (self.given, self.given_seen) if self.lay_so(spot, after) else (self.lay, self.laid)
        was, now = lay.get(spot, ()), after.get(spot, ())
        if spot in self.places:
            if not was or not now or spot not in laid.places or spot in self.index.carriers:
                return 0.0
            key = spot, laid is self.laid
            if key not in self._touches:
                self._touches[key] = self._touch_at(spot, laid)
            alone, touched, exchanged = self._touches[key]
            return exchanged if was[-1] != now[-1] else touched if spot in handled else alone
        if spot not in self.zones:
            return 0.0
        heap, old = self.index.heap(spot), laid.zones.get(spot, ())
        if heap == "alike":
            return self._touch_of_alike(spot, old, was, now)
        if heap == "spread":
            return self._returned_cost(spot) if spot in handled and self._came_back(spot, was, now, emptied) else 0.0
        if not was or was[-1:] != now[-1:]:
            return 0.0
        stayed = [pair for pair in self._same_piles(spot, old) if likeliest_of(pair[1]) == now[-1]]
        return min((self._touch(spot, *pair)[spot in handled] for pair in stayed), default=0.0)

    def _touch_at(self, spot: Spot, laid: TableTracks) -> tuple[float, float, float]:
        """What a place says against its piece having been left alone since the look `laid`, having been handled, and
        having been exchanged for another. A flat one that was exchanged is told by its face alone."""
        was, now = laid.places[spot], self.places[spot]
        alone, touched = self._touch(spot, was, now)
        if spot in self.index.flat:
            return alone, touched, 0.0
        same, another = exchange_nats(was, now, moved_on_carrier_mm(spot, laid.places, self.places, self.index))
        return alone + same, touched, another

    def lay_so(self, spot: Spot, after: Placement) -> bool:
        """Whether plies that are doubted left the same at a spot."""
        return spot in self.given and after.get(spot, ()) == self.given[spot]

    def _came_back(
        self, zone: Spot, was: tuple[Appearance, ...], now: tuple[Appearance, ...], emptied: Collection[Spot]
    ) -> bool:
        """Whether the pieces of a zone had been taken away: all are there again, or, where all had gone, some of them
        and nothing else."""
        if zone not in emptied or len(self.zones[zone]) > len(now):
            return bool(was) and sorted(was) == sorted(now)
        return bool(now) and not Counter(now) - Counter(was)

    def _returned_cost(self, zone: Spot) -> float:
        """What things in a zone say against having been taken away and brought back: nobody sets them down just so,
        and what nobody touches is seldom read anew."""
        read_anew = any(thing.looks for thing in self.zones[zone])
        return math.log(READ_ANEW_RATE) if read_anew else -math.log(UNNOTICED_RATE)

    def _touch(self, spot: Spot, was: Track, now: Track) -> tuple[float, float]:
        """The costs of "left alone" and "handled". What stands upright has no turn and proves nothing."""
        if spot not in self.index.flat and (was.turn_deg is None or now.turn_deg is None):
            return 0.0, 0.0
        return touch_nats(was, now, spot in self.index.quarter, self._anew_share())

    def _anew_share(self) -> float:
        """How much of what nobody touched was read anew: nearly all, if the camera moved or the light changed."""
        if self._anew is None:
            pairs = [(self.laid.places[spot], thing) for spot, thing in self.places.items()
                     if spot in self.index.flat and spot in self.laid.places and likeliest_of(thing) != EMPTY]
            for zone in self.zones.keys() & self.index.flat:
                pairs += nearest(self.laid.zones.get(zone, ()), self.zones[zone], SAME_PILE_TOLERANCE_MM)
            self._anew = max(READ_ANEW_RATE, sum(is_anew(*pair) for pair in pairs) / max(1, len(pairs)))
        return self._anew

    def _touch_of_alike(
        self, zone: Spot, old: tuple[Track, ...], was: tuple[Appearance, ...], now: tuple[Appearance, ...]
    ) -> float:
        """Of each kind as many piles were handled as pieces came or went, at least one if no pile came or went."""
        pairs = self._same_piles(zone, old)
        total = 0.0
        for kind in set(was) & set(now):
            changed = abs(now.count(kind) - was.count(kind))
            costs = [self._touch(zone, *pair) for pair in pairs if likeliest_of(pair[1]) == kind]
            total += sum(alone for alone, _ in costs)
            gains = sorted((alone - handled for alone, handled in costs), reverse=True)[:changed]
            same_piles = len(costs) == sum(likeliest_of(thing) == kind for thing in self.zones[zone]) == sum(
                likeliest_of(thing) == kind for thing in old
            )
            total -= sum(gain for i, gain in enumerate(gains) if gain > 0.0 or (i == 0 and same_piles))
        return total

    def _same_piles(self, zone: Spot, before: tuple[Track, ...]) -> list[tuple[Track, Track]]:
        """The tops of piles that show the same face as at a look before, with what lay there then."""
        pairs = nearest(before, self.zones[zone], SAME_PILE_TOLERANCE_MM)
        return [(old, new) for old, new in pairs if likeliest_of(old) == likeliest_of(new)]
