# ruff: noqa: T201 (a script prints)
"""What cast shadows tell of the heights of cans: `python -m tests.vision.score_cast_shadows SET…`.

Reads the first free look of each set, and says of the cans on the open table how many have the right shape by their
renderings alone, by their shadows alone, and by both; and by how many nats (within 6) the right shape leads over the
others of its colour. Uses the sets' truth, for judging alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np

from companion.games import registry
from companion.table import Drink, Point, colour_of, shape_of
from tests.vision.score_bodies import layout_of
from tests.vision.scored_sets import sets_to_score
from vision.drinks import zone_reader
from vision.drinks.drink_reading import DrinkReading
from vision.drinks.models import Models
from vision.drinks.shadow_evidence import MIN_DRINKS, CastShadows, read_shadows
from vision.drinks.shadow_trust import NO_TRUST
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, read_truth
from vision.pipeline.reader import Reader
from vision.scene.scene import Scene

NEAR_MM, MOST_NATS = 5.0, 6.0

Scored = tuple[bool, bool, bool, float, float]
"""Right by renderings, by shadows, by both; the lead in nats by renderings, and by both."""


class Scorer:
    """Compares readings, as they are told by shadows, with the pieces of the truth."""

    def __init__(self, pieces: Sequence[Mapping[str, Any]]) -> None:
        self._pieces = [each for each in pieces if "/" in each["appearance"]]
        self.cans: list[Scored] = []

    def read_shadows(self, scene: Scene, standing: Sequence[DrinkReading], new: Sequence[DrinkReading], models: Models
                     ) -> list[DrinkReading]:
        """As `vision.drinks.shadow_evidence.read_shadows`, which it stands in for."""
        told = read_shadows(scene, standing, new, models)
        if len(standing) + len(new) >= MIN_DRINKS and models.shadows != NO_TRUST:
            costs = CastShadows(scene, [*standing, *new], models, len(standing)).costs(models.shadows)[len(standing):]
            self.cans += self._scored(new, told, costs, models)
        return told

    def _scored(self, new: Sequence[DrinkReading], told: Sequence[DrinkReading], costs: Sequence[Mapping[str, float]],
                models: Models) -> Iterator[Scored]:
        for before, after, shadow in zip(new, told, costs):
            drink = self._there(before.at_mm)
            if drink is not None and "can" in shape_of(drink):
                rendered, both = (_lead(models, each, drink) for each in (before, after))
                by_shadow = min(shadow, key=shadow.__getitem__) == shape_of(drink)
                yield rendered > 0, by_shadow, both > 0, rendered, both

    def _there(self, at_mm: Point) -> Drink | None:
        near = [each["appearance"] for each in self._pieces
                if np.hypot(*np.subtract(each["at"], at_mm)) < NEAR_MM]
        return near[0] if len(near) == 1 else None


def _lead(models: Models, reading: DrinkReading, drink: Drink) -> float:
    """The lead (nats) of a drink over the others of its colour."""
    nats = models.loglik(reading)
    others = [value for other, value in nats.items()
              if other in models.textures and other != drink and colour_of(other) == colour_of(drink)]
    return float(np.clip(nats[drink] - max(others), -MOST_NATS, MOST_NATS))


def score(known: PictureSet) -> list[Scored]:
    """The cans of a set's first free look."""
    truth = read_truth(known.folder)
    first = next(number for number, each in enumerate(truth) if each["free"])
    scorer = Scorer(truth[first]["pieces"])
    reader = Reader(known.lens, enrol_set(known, registry.kinds(known.game)), layout_of(known.folder), known.zones,
                    known.seats)
    with patch.object(zone_reader, "read_shadows", scorer.read_shadows):
        reader.look(known.frame(first))
    return scorer.cans


def line(name: str, cans: Sequence[Scored]) -> str:
    """What is printed of a set, or of all."""
    if not cans:
        return f"{name}: no cans beside which shadows are looked at"
    right = [sum(each[at] for each in cans) for at in range(3)]
    leads = [float(np.mean([each[at] for each in cans])) for at in (3, 4)]
    return (f"{name}: of {len(cans)} cans right by renderings {right[0]}, by shadows {right[1]}, by both {right[2]}; "
            f"lead {leads[0]:.1f} nats by renderings, {leads[1]:.1f} by both")


def main() -> None:
    """Score the sets named on the command line."""
    cv2.setNumThreads(1)
    cans: list[Scored] = []
    for known in sets_to_score(__doc__):
        some = score(known)
        cans += some
        print(line(known.folder.name, some), flush=True)
    print(line("all", cans))


if __name__ == "__main__":
    main()
