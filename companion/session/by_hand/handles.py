"""What on the board stands for a ply: the pieces and places to touch, found from what legal plies change.

A value of an action is tied to a spot by its name (`to: "c4"` to `grid:c4`, if that is what such plies change), or to a
piece of that name which leaves a zone; without such a name to what changes with that value and with no other. What is
tied to nothing is asked in words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from companion.engine import Json
from companion.session.by_hand.fields import (
    ActionFields,
    FieldPath,
    Parts,
    SpotFamily,
    families_of,
    fields_of,
    members,
    parts_of,
)
from companion.table import Appearance, Layout, Placement, Spot

TIED_SHARE: Final = 0.6
"""In so many of the plies with a value, less that part of the others, what stands for the value must change."""


@dataclass(frozen=True, slots=True, order=True)
class Handle:
    """Something on the board to touch: a place or a zone, or one of the pieces of a zone."""

    spot: Spot
    piece: Appearance = ""


@dataclass(frozen=True)
class PlyChange:
    """The values of a ply's action, and what it changes on the table: pieces that go from a zone or a place, and places
    and zones to which some come."""

    fields: ActionFields
    gone: tuple[Handle, ...] = ()
    come: tuple[Handle, ...] = ()

    @cached_property
    def handles(self) -> tuple[Handle, ...]:
        """All that changes, what goes first."""
        return tuple(dict.fromkeys((*self.gone, *self.come)))

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """All spots that change."""
        return tuple(dict.fromkeys(each.spot for each in self.handles))


Field = tuple[Parts, FieldPath]
"""A value's name in actions of a shape."""
Tie = SpotFamily | Spot | Mapping[Parts, Handle]
"""What stands for a value: a spot of the family, a piece of that name in the zone, or a handle for each value."""


@dataclass(frozen=True)
class Ties:
    """What stands for the values of actions."""

    layout: Layout
    of: Mapping[Field, Tie]

    def handles(self, change: PlyChange) -> frozenset[Handle]:
        """What on the board stands for this ply."""
        found = (self._handle(change, path, value) for path, value in change.fields.scalars.items())
        return frozenset(self.on_top(each) for each in found if each is not None)

    def spot_of(self, family: SpotFamily, parts: Parts) -> Handle | None:
        """The place or zone of a family that is named so."""
        spot = self._members[family].get(parts)
        return None if spot is None else Handle(spot)

    def on_top(self, handle: Handle) -> Handle:
        """What lies under another place is touched with that one."""
        spot = self._covers.get(handle.spot)
        return handle if spot is None else Handle(spot)

    @cached_property
    def _covers(self) -> dict[Spot, Spot]:
        return {place.spot: place.under for place in self.layout.places if place.under is not None}

    @cached_property
    def _members(self) -> dict[SpotFamily, dict[Parts, Spot]]:
        return {tie: members(tie, self.layout) for tie in self.of.values() if isinstance(tie, SpotFamily)}

    @cached_property
    def carriers(self) -> dict[Handle, Handle]:
        """What stands on something that is moved with it, where that is a handle too: touching either is the same."""
        places = {place.spot for place in self.layout.places}
        return {Handle(place.spot): Handle(place.on) for place in self.layout.places if place.on in places}

    def _handle(self, change: PlyChange, path: FieldPath, value: Json) -> Handle | None:
        tie, parts = self.of.get((change.fields.shape, path)), parts_of(value)
        if isinstance(tie, SpotFamily):
            return self.spot_of(tie, parts)
        if isinstance(tie, str):
            return next((each for each in change.gone if each.spot == tie and is_named(each.piece, parts)), None)
        return None if tie is None else tie.get(parts)


def is_named(piece: Appearance, parts: Parts) -> bool:
    """Whether a value names this piece: whole, or without its kind."""
    return bool(piece) and len(parts) == 1 and parts[0] in (piece, piece.partition(":")[2])


