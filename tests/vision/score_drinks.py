# ruff: noqa: T201 (a script prints)
"""How well single looks at Kamikaze Cans sets are read: `python tests/vision/score_drinks.py SET… [--every N]`.

Uses the sets' truth, for judging alone. Prints for each set what was right, the confusions by shape, and times.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.games.kamikaze_cans.layout import layout
from companion.table import colour_of, shape_of
from vision.enrol import enrol_set
from vision.joint import Seen, decide
from vision.pictureset import read_set, truth
from vision.pieceset import load_piece_set
from vision.reader import Reader

NEAR_MM, VISIBLE, CLEAR_SHIFT_MM = 6.0, 0.3, 0.7


def score(folder: Path, every: int) -> None:
    """Read a set's frames in order and compare each free look, decided by itself, with the truth."""
    known = read_set(folder)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "pieces.zip"
        enrol_set(known).save(file)
        pieces = load_piece_set(file)
    reader = Reader(known.lens, pieces, layout(len(known.seats)), known.zones, known.seats)
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    read_ms: list[float] = []
    for index, line in enumerate(truth(folder)):
        if index % every:
            continue
        look = reader.look(known.frame(index))
        counts["busy read"] += look.state == "free" and not line["free"]
        counts["free unread"] += look.state != "free" and line["free"]
        if look.observation is None or not line["free"] or reader.arrangement is None:
            continue
        read_ms.append(look.ms["read"])
        seen = [each for each in decide(look.observation.sights) if "/" in each.appearance]
        for piece in line["pieces"]:
            if "/" in piece["appearance"] and piece["visible"] >= VISIBLE:
                view = reader.arrangement.view
                shift = 4 * np.linalg.norm(view.lean(piece["at"], 10)) / view.px_per_mm(piece["at"], 10)
                _judge(piece, seen, bool(shift >= CLEAR_SHIFT_MM), counts, wrong)
        counts["not there"] += len(seen)
    print(folder.name, dict(counts), f"read ms: median {statistics.median(read_ms):.0f}, first {read_ms[0]:.0f}")
    print("  wrong:", dict(wrong.most_common(12)))


def _judge(piece: dict[str, Any], seen: list[Seen], clear: bool, counts: Counter[str], wrong: Counter[str]) -> None:
    """Match one piece of the truth and take what it matches out of what is seen."""
    counts["drinks"] += 1
    near = [each for each in seen if np.hypot(*np.subtract(each.at_mm, piece["at"])) < NEAR_MM]
    if not near:
        counts["missed"] += 1
        return
    name = piece["appearance"]
    best = next((each for each in near if each.appearance == name), near[0])
    seen.remove(best)
    counts["right"] += best.appearance == name
    counts["colour right"] += colour_of(best.appearance) == colour_of(name)
    counts["can or bottle right"] += ("can" in shape_of(best.appearance)) == ("can" in shape_of(name))
    counts["clear"] += clear
    counts["clear shape right"] += clear and shape_of(best.appearance) == shape_of(name)
    if best.appearance != name:
        wrong[f"{shape_of(name)} as {shape_of(best.appearance)}"] += 1


def main() -> None:
    """Score the sets named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for folder in args.sets:
        score(folder, args.every)


if __name__ == "__main__":
    main()
