"""Looks made from a placement, as good or bad as a test wants them."""

from collections.abc import Mapping
from random import Random

from companion.table import (
    EMPTY,
    SHAPES,
    Appearance,
    Layout,
    Observation,
    Placement,
    Sight,
    all_drinks,
    colour_of,
    shape_of,
)

DRINKS = all_drinks()


def loglik(truth: Appearance, rng: Random, shape_nats: float = 8.0, noise_nats: float = 0.0) -> dict[Appearance, float]:
    """Log-likelihoods of one thing: other shapes `shape_nats` a step less likely, other colours or none far less."""
    if truth == EMPTY:
        return {EMPTY: 0.0, **dict.fromkeys(DRINKS, -30.0)}
    found = {EMPTY: -30.0}
    for drink in DRINKS:
        steps = abs(SHAPES.index(shape_of(drink)) - SHAPES.index(shape_of(truth)))
        far = 0.0 if colour_of(drink) == colour_of(truth) else 25.0
        found[drink] = -shape_nats * steps - far + rng.gauss(0.0, noise_nats)
    return found


def look(
    layout: Layout, placement: Placement, seed: int = 0, covered: frozenset[str] = frozenset(),
    shape_nats: float = 8.0, noise_nats: float = 0.0, seen_as: Mapping[str, Mapping[Appearance, float]] | None = None,
) -> Observation:
    """What eyes would say of a placement. Drinks of a stock stand in a row, each always in its own place.

    `seen_as` replaces the reading of a place. `covered` places and zones are absent.
    """
    rng = Random(seed)
    sights = []
    for place in layout.places:
        if place.spot not in covered:
            pieces = placement.get(place.spot, ())
            reading = loglik(pieces[-1] if pieces else EMPTY, rng, shape_nats, noise_nats)
            sights.append(Sight(place.spot, place.at_mm, (seen_as or {}).get(place.spot, reading)))
    zones = frozenset(zone.spot for zone in layout.zones) - covered
    for zone in layout.zones:
        for piece in placement.get(zone.spot, ()) if zone.spot in zones else ():
            at = (zone.corners_mm[0][0] + 13.0 * SHAPES.index(shape_of(piece)), zone.corners_mm[0][1] + 10.0)
            sights.append(Sight(zone.spot, at, loglik(piece, rng, shape_nats, noise_nats)))
    return Observation(0.0, tuple(sights), zones)
