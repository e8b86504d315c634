"""Looks at tables where sleeves push flat pieces about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from companion.interpret.layout_index import index_layout
from companion.interpret.trial_games import StoryLook
from companion.table import Layout, Point

LEAST_MM, MOST_MM = 1.0, 3.5


def nudged(looks: Sequence[StoryLook], layout: Layout, share: float, rng: Random) -> Iterator[StoryLook]:
    """Looks before so large a share of which one flat piece was pushed: it lies there from then on."""
    flat, by_mm = index_layout(layout).flat, dict[str, Point]()
    for each in looks:
        lie = [sight.spot for sight in each.observation.sights if sight.spot in flat and sight.likeliest]
        if lie and rng.random() < share:
            far_mm = rng.uniform(LEAST_MM, MOST_MM)
            by_mm[rng.choice(lie)] = (rng.choice([-far_mm, far_mm]), rng.uniform(-far_mm, far_mm))
        sights = tuple(
            replace(sight, at_mm=(sight.at_mm[0] + by_mm[sight.spot][0], sight.at_mm[1] + by_mm[sight.spot][1]))
            if sight.spot in by_mm else sight
            for sight in each.observation.sights
        )
        yield replace(each, observation=replace(each.observation, sights=sights))
