# ruff: noqa: T201 (a script prints)
"""How well the eyes tell an empty slot from a drink:
`python -m tests.vision.score_empty_slots SET…`.

For the slots that are read at a set's free looks: by how many nats empty ones lead over any drink, and drinks over
their slot's being empty.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from unittest.mock import patch

from companion.games import registry
from companion.table import Point
from tests.vision.score_bodies import layout_of
from tests.vision.scored_sets import sets_to_score
from vision.drinks import slot_reader
from vision.drinks.classifier import read_drink
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkPrior, DrinkReading
from vision.drinks.models import Models
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, read_truth
from vision.pipeline.reader import Reader
from vision.scene.scene import Scene

IN_SLOT_MM = 4.0
"""What stands nearer to the middle of a slot than this stands in it."""


def leads(known: PictureSet) -> dict[bool, list[float]]:
    """By how many nats the slots that hold no drink, and those that hold one (true), lead over the contrary."""
    pieces = enrol_set(known, registry.kinds(known.game))
    eyes = Reader(known.lens, pieces, layout_of(known.folder), known.zones, known.seats)
    found: dict[bool, list[float]] = defaultdict(list)
    standing: list[Point] = []

    def counted(scene: Scene, pose: DrinkPose, models: Models, prior: DrinkPrior) -> DrinkReading:
        reading = read_drink(scene, pose, models, prior)
        is_drink = any(math.dist(pose.foot_mm[:2], at) < IN_SLOT_MM for at in standing)
        found[is_drink].append(reading.gain / models.cost_per_nat * (1 if is_drink else -1))
        return reading

    with patch.object(slot_reader, "read_drink", counted):
        for line in read_truth(known.folder):
            if line["free"]:
                standing[:] = [tuple(each["at"]) for each in line["pieces"] if "/" in each["appearance"]]
                eyes.look(known.frame(int(line["frame"])))
    return found


def main() -> None:
    """Prints the leads in the sets named on the command line."""
    total: dict[bool, list[float]] = {True: [], False: []}
    for known in sets_to_score(__doc__):
        found = leads(known)
        for which, nats in found.items():
            total[which] += nats
        print(f"{known.folder.name}: empty {_told(found[False])}; drinks {_told(found[True])}", flush=True)
    print(f"all: empty {_told(total[False])}; drinks {_told(total[True])}")


def _told(nats: Iterable[float]) -> str:
    every = sorted(nats)
    least = ", ".join(f"{each:.1f}" for each in every[:3])
    return f"{len(every)}, {sum(each < 0 for each in every)} read wrongly, least lead {least or '-'}"


if __name__ == "__main__":
    main()
