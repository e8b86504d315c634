# ruff: noqa: T201 (a script prints)
"""How well single looks at drinks are read: `python -m tests.vision.score_drinks SET… [--every N]`.

Uses the sets' truth, for judging alone; in sets of other games than Kamikaze Cans it also tells which looks are free
and where the crates stand. Prints for each set what was right, the confusions by shape, and times.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.cli.one_look_jointly import JointReading, decide
from companion.games import registry
from companion.games.kamikaze_cans.layout import layout
from companion.table import Body, Sight, colour_of, shape_of
from companion.table.crate import CRATE_MM, FLOOR_MM, RIM_MM
from vision.drinks.classifier import read_drink
from vision.drinks.drawing import draw_reading
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkPrior, DrinkReading
from vision.drinks.models import Models
from vision.drinks.zone_detector import read_zone
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, read_set, read_truth
from vision.fiducials.tag_pose import find_cards
from vision.imaging.camera import View
from vision.imaging.footprints import opening_mm, slot_centres_mm
from vision.photometry.white_fit import fit_white
from vision.pieces.piece_set import PieceSet
from vision.pieces.piece_set_file import load_piece_set, save_piece_set
from vision.pipeline.reader import Reader
from vision.scene.scene import Scene

NEAR_MM, VISIBLE, CLEAR_SHIFT_MM = 6.0, 0.3, 0.7
DRINK_ZONES = ("stock:", "supply:")


@dataclass(frozen=True, slots=True)
class Looked:
    """One look: the truth's line, what was seen, from where, and how long reading it took."""

    line: dict[str, Any]
    sights: tuple[Sight, ...] | None
    view: View | None
    read_ms: float


def score(folder: Path, every: int) -> None:
    """Read a set's frames in order and compare each free look, decided by itself, with the truth."""
    known = read_set(folder)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "pieces.zip"
        save_piece_set(enrol_set(known, registry.kinds(known.game)), file)
        pieces = load_piece_set(file)
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    read_ms: list[float] = []
    looks = by_reader if known.game == "kamikaze-cans" else by_truth
    for look in looks(known, pieces, every):
        counts["busy read"] += look.sights is not None and not look.line["free"]
        counts["free unread"] += look.sights is None and look.line["free"]
        if look.sights is None or look.view is None or not look.line["free"]:
            continue
        read_ms.append(look.read_ms)
        seen = [each for each in decide(look.sights) if "/" in each.appearance]
        for piece in look.line["pieces"]:
            if "/" in piece["appearance"] and piece["visible"] >= VISIBLE and _looked_for(piece["spot"]):
                shift = 4 * np.linalg.norm(look.view.lean(piece["at"], 10)) / look.view.px_per_mm(piece["at"], 10)
                _judge(piece, seen, bool(shift >= CLEAR_SHIFT_MM), counts, wrong)
        counts["not there"] += len(seen)
    print(folder.name, dict(counts), f"read ms: median {statistics.median(read_ms):.0f}, first {read_ms[0]:.0f}")
    print("  wrong:", dict(wrong.most_common(12)), flush=True)


def by_reader(known: PictureSet, pieces: PieceSet, every: int) -> Iterator[Looked]:
    """Looks as the reader takes them."""
    reader = Reader(known.lens, pieces, layout(len(known.seats)), known.zones, known.seats)
    for index, line in enumerate(read_truth(known.folder)):
        if index % every == 0:
            look = reader.look(known.frame(index))
            view = None if reader.arrangement is None else reader.arrangement.view
            sights = None if look.observation is None else look.observation.sights
            yield Looked(line, sights, view, look.ms.get("read", 0.0))


def by_truth(known: PictureSet, pieces: PieceSet, every: int) -> Iterator[Looked]:
    """Free looks at the slots of upright crates that stand where the truth says, and at zones of drinks, all anew."""
    arrangement, first = None, None
    for index, line in enumerate(read_truth(known.folder)):
        if index % every or not line["free"]:
            continue
        image = known.frame(index).image
        start = time.perf_counter()
        arrangement = find_cards(image, known.lens, arrangement)
        white = fit_white(image, arrangement, first)
        first = first or white
        crates = [Body(piece["spot"], "crate", (piece["at"][0], piece["at"][1]), CRATE_MM, piece["turn"])
                  for piece in line["pieces"] if piece["appearance"] == "crate"]
        scene = Scene(image, arrangement.view, white, pieces.bare, pieces.crate_colours, crates)
        sights = _slots(scene, crates, pieces.in_crate)
        for name, corners in known.zones.items():
            if name.startswith(DRINK_ZONES):
                found = read_zone(scene, [(float(x), float(y)) for x, y in corners], pieces.on_table)
                sights += [_sight(name, reading, pieces.on_table) for reading in found]
        yield Looked(line, tuple(sights), arrangement.view, 1000 * (time.perf_counter() - start))


def _slots(scene: Scene, crates: list[Body], models: Models) -> list[Sight]:
    poses = {f"{crate.spot}:{slot}": DrinkPose(np.array([*at, FLOOR_MM]), crate.turn_deg, opening_mm(crate, at),
                                                RIM_MM)
              for crate in crates for slot, at in enumerate(slot_centres_mm(crate))}
    readings = {spot: read_drink(scene, pose, models) for spot, pose in poses.items()}
    numbers = {spot: number for number, spot in enumerate(poses, 1) if not readings[spot].is_empty}
    for spot, number in numbers.items():
        draw_reading(scene, number, readings[spot], models)
    for spot, number in numbers.items():
        readings[spot] = read_drink(scene, poses[spot], models, DrinkPrior(number))
        draw_reading(scene, number, readings[spot], models)
    return [_sight(spot, reading, models) for spot, reading in readings.items()]


def _sight(spot: str, reading: DrinkReading, models: Models) -> Sight:
    return Sight(spot, reading.feet_mm[reading.best], models.loglik(reading), reading.turn_deg)


def _looked_for(spot: str) -> bool:
    return spot.startswith(("grid:", "crate:", *DRINK_ZONES))


def _judge(
    piece: dict[str, Any], seen: list[JointReading], clear: bool, counts: Counter[str], wrong: Counter[str]
) -> None:
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
