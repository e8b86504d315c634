# ruff: noqa: T201 (a script prints)
"""How well bodies are found: `python -m tests.vision.score_bodies SET… [--every N] [--jitter MM]`.

Reads a set's frames in order as the companion does, but only looks for bodies, and compares with the set's truth: how
far each kind of body is off in mm and degrees, cells told wrongly, bodies missed, and milliseconds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from companion.engine import Json
from companion.errors import SightError
from companion.games.registry import game
from companion.table import Body, Layout
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set, read_truth
from vision.fiducials.tag_pose import find_cards
from vision.imaging.layout_pose import LayoutFrame
from vision.photometry.white_fit import fit_white
from vision.pipeline.body_locator import BodyLocator
from vision.scene.scene import Scene

NEAR_MM = 15.0


def layout_of(folder: Path) -> Layout:
    """The layout of a set's game, by the header of its record."""
    with (folder / "record.jsonl").open(encoding="utf-8") as file:
        header: dict[str, Json] = json.loads(file.readline())
    return game(str(header["game"])).layout(header["setup"])


def score(folder: Path, every: int, jitter_mm: float) -> None:
    """Print how the bodies of a set were found, its zones moved by so much at random."""
    known, layout = read_set(folder), layout_of(folder)
    random = np.random.default_rng(0)
    zones = {spot: tuple((float(x), float(y)) for x, y in np.array(corners) + random.uniform(-jitter_mm, jitter_mm, 2))
             for spot, corners in known.zones.items()}
    pieces = enrol_set(known, layout.kinds)
    frame_of = LayoutFrame(layout, zones, known.seats)
    bodies = BodyLocator(layout, frame_of, pieces, frame_of.zones(layout, zones))
    arrangement, first = None, None
    off: dict[str, list[tuple[float, float]]] = defaultdict(list)
    wrong: list[str] = []
    spent_ms: list[float] = []
    for index, line in enumerate(read_truth(folder)):
        if index % every or not line["free"]:
            continue
        frame = known.frame(index)
        arrangement = find_cards(frame.image, known.lens, arrangement)
        white = fit_white(frame.image, arrangement, first)
        first = first or white
        scene = Scene(frame.image, arrangement.view, white, pieces.bare, pieces.crate_colours)
        start = time.perf_counter()
        try:
            found = bodies.find(scene)
        except SightError as error:
            wrong.append(f"{index}: {error.phrase}")
            continue
        spent_ms.append(1000 * (time.perf_counter() - start))
        there = [piece for piece in line["pieces"] if _is_body(piece["appearance"])]
        for piece in there:
            near = [body for body in found.bodies if _off_mm(body, piece) < NEAR_MM]
            if not near:
                wrong.append(f"{index}: {piece['spot']} missed")
                continue
            best = min(near, key=lambda body: _off_mm(body, piece))
            turn = abs((best.turn_deg - piece["turn"] + 180) % 360 - 180)
            if best.appearance == "crate":
                turn = min(turn, 180 - turn)
            off[best.appearance].append((_off_mm(best, piece), turn))
            cell = piece.get("cell")
            if cell is not None and best.spot != f"cell:{cell[0]},{cell[1]}":
                wrong.append(f"{index}: {piece['spot']} as {best.spot}")
        if len(found.bodies) > len(there):
            wrong.append(f"{index}: {len(found.bodies)} bodies for {len(there)}")
    for name, each in sorted(off.items()):
        mm, deg = np.array(each).T
        print(f"{folder.name} {name}: {len(mm)} looks, mm median {np.median(mm):.2f} p95 {np.percentile(mm, 95):.2f} "
              f"max {mm.max():.2f}, deg median {np.median(deg):.2f} max {deg.max():.2f}")
    print(f"{folder.name}: ms first {spent_ms[0]:.0f}, then median {np.median(spent_ms[1:]):.0f} "
          f"max {max(spent_ms[1:]):.0f}; wrong: {wrong[:8]} ({len(wrong)})", flush=True)


def _is_body(appearance: str) -> bool:
    return appearance.startswith(("board:", "packing:")) or appearance in ("crate", "crate_upside_down", "machine")


def _off_mm(body: Body, piece: dict[str, Json]) -> float:
    return float(np.hypot(*np.subtract(body.at_mm, piece["at"])))


def main() -> None:
    """Score the sets named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jitter", type=float, default=0.0)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for folder in args.sets:
        score(folder, args.every, args.jitter)


if __name__ == "__main__":
    main()
