# ruff: noqa: T201 (a script prints)
"""How well hands are told from things: `python -m tests.vision.score_gate SET…`.

Watches a set's frames in order as the companion does and compares with its truth: free looks that were not read, busy
looks that were, and the things that stand about (of sets that tell their spec); of how many busy looks it is told
whose arm was seen, and of how many this player made neither the ply before nor the next; milliseconds of the watch.
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
from vision.presence.arms import Shoulders
from vision.presence.play_area import PlayArea, survey


@dataclass(frozen=True, slots=True)
class Judged:
    """A frame, whether its table was free in truth, what it was taken for, the things about, whose arm was seen,
    who made the plies before and after, and the time taken."""

    frame: int
    what: str
    free: bool
    state: str
    things: tuple[str, ...]
    arm: int | None
    players: frozenset[object]
    spent_ms: float


def judged(known: PictureSet) -> Iterator[Judged]:
    """The verdicts on the frames of a set, in order."""
    watch, shoulders = watch_of(known), shoulders_of(known)
    things, player_of = _things(known.folder), _players(known.folder)
    for line in read_truth(known.folder):
        frame = known.frame(int(line["frame"]))
        start, arm = time.perf_counter(), None
        try:
            watched = watch.look(frame)
            state = str(watched.state)
            spent_ms = 1000 * (time.perf_counter() - start)
            if state == "free":
                watch.measure(frame)
            elif watched.arm is not None and watch.arrangement is not None:
                arm = shoulders.whose(watched.arm, watch.arrangement.view)
        except SightError as error:
            state, spent_ms = f"{error.phrase.id}", 1000 * (time.perf_counter() - start)
        about = tuple(each["kind"] for each in things if each["ply"] <= line["ply"] + 1 <= each.get("until", 99))
        players = frozenset(player_of.get(line["ply"] + later) for later in (0, 1))
        yield Judged(int(line["frame"]), str(line.get("what", "")), bool(line["free"]), state, about, arm, players,
                     spent_ms)


def watch_of(known: PictureSet) -> TableWatch:
    """The watch of a set, as a reader builds it after enrolment."""
    pictures = [read_picture(each.picture, known.lens) for each in known.enrolments]
    play = _play(known)

    def play_area(stands: Arrangement) -> PlayArea:
        return survey(stands.view, play, [(card.at_mm, card.turn_deg) for card in stands.cards], known.pieces)

    return TableWatch(known.lens, find_cards(pictures[0], known.lens), [make_small(each) for each in pictures],
                      play_area)


def shoulders_of(known: PictureSet) -> Shoulders:
    """Where the players of a set have their shoulders, as a reader takes it."""
    return Shoulders.around(_play(known), known.seats)


def _play(known: PictureSet) -> list[list[tuple[float, float]]]:
    """The corners (mm) of the areas in which pieces lie."""
    layout = layout_of(known.folder)
    return [[(float(x), float(y)) for x, y in corners]
            for corners in LayoutFrame(layout, known.zones, known.seats).play(layout, known.zones)]


def _players(folder: Path) -> dict[int, object]:
    """Who made each ply of a set's record, by its number."""
    plies = map(json.loads, (folder / "record.jsonl").read_text(encoding="utf-8").splitlines())
    return {each["n"]: each["player"] for each in plies if "n" in each}


def _things(folder: Path) -> list[dict[str, Any]]:
    spec = folder / "truth_spec.json"
    about: dict[str, Any] = json.loads(spec.read_text(encoding="utf-8")).get("disturb", {}) if spec.exists() else {}
    return [*about.get("things", ()), *([{"kind": "mug", **about["mug"]}] if about.get("mug") else ())]


def main() -> None:
    """Score the sets named on the command line."""
    total = np.zeros(6, int)
    for known in sets_to_score(__doc__):
        every = list(judged(known))
        free, busy = [each for each in every if each.free], [each for each in every if not each.free]
        unread, read = [each for each in free if each.state != "free"], [each for each in busy if each.state == "free"]
        arms = [each for each in busy if each.arm is not None]
        others = [each for each in arms if each.players.isdisjoint((each.arm, "chance"))]
        total += len(unread), len(free), len(read), len(busy), len(arms), len(others)
        about = sorted({thing for each in every for thing in each.things})
        print(f"{known.folder.name}: free unread {len(unread)} of {len(free)} "
              f"{[(each.frame, each.state, *each.things) for each in unread]}; busy read {len(read)} of {len(busy)} "
              f"{[(each.frame, each.what) for each in read]}; arms told {len(arms)}, another's "
              f"{[(each.frame, each.what, each.arm) for each in others]}; things {about}; watch ms median "
              f"{np.median([each.spent_ms for each in every]):.1f}", flush=True)
    print(f"all: free unread {total[0]} of {total[1]}, busy read {total[2]} of {total[3]}; "
          f"arms told {total[4]}, another's {total[5]}")


if __name__ == "__main__":
    main()
