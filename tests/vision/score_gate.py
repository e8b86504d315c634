# ruff: noqa: T201 (a script prints)
"""How well hands are told from things: `python -m tests.vision.score_gate SET…`.

Watches a set's frames in order as the companion does and compares with its truth: free looks that were not read, busy
looks that were, and the things that stand about (of sets that tell their spec); milliseconds of the watch.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.errors import SightError
from tests.vision.score_bodies import layout_of
from tests.vision.scored_sets import sets_to_score
from vision.enrolment.picture_set import PictureSet, make_small, read_picture, read_truth
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.imaging.layout_pose import LayoutFrame
from vision.pipeline.table_watch import TableWatch
from vision.presence.play_area import PlayArea, survey


@dataclass(frozen=True, slots=True)
class Judged:
    """A frame, whether its table was free in truth, what it was taken for, the things about, and the time taken."""

    frame: int
    what: str
    free: bool
    state: str
    things: tuple[str, ...]
    spent_ms: float


def judged(known: PictureSet) -> Iterator[Judged]:
    """The verdicts on the frames of a set, in order."""
    watch, things = watch_of(known), _things(known.folder)
    for line in read_truth(known.folder):
        frame = known.frame(int(line["frame"]))
        start = time.perf_counter()
        try:
            state = str(watch.look(frame).state)
            spent_ms = 1000 * (time.perf_counter() - start)
            if state == "free":
                watch.measure(frame)
        except SightError as error:
            state, spent_ms = f"{error.phrase.id}", 1000 * (time.perf_counter() - start)
        about = tuple(each["kind"] for each in things if each["ply"] <= line["ply"] + 1 <= each.get("until", 99))
        yield Judged(int(line["frame"]), str(line.get("what", "")), bool(line["free"]), state, about, spent_ms)


def watch_of(known: PictureSet) -> TableWatch:
    """The watch of a set, as a reader builds it after enrolment."""
    pictures = [read_picture(each.picture, known.lens) for each in known.enrolments]
    layout = layout_of(known.folder)
    play = [[(float(x), float(y)) for x, y in corners]
            for corners in LayoutFrame(layout, known.zones, known.seats).play(layout, known.zones)]

    def play_area(stands: Arrangement) -> PlayArea:
        return survey(stands.view, play, [(card.at_mm, card.turn_deg) for card in stands.cards], known.pieces)

    return TableWatch(known.lens, find_cards(pictures[0], known.lens), [make_small(each) for each in pictures],
                      play_area)


def _things(folder: Path) -> list[dict[str, Any]]:
    spec = folder / "truth_spec.json"
    about: dict[str, Any] = json.loads(spec.read_text(encoding="utf-8")).get("disturb", {}) if spec.exists() else {}
    return [*about.get("things", ()), *([{"kind": "mug", **about["mug"]}] if about.get("mug") else ())]


def main() -> None:
    """Score the sets named on the command line."""
    total = np.zeros(4, int)
    for known in sets_to_score(__doc__):
        every = list(judged(known))
        free, busy = [each for each in every if each.free], [each for each in every if not each.free]
        unread, read = [each for each in free if each.state != "free"], [each for each in busy if each.state == "free"]
        total += len(unread), len(free), len(read), len(busy)
        about = sorted({thing for each in every for thing in each.things})
        print(f"{known.folder.name}: free unread {len(unread)} of {len(free)} "
              f"{[(each.frame, each.state, *each.things) for each in unread]}; busy read {len(read)} of {len(busy)} "
              f"{[(each.frame, each.what) for each in read]}; things {about}; watch ms median "
              f"{np.median([each.spent_ms for each in every]):.1f}", flush=True)
    print(f"all: free unread {total[0]} of {total[1]}, busy read {total[2]} of {total[3]}")


if __name__ == "__main__":
    main()