def change_of(written: Mapping[str, Json], before: Placement, after: Placement, layout: Layout) -> PlyChange:
    """What an action changes on the table."""
    zones = {zone.spot for zone in layout.zones}
    gone = [Handle(spot, piece if spot in zones else "") for spot, piece in _more(before, after)]
    come = [Handle(spot) for spot, _ in _more(after, before)]
    return PlyChange(fields_of(written), tuple(dict.fromkeys(gone)), tuple(dict.fromkeys(come)))


def ties_of(changes: Sequence[PlyChange], layout: Layout) -> Ties:
    """What stands for the values of these actions: all that are legal now."""
    by_shape: defaultdict[Parts, list[PlyChange]] = defaultdict(list)
    for change in changes:
        by_shape[change.fields.shape].append(change)
    ties: dict[Field, Tie] = {}
    unnamed: list[Field] = []
    for shape, among in by_shape.items():
        for path in among[0].fields.scalars:
            named = _by_name(among, path)
            if named is None:
                unnamed.append((shape, path))
            else:
                ties[shape, path] = named
    carriers = {place.on for place in layout.places}
    families = Counter(tie for tie in ties.values() if isinstance(tie, SpotFamily))
    for shape, path in unnamed:
        among = by_shape[shape]
        tie = _of_known_family(among, path, families, layout) or _by_change(among, path, carriers)
        if tie is not None:
            ties[shape, path] = tie
    return Ties(layout, ties)


def _by_name(among: Sequence[PlyChange], path: FieldPath) -> SpotFamily | Spot | None:
    """The family of spots, or the zone with pieces, that has the values as names and changes with them."""
    votes: Counter[SpotFamily | Spot] = Counter()
    for change in among:
        parts = parts_of(change.fields.scalars[path])
        votes.update({family for spot in change.spots for family in families_of(spot, parts)})
        votes.update({each.spot for each in change.gone if is_named(each.piece, parts)})
    best = max(votes, key=lambda each: (votes[each], len(each.rest) if isinstance(each, SpotFamily) else 0),
               default=None)
    return best if best is not None and votes[best] >= TIED_SHARE * len(among) else None


def _of_known_family(
    among: Sequence[PlyChange], path: FieldPath, families: Counter[SpotFamily], layout: Layout
) -> SpotFamily | None:
    """A family that other values were tied to and that has all of these: from where something is attacked."""
    values = {parts_of(change.fields.scalars[path]) for change in among}
    return next((family for family, _ in families.most_common() if values <= members(family, layout).keys()), None)


def _by_change(
    among: Sequence[PlyChange], path: FieldPath, carriers: Collection[Spot | None]
) -> Mapping[Parts, Handle] | None:
    """What changes with one value and with no other, a handle of its own for each; rather what carries other places
    than one of those."""
    of_value: defaultdict[Parts, list[PlyChange]] = defaultdict(list)
    for change in among:
        of_value[parts_of(change.fields.scalars[path])].append(change)
    if len(of_value) < 2 or () in of_value:
        return None
    ever = Counter(handle for change in among for handle in change.handles)
    found: dict[Parts, Handle] = {}
    for parts, own in of_value.items():
        with_it = Counter(handle for change in own for handle in change.handles)
        others = len(among) - len(own)
        sure = {each: with_it[each] / len(own) - (ever[each] - with_it[each]) / others for each in with_it}
        surest = max(sure, key=lambda each: (sure[each] >= TIED_SHARE, each.spot in carriers, sure[each]), default=None)
        if surest is None or sure[surest] < TIED_SHARE:
            return None
        found[parts] = surest
    return found if len(set(found.values())) == len(found) else None


def _more(these: Placement, those: Placement) -> Iterator[tuple[Spot, Appearance]]:
    """The pieces of `these` that are not at the same spot in `those`."""
    for spot, pieces in these.items():
        there = those.get(spot, ())
        if pieces != there:
            yield from ((spot, piece) for piece in (Counter(pieces) - Counter(there)))
