"""Every piece on the table as believed, with what cannot be told left open."""

from __future__ import annotations

from collections.abc import Mapping

from companion.interpret.evidence import Track
from companion.interpret.matching import among
from companion.interpret.outcome import Stand
from companion.table import Layout, Placement, Point, Spot

TOLD_NATS = 2.0
"""A piece in a zone is told when every assignment that names it otherwise is seven times less likely. It scores nothing
by its name there; what is played from the zone is held to `SURE`."""


def stands(
    layout: Layout, placement: Placement, tracks: Mapping[Spot, tuple[Track, ...]], places_mm: Mapping[Spot, Point]
) -> tuple[Stand, ...]:
    """Bodies and pieces in places where they were last seen, things in zones with the pieces they can be.

    What was never seen has no place on the table yet and is left out.
    """
    bodies = [body for body in layout.bodies if body.spot in places_mm]
    found = [Stand(body.appearance, places_mm[body.spot], body.spot) for body in bodies]
    zones = {zone.spot for zone in layout.zones}
    for spot, pieces in placement.items():
        if spot not in zones and pieces and spot in places_mm:
            found += [Stand(piece, places_mm[spot], spot) for piece in pieces]
    for zone in zones:
        found += _in_zone(tracks.get(zone, ()), placement.get(zone, ()))
    return tuple(found)


def _in_zone(things: tuple[Track, ...], pieces: tuple[str, ...]) -> list[Stand]:
    answers = among(things, pieces, TOLD_NATS)
    found = []
    for thing, names in zip(things, answers, strict=True):
        if len(names) == 1:
            found.append(Stand(names[0], thing.at_mm, thing.spot))
        elif names:
            found.append(Stand(None, thing.at_mm, thing.spot, tuple(sorted(names))))
    return found
