"""Calibration of shadows: how far they are believed, from drinks of known shapes on the open table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from companion.table import shape_of
from vision.drinks.models import Models
from vision.drinks.shadow_evidence import MIN_DRINKS, CastShadows
from vision.drinks.shadow_trust import NO_TRUST, ShadowTrust
from vision.enrolment.cost_calibration import HeldOutReading
from vision.scene.scene import Scene

USUAL_TRUST = ShadowTrust(60.0, 0.1)
"""Of hard light from a window or a lamp, where drinks stand close together."""

COSTS_PER_NAT = tuple(5.0 * 1.3 ** step for step in range(18))
OUTLIER_SHARES = (0.05, 0.1, 0.2, 0.4, 1.0)
"""What is tried: the one under which the true shapes are likeliest is taken."""


def learn_trust(scenes: Sequence[Scene], held_out: Sequence[HeldOutReading], models: Models) -> ShadowTrust:
    """How far shadows are believed, by maximum likelihood; none where nothing was held out. A game gives more of a
    chance: there the table was seen bare where drinks stand, and they stand less close."""
    samples = list(_samples(scenes, held_out, models))
    if not samples:
        return NO_TRUST
    tried = [ShadowTrust(cost, share) for share, cost in product(OUTLIER_SHARES, COSTS_PER_NAT)]
    return max(tried, key=lambda trust: sum(trust.nats(costs)[shape] for shape, costs in samples))


def _samples(scenes: Sequence[Scene], held_out: Sequence[HeldOutReading], models: Models
             ) -> Iterator[tuple[str, Mapping[str, float]]]:
    """The true shape and the costs of the shadows of drinks whose rendering leaves several shapes."""
    for picture in sorted({each.picture for each in held_out}):
        beside = [each for each in held_out if each.picture == picture]
        if len(beside) < MIN_DRINKS:
            continue
        costs = CastShadows(scenes[picture], [each.reading for each in beside], models).costs(USUAL_TRUST)
        for each, some in zip(beside, costs):
            if len(some) > 1 and shape_of(each.drink) in some:
                yield shape_of(each.drink), some
