"""Every piece on the table as believed, with what cannot be told left open; what is kept of a look for the next one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.layout_index import LayoutIndex
from companion.interpret.matching import assign, overconfidence, possible_names
from companion.interpret.outcome import BelievedPiece
from companion.interpret.tracks import Track
from companion.table import Appearance, Layout, Placement, Point, Spot

NAMED_MARGIN_NATS = 4.6
"""A piece in a zone is named when every assignment that names it otherwise is a hundred times less likely: `SURE` in
nats. What is named wrongly stays so look after look, and what is left open costs nothing before it is played. Where
eyes are too sure of themselves, as when pieces were learned in another light, it takes as many times more."""

SIDE_NATS = 2.0
"""A side of a piece is told when it is by so much likelier than the other one: of coins with a value on both sides no
rule asks which is up, and in the light of a window and a lamp five of eleven were told wrongly, by 1.1 to 1.7 nats."""


def believed_pieces(
    layout: Layout, placement: Placement, seen: TableTracks, places_mm: Mapping[Spot, Point]
) -> tuple[BelievedPiece, ...]:
    """Bodies and pieces in places where they were last seen, things in zones with the pieces they can be.

    What was never seen has no place on the table yet and is left out; so is what lies within a pile of a zone.
    """
    bodies = [body for body in layout.bodies if body.spot in places_mm]
    found = [BelievedPiece(body.appearance, places_mm[body.spot], body.spot) for body in bodies]
    zones = {zone.spot: zone for zone in layout.zones}
    spread = [zone.spot for zone in layout.zones if zone.heap == "spread"]
    margin_nats = NAMED_MARGIN_NATS * overconfidence(
        pair for spot in spread for pair in _named(seen.zones.get(spot, ()), placement.get(spot, ()))
    )
    for spot, pieces in placement.items():
        if spot not in zones and pieces and spot in places_mm:
            found += _at_place(spot, pieces, places_mm[spot], seen.places.get(spot))
    for spot, zone in zones.items():
        pieces = placement.get(spot, ())
        found += _in_zone(seen.zones.get(spot, ()), pieces[-1:] if zone.heap == "pile" else pieces, margin_nats)
    return tuple(found)


def _at_place(
    spot: Spot, pieces: tuple[Appearance, ...], at_mm: Point, top: Track | None
) -> Iterator[BelievedPiece]:
    yield from (BelievedPiece(piece, at_mm, spot) for piece in pieces[:-1])
    yield _believed(_sides(pieces[-1], top), at_mm, spot)


def _sides(piece: Appearance, thing: Track | None) -> tuple[Appearance, ...]:
    """The side of a piece that was seen, or both where neither is by much the likelier one."""
    nats = thing.back_nats.get(piece, -SIDE_NATS) if thing is not None else -SIDE_NATS
    return (*([piece] if nats < SIDE_NATS else []), *([f"{piece}:back"] if nats > -SIDE_NATS else []))


def _believed(names: Collection[Appearance], at_mm: Point, spot: Spot) -> BelievedPiece:
    """A piece that is one of some."""
    first, *others = sorted(names)
    return BelievedPiece(None, at_mm, spot, (first, *others)) if others else BelievedPiece(first, at_mm, spot)


def _named(things: tuple[Track, ...], pieces: tuple[Appearance, ...]) -> Iterator[tuple[Track, Appearance | None]]:
    yield from zip(things, assign(things, pieces).pieces, strict=True)


def _in_zone(things: tuple[Track, ...], pieces: tuple[Appearance, ...], margin_nats: float) -> Iterator[BelievedPiece]:
    for thing, names in zip(things, possible_names(things, pieces, margin_nats), strict=True):
        if names:
            yield _believed([side for name in names for side in _sides(name, thing)], thing.at_if(names[0]), thing.spot)


def tracks_after(evidence: Evidence, before: Placement, after: Placement) -> TableTracks:
    """What is on the table after a look that was explained so; what was covered is kept as it was seen last, unless
    it changed since."""
    zones = {**evidence.last.zones, **evidence.glimpsed}
    for zone in evidence.zones:
        groups = evidence.groups(zone, before.get(zone, ()), after.get(zone, ()))
        if groups and evidence.index.heap(zone) == "spread":
            stayed, _, came = groups
            zones[zone] = tuple(_once(thing) for thing in (*stayed[0], *came[0]))
        else:
            zones[zone] = tuple(_once(thing) for thing in evidence.zones[zone])
    places = {
        spot: thing for spot, thing in evidence.last.places.items() if before.get(spot, ()) == after.get(spot, ())
    }
    return TableTracks(zones, places | dict(evidence.places))


def as_it_lay(seen: TableTracks, earlier: TableTracks, index: LayoutIndex) -> TableTracks:
    """What was seen while nothing was played, with flat pieces as they lay at an earlier look: so that what little a
    ply showed of itself is not forgotten before the next look shows more."""
    piles = {
        zone: things for zone, things in earlier.zones.items()
        if index.heap(zone) != "spread" and len(things) == len(seen.zones.get(zone, ()))
    }
    return TableTracks({**seen.zones, **piles}, {**seen.places, **earlier.places})


def _once(thing: Track) -> Track:
    return replace(thing, looks=max(1, thing.looks))
