# ruff: noqa: T201 (a script prints)
"""How often the eyes read a slot anew, by whether another drink came to stand there:
`python -m tests.vision.score_exchanged SET…`.

Reads a set's free looks in order, and compares what stands in each slot with what stood there at the look before.
"""

from __future__ import annotations

import math
from collections import Counter

from companion.games import registry
from companion.table import Appearance, Observation, Spot
from tests.vision.score_bodies import layout_of
from tests.vision.scored_sets import sets_to_score
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, read_truth
from vision.pipeline.reader import Reader

IN_SLOT_MM = 7.0
"""A drink that is nearer to the middle of a slot than half a slot stands in it."""


def counted(known: PictureSet) -> Counter[tuple[str, bool]]:
    """How many slots held the same drink as before, or another one, and were read anew, or not."""
    pieces = enrol_set(known, registry.kinds(known.game))
    eyes = Reader(known.lens, pieces, layout_of(known.folder), known.zones, known.seats)
    before: dict[Spot, Appearance] = {}
    found: Counter[tuple[str, bool]] = Counter()
    for line in read_truth(known.folder):
        seen = eyes.look(known.frame(int(line["frame"]))).observation if line["free"] else None
        if seen is None:
            continue
        drinks = [(tuple(each["at"]), each["appearance"]) for each in line["pieces"] if "/" in each["appearance"]]
        stood, before = before, _in_slots(seen, drinks)
        for sight in seen.sights:
            if sight.spot in stood and sight.spot in before:
                is_same = stood[sight.spot] == before[sight.spot]
                found["same" if is_same else "another", sight.fresh] += 1
    return found


def _in_slots(seen: Observation, drinks: list[tuple[tuple[float, ...], Appearance]]) -> dict[Spot, Appearance]:
    """The drink that stands in each slot, where one does."""
    slots = [sight for sight in seen.sights if sight.spot not in seen.zones and sight.spot.startswith("slot")]
    near = {slot.spot: min(drinks, key=lambda each: math.dist(each[0], slot.at_mm)) for slot in slots}
    return {slot.spot: near[slot.spot][1] for slot in slots if math.dist(near[slot.spot][0], slot.at_mm) < IN_SLOT_MM}


def main() -> None:
    """Counts the sets named on the command line."""
    total: Counter[tuple[str, bool]] = Counter()
    for known in sets_to_score(__doc__):
        found = counted(known)
        total += found
        print(f"{known.folder.name}: {_told(found)}", flush=True)
    print(f"all: {_told(total)}")


def _told(found: Counter[tuple[str, bool]]) -> str:
    return ", ".join(f"{what} drink: {found[what, True]} of {found[what, True] + found[what, False]} read anew"
                     for what in ("another", "same"))


if __name__ == "__main__":
    main()
