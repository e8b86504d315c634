# ruff: noqa: T201 (a script prints)
"""How well single looks at flat pieces are read: `python -m tests.vision.score_faces SET… [--every N] [--out DIR]`.

Uses the sets' truth, for judging alone: it tells which looks are free, where the boards lie (with an error of 0.3 mm)
and which places to look at. Prints for each kind of place what was right, the confusions, how true "99 %" was, how far
centres and turns were off, and times; `--out` keeps pictures of what was read wrongly.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.games import registry
from companion.table import EMPTY, Point
from tests.vision.face_questions import KINDS, VISIBLE, Asked, of_kind, pile_spot, places
from tests.vision.face_tally import Tally, count, read_as, show, show_claims
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import LaidPiece, PictureSet, read_set, read_truth
from vision.faces.classifier import read_face
from vision.faces.face_reading import FaceReading
from vision.faces.face_site import FaceSite
from vision.faces.ortho_window import make_window
from vision.faces.zone_detector import find_faces
from vision.fiducials.tag_pose import find_cards
from vision.photometry.white_fit import fit_white
from vision.pieces.piece_set import PieceSet
from vision.scene.scene import Scene

ZONES = ("supply", "discard", "markers", "initiative", "coins", "cards", "rush")
RISE_MM = {"supply": 10.0, "discard": 17.0, "markers": 4.0}
NEAR_MM = 13.0


@dataclass(frozen=True, slots=True, eq=False)
class FreeLook:
    """A free look: the truth's line, the number of its frame, and its picture opened."""

    line: dict[str, Any]
    number: int
    scene: Scene


def score(folder: Path, every: int, out: Path | None, hands_mm: float) -> dict[str, Tally]:
    """Read every `every`-th free look of a set, place by place and zone by zone."""
    known = read_set(folder)
    randomly = np.random.default_rng(1)
    pieces = enrol_set(laid_by_hand(known, hands_mm, randomly), registry.kinds(known.game))
    tallies: dict[str, Tally] = defaultdict(Tally)
    for look in free_looks(known, pieces, every):
        for asked in places(look.line, pieces, randomly):
            start = time.process_time()
            reading = read_face(look.scene, FaceSite(asked.nominal_mm, asked.floor_mm, asked.slack_mm, asked.ground),
                                asked.candidates)
            count(tallies[asked.what], asked, reading, 1000 * (time.process_time() - start))
            if out is not None and read_as(reading) != asked.truth:
                name = f"{folder.name}-{look.number:04}-{asked.what}-{asked.truth}-{read_as(reading)}.png"
                _keep(out / name.replace(":", "_"), look.scene, asked, reading)
        for zone, corners in known.zones.items():
            what = zone.partition(":")[0]
            if what in ZONES and of_kind(pieces.faces, KINDS[what]):
                _score_zone(tallies[f"zone {what}"], look, zone, corners, pieces)
    return tallies


def free_looks(known: PictureSet, pieces: PieceSet, every: int) -> Iterator[FreeLook]:
    """Every so many of a set's frames, as far as they are free."""
    lines = {int(Path(str(line["frame"])).stem): line for line in read_truth(known.folder)}
    white, arrangement = None, None
    for index in range(0, len(known.pictures), every):
        frame = known.frame(index)
        line = lines[frame.number]
        if line["free"]:
            arrangement = find_cards(frame.image, known.lens, arrangement)
            white_now = fit_white(frame.image, arrangement, white)
            white = white or white_now
            yield FreeLook(line, frame.number, Scene(frame.image, arrangement.view, white_now, pieces.bare, None))


def _score_zone(tally: Tally, look: FreeLook, zone: str, corners: Sequence[Point], pieces: PieceSet) -> None:
    """Find what lies in a zone and compare with the tops that really lie there."""
    what = zone.partition(":")[0]
    start = time.process_time()
    left = find_faces(look.scene, corners, of_kind(pieces.faces, KINDS[what]), RISE_MM.get(what, 0.0))
    tally.ms.append(1000 * (time.process_time() - start))
    lying = [piece for piece in look.line["pieces"] if piece["spot"] != "hand"]
    tops = {str(index) if what == "coins" else pile_spot(piece["spot"]): piece for index, piece in enumerate(lying)}
    for piece in tops.values():
        best = _nearest(left, piece)
        if best is not None:
            left.remove(best)
        if not (piece["spot"] == zone or piece["spot"].startswith(zone + ":")) or piece["visible"] < VISIBLE:
            continue
        name = "nothing" if best is None else read_as(best)
        tally.right += name == piece["appearance"]
        if name != piece["appearance"]:
            tally.wrong[piece["appearance"], name] += 1
            print("   ", look.number, zone, piece["appearance"], "read as", name, np.round(piece["at"], 1))
    for ghost in (each for each in left if not each.is_empty):
        tally.wrong[EMPTY, ghost.best] += 1
        print("   ", look.number, zone, "ghost", ghost.best, np.round(ghost.at_mm, 1), ghost.misfit)


def _nearest(readings: Sequence[FaceReading], piece: dict[str, Any]) -> FaceReading | None:
    """The reading that shows a piece of the truth: the right one if there is one near, else the nearest."""
    far = {id(each): float(np.hypot(*np.subtract(each.at_mm, piece["at"]))) for each in readings}
    near = [each for each in readings if far[id(each)] < NEAR_MM]
    return min(near, key=lambda each: (read_as(each) != piece["appearance"], far[id(each)]), default=None)


def laid_by_hand(known: PictureSet, off_mm: float, randomly: np.random.Generator) -> PictureSet:
    """The set as if its pieces had been laid out up to so far off the places that are known, and turned by as many
    degrees; boards and crates are left as they are."""
    kinds = {piece.name: piece.kind for piece in known.pieces}

    def shifted(laid: LaidPiece) -> LaidPiece:
        if kinds[laid.appearance] in ("board", "crate", "drink"):
            return laid
        x, y, turn = randomly.uniform(-off_mm, off_mm, 3)
        return replace(laid, at_mm=(laid.at_mm[0] + x, laid.at_mm[1] + y), turn_deg=laid.turn_deg + turn)

    return replace(known, enrolments=tuple(
        replace(each, pieces=tuple(shifted(laid) for laid in each.pieces)) for each in known.enrolments))


def _keep(path: Path, scene: Scene, asked: Asked, reading: FaceReading) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    window = make_window(scene.view, asked.nominal_mm, asked.floor_mm, 28.0)
    plain = window.warp(scene.image[window.box.slices].astype(np.float32))
    shown = [cv2.resize(plain, None, fx=3, fy=3)]
    print(path.name, {name: round(value, 1) for name, value in sorted(reading.loglik.items(), key=lambda e: -e[1])[:4]},
          {name: round(each.misfit, 1) for name, each in reading.fits.items() if name in (asked.truth, reading.best)},
          "at", np.round(asked.at_mm, 1), "read at", np.round(reading.at_mm, 1))
    cv2.imwrite(str(path), np.hstack(shown))


def main() -> None:
    """Score the sets that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--hands", type=float, default=0.0, help="lay pieces out for enrolment only so exactly, in mm")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    claims: list[tuple[float, bool]] = []
    for folder in asked.sets:
        print(folder.name)
        tallies = score(folder, asked.every, asked.out, asked.hands)
        show(tallies)
        claims += [each for tally in tallies.values() for each in tally.claims]
    show_claims(claims)


if __name__ == "__main__":
    main()
