"""What one look alone shows, without the rules and without what was believed before."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.table import EMPTY, Appearance, Layout, Observation, Point, Sight, Spot


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """A piece as one look shows it. `confidence` is between 0 and 1; a body is just there."""

    appearance: Appearance
    at_mm: Point
    spot: Spot
    confidence: float
    is_body: bool = False


def one_look(observation: Observation, layout: Layout) -> Iterator[ShownPiece]:
    """Bodies where they are; drinks decided together, for each exists once; every other thing for itself."""
    bodies = {body.spot for body in layout.bodies}
    drinks = [sight for sight in observation.sights if sight.spot not in bodies and _may_be_drink(sight)]
    yield from _drinks(drinks)
    for sight in observation.sights:
        if sight.loglik and not _may_be_drink(sight):
            best = sight.likeliest
            if best != EMPTY:
                yield ShownPiece(best, sight.at_mm, sight.spot, _share(sight, best), sight.spot in bodies)


def _drinks(sights: Sequence[Sight]) -> Iterator[ShownPiece]:
    from companion.cli.one_look_jointly import decide

    for seen in decide(sights):
        yield ShownPiece(seen.appearance, seen.at_mm, seen.spot, 1.0 / (1.0 + math.exp(-min(seen.margin, 500.0))))


def _may_be_drink(sight: Sight) -> bool:
    return any("/" in name for name in sight.loglik)


def _share(sight: Sight, name: Appearance) -> float:
    """The probability of one appearance among all of them."""
    best = sight.loglik[name]
    return 1.0 / sum(math.exp(max(-500.0, value - best)) for value in sight.loglik.values())
