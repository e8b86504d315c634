# ruff: noqa: T201 (a script prints)
"""False alarms of what is strange on a table: `python -m tests.vision.score_strange SET…`.

Reads the frames of sets in order, in which nothing strange happens but what their spec tells: how many free looks there
are, and at which of them something is called strange.
"""

from __future__ import annotations

import cv2

from companion.errors import SightError
from companion.games import registry
from tests.vision.score_bodies import layout_of
from tests.vision.scored_sets import sets_to_score
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet
from vision.pipeline.reader import Reader


def alarms(known: PictureSet) -> tuple[int, list[int]]:
    """How many free looks there are, and the numbers of those at which something is called strange."""
    reader = Reader(known.lens, enrol_set(known, registry.kinds(known.game)), layout_of(known.folder), known.zones,
                    known.seats)
    free, found = 0, list[int]()
    for n in range(len(known.pictures)):
        try:
            look = reader.look(known.frame(n))
        except SightError:
            continue
        free += look.state == "free"
        found += [look.number] if look.strange else []
    return free, found


def main() -> None:
    """Score the sets named on the command line."""
    cv2.setNumThreads(1)
    free, strange = 0, 0
    for known in sets_to_score(__doc__):
        looks, found = alarms(known)
        free, strange = free + looks, strange + len(found)
        print(f"{known.folder.name}: strange at {len(found)} of {looks} free looks {found}", flush=True)
    print(f"all: strange at {strange} of {free} free looks")


if __name__ == "__main__":
    main()
