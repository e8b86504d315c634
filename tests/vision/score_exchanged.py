# ruff: noqa: T201 (a script prints)
"""How often the eyes read a slot anew, by whether another drink came to stand there, and how far what they see there
moved: `python -m tests.vision.score_exchanged SET…`.

Reads a set's free looks in order, and compares what stands in each slot with what stood there at the look before.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from companion.games import registry
from companion.table import Appearance, Observation, Sight, Spot
from tests.vision.score_bodies import layout_of
from tests.vision.scored_sets import sets_to_score
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, read_truth
from vision.pipeline.reader import Reader

IN_SLOT_MM = 7.0
"""A drink that is nearer to the middle of a slot than half a slot stands in it."""

NEAR_MM = (0.1, 0.2, 0.3)

Moved = dict[str, list[float | None]]
"""How far what is seen moved in each slot that holds the same drink as before, or another one (mm); None where the
reading was repeated. Where the crate was moved the slots are not counted."""


def slots_seen(known: PictureSet) -> Iterator[tuple[Observation, dict[Spot, Appearance]]]:
    """What the eyes see at each free look of a set, and the drink that stands in each slot in truth."""
    pieces = enrol_set(known, registry.kinds(known.game))
    eyes = Reader(known.lens, pieces, layout_of(known.folder), known.zones, known.seats)
    for line in read_truth(known.folder):
        seen = eyes.look(known.frame(int(line["frame"]))).observation if line["free"] else None
        if seen is not None:
            drinks = [(tuple(each["at"]), each["appearance"]) for each in line["pieces"] if "/" in each["appearance"]]
            yield seen, _in_slots(seen, drinks)


def moved_in(known: PictureSet) -> Moved:
    """The same of one set."""
    before: dict[Spot, Appearance] = {}
    last: dict[Spot, Sight] = {}
    found: Moved = {"same": [], "another": []}
    for seen, now in slots_seen(known):
        stood, before = before, now
        for sight in seen.sights:
            if sight.spot in stood and sight.spot in before:
                moved_mm = _moved_mm(last[sight.spot], sight) if sight.fresh else None
                if moved_mm is None or moved_mm < IN_SLOT_MM / 2:
                    found["same" if stood[sight.spot] == before[sight.spot] else "another"].append(moved_mm)
        last = {sight.spot: sight for sight in seen.sights if sight.spot in before}
    return found


def _moved_mm(before: Sight, now: Sight) -> float:
    """How far a drink moved, as what it looked most like before."""
    name = before.likeliest
    return math.dist(before.feet_mm.get(name, before.at_mm), now.feet_mm.get(name, now.at_mm))


def _in_slots(seen: Observation, drinks: list[tuple[tuple[float, ...], Appearance]]) -> dict[Spot, Appearance]:
    """The drink that stands in each slot, where one does."""
    slots = [sight for sight in seen.sights if sight.spot not in seen.zones and sight.spot.startswith("slot")]
    near = {slot.spot: min(drinks, key=lambda each: math.dist(each[0], slot.at_mm)) for slot in slots}
    return {slot.spot: near[slot.spot][1] for slot in slots if math.dist(near[slot.spot][0], slot.at_mm) < IN_SLOT_MM}


def main() -> None:
    """Counts the sets named on the command line."""
    total: Moved = {"same": [], "another": []}
    for known in sets_to_score(__doc__):
        found = moved_in(known)
        for what, moved in found.items():
            total[what] += moved
        print(f"{known.folder.name}: {_told(found)}", flush=True)
    print(f"all: {_told(total)}")


def _told(found: Moved) -> str:
    said = []
    for what, moved in found.items():
        anew = [each for each in moved if each is not None]
        near = ", ".join(f"{sum(each < limit for each in anew)} by less than {limit} mm" for limit in NEAR_MM)
        said.append(f"{what} drink: {len(anew)} of {len(moved)} read anew, moved {near}")
    return "; ".join(said)


if __name__ == "__main__":
    main()
