# ruff: noqa: T201 (a script prints)
"""How often flat pieces are nudged, and how far those that were nudged, handled or left alone are seen to move, where
the same face shows as before: `python -m tests.vision.score_handled SET…`.

Reads a set's free looks in order. What was done to a pile is told by the truth: it was handled if it is higher or lower
than at the look before, nudged if it is as high and its top lies elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from companion.games import registry
from companion.table import Point, Sight
from tests.vision.score_bodies import layout_of
from tests.vision.scored_sets import sets_to_score
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, read_truth
from vision.pipeline.reader import Reader

SAME_PILE_MM = 12.0
"""Pieces that lie nearer to each other lie on one pile."""
NUDGED_MM = 0.5
"""What lies farther from where it lay was nudged."""

Moves = dict[str, list[tuple[float, float]]]
"""Millimetres and degrees by what was done."""


def moves_in(known: PictureSet) -> Moves:
    """How far each flat piece that was read anew or not is seen to have moved since the free look before."""
    pieces = enrol_set(known, registry.kinds(known.game))
    eyes = Reader(known.lens, pieces, layout_of(known.folder), known.zones, known.seats)
    found: Moves = {"alone": [], "nudged": [], "handled": []}
    before: Sequence[Mapping[str, Any]] = ()
    seen_before: list[Sight] = []
    for line in read_truth(known.folder):
        seen = eyes.look(known.frame(int(line["frame"]))).observation if line["free"] else None
        if seen is None:
            continue
        lying = [sight for sight in seen.sights if sight.turn_deg is not None]
        for was, now in ((was, now) for now in lying for was in seen_before if _same_pile(was.at_mm, now.at_mm)):
            then, top = _pile(before, was.at_mm), _pile(line["pieces"], now.at_mm)
            if then and top and then[-1]["appearance"] == top[-1]["appearance"] == now.likeliest == was.likeliest:
                nudged = math.dist(then[-1]["at"], top[-1]["at"]) > NUDGED_MM
                done = "handled" if len(then) != len(top) else "nudged" if nudged else "alone"
                found[done].append((math.dist(was.at_mm, now.at_mm), _turned_deg(was, now)))
        before, seen_before = line["pieces"], lying
    return found


def _same_pile(one: Point, other: Point) -> bool:
    return math.dist(one, other) < SAME_PILE_MM


def _pile(pieces: Sequence[Mapping[str, Any]], at_mm: Point) -> list[Mapping[str, Any]]:
    """What lies there, the lowest first, but for boards."""
    here = [each for each in pieces if not each["appearance"].startswith("board") and _same_pile(each["at"], at_mm)]
    return sorted(here, key=lambda each: float(each["z"]))


def _turned_deg(was: Sight, now: Sight) -> float:
    return abs(((now.turn_deg or 0.0) - (was.turn_deg or 0.0) + 180.0) % 360.0 - 180.0)


def main() -> None:
    """Counts the sets named on the command line."""
    total: Moves = {"alone": [], "nudged": [], "handled": []}
    for known in sets_to_score(__doc__):
        found = moves_in(known)
        for what, moves in found.items():
            total[what] += moves
        print(f"{known.folder.name}: {_told(found)}", flush=True)
    print(f"all: {_told(total)}")


def _told(found: Moves) -> str:
    said = []
    for what, moves in found.items():
        table = np.array(moves or [(math.nan, math.nan)])
        sd_mm, sd_deg = np.sqrt((table[:, 0] ** 2).mean() / 2.0), np.sqrt((table[:, 1] ** 2).mean())
        said.append(f"{what} {len(moves)}: {sd_mm:.2f} mm, {sd_deg:.1f} degrees")
    return "; ".join(said)


if __name__ == "__main__":
    main()
