# ruff: noqa: T201 (a script prints)
"""How well single looks at flat pieces are read: `python -m tests.vision.score_faces SET… [--every N] [--out DIR]`.

Uses the sets' truth, for judging alone: it tells which looks are free, where the boards lie (with an error of 0.3 mm)
and which places to look at. Prints for each kind of place what was right, the confusions, how true "99 %" was, how far
centres and turns were off, and times; `--out` keeps pictures of what was read wrongly.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.games import registry
from companion.games.pick_and_pack.layout import MIDDLE
from companion.games.pick_and_pack.layout import layout as pick_layout
from companion.games.war_chest.board import board as hexes
from companion.games.war_chest.board import point
from companion.games.war_chest.layout import CIRCUMRADIUS_MM
from companion.table import EMPTY, Point
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import LaidPiece, PictureSet, read_set, read_truth
from vision.faces.classifier import read_face
from vision.faces.face_reading import FaceReading
from vision.faces.face_site import FaceSite
from vision.faces.flat_surface import BareTable, PrintedSurface, Surface
from vision.faces.ortho_window import make_window
from vision.faces.templates import Face
from vision.faces.zone_detector import find_faces
from vision.fiducials.tag_pose import find_cards
from vision.imaging.camera import spin
from vision.photometry.white_fit import fit_white
from vision.pieces.piece_set import PieceSet
from vision.scene.scene import Scene

BOARD_ERROR_MM, PLACE_ERROR_MM = 0.3, 1.5
VISIBLE = 0.3
SLACK_MM = {"hex": 4.0, "marker": 3.0, "grid": 2.0, "end": 2.0, "grabber": 3.0, "packing": 4.0}
OTHER_SLACK_MM = 3.0
ZONES = ("supply", "discard", "markers", "initiative", "coins", "cards", "rush")
RISE_MM = {"supply": 10.0, "discard": 17.0, "markers": 4.0}
NEAR_MM = 13.0
KINDS = {"hex": "coin", "marker": "marker", "markers": "marker", "supply": "coin", "discard": "coin", "card": "card",
         "cards": "card", "yen": "yen", "coins": "yen", "initiative": "initiative", "end": "tile", "rush": "tile"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A place to read: the truth there (`EMPTY` or an appearance; its centre and turn), and what the eyes are told."""

    what: str
    truth: str
    at_mm: tuple[float, float]
    turn_deg: float
    nominal_mm: tuple[float, float]
    floor_mm: float
    candidates: tuple[Face, ...]
    ground: Surface
    slack_mm: float


@dataclass(slots=True)
class Tally:
    """What was counted for one kind of place."""

    right: int = 0
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    off_mm: list[float] = field(default_factory=list)
    off_deg: list[float] = field(default_factory=list)
    misfit: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    said: list[tuple[float, bool]] = field(default_factory=list)


def score(folder: Path, every: int, out: Path | None, hands_mm: float) -> dict[str, Tally]:
    """Read every `every`-th free look of a set, place by place."""
    known = read_set(folder)
    randomly = np.random.default_rng(1)
    pieces = enrol_set(laid_by_hand(known, hands_mm, randomly), registry.kinds(known.game))
    tallies: dict[str, Tally] = defaultdict(Tally)
    lines = {line["frame"]: line for line in read_truth(folder)}
    white, arrangement = None, None
    for index in range(0, len(known.pictures), 1):
        frame = known.frame(index)
        line = next(each for name, each in lines.items() if _same_frame(name, frame.number))
        if not line["free"] or index % every:
            continue
        arrangement = find_cards(frame.image, known.lens, arrangement)
        white_now = fit_white(frame.image, arrangement, white)
        white = white or white_now
        scene = Scene(frame.image, arrangement.view, white_now, pieces.bare, None)
        for asked in places(line, pieces, randomly):
            start = time.process_time()
            reading = read_face(scene, FaceSite(asked.nominal_mm, asked.floor_mm, asked.slack_mm, asked.ground),
                                asked.candidates)
            spent = 1000 * (time.process_time() - start)
            _count(tallies[asked.what], asked, reading, spent)
            if out is not None and _said(reading) != asked.truth:
                _keep(out / f"{folder.name}-{frame.number:04}-{asked.what}-{asked.truth}-{_said(reading)}.png".replace(
                    ":", "_"), scene, asked, reading)
        for zone, corners in known.zones.items():
            if zone.partition(":")[0] in ZONES and _of(pieces.faces, KINDS[zone.partition(":")[0]]):
                _score_zone(tallies[f"zone {zone.partition(':')[0]}"], scene, zone, corners, line, pieces,
                            f"{folder.name} {frame.number}")
    return tallies


def _score_zone(tally: Tally, scene: Scene, zone: str, corners: Sequence[Point], line: dict[str, Any],
                pieces: PieceSet, where: str) -> None:
    """Find what lies in a zone and compare with the tops that really lie there."""
    what = zone.partition(":")[0]
    start = time.process_time()
    rise = RISE_MM.get(what, 0.0)
    readings = find_faces(scene, corners, _of(pieces.faces, KINDS[what]), rise)
    tally.ms.append(1000 * (time.process_time() - start))
    lying = [piece for piece in line["pieces"] if piece["spot"] != "hand"]
    tops = {str(index) if what == "coins" else _pile(piece["spot"]): piece for index, piece in enumerate(lying)}
    open_ = list(readings)
    for piece in tops.values():
        near = [each for each in open_ if np.hypot(*np.subtract(each.at_mm, piece["at"])) < NEAR_MM]
        mine = piece["spot"] == zone or piece["spot"].startswith(zone + ":")
        best = min(near, key=lambda each: (_said(each) != piece["appearance"],
                                           np.hypot(*np.subtract(each.at_mm, piece["at"]))), default=None)
        if best is not None:
            open_.remove(best)
        if not mine or piece["visible"] < VISIBLE:
            continue
        said = "nothing" if best is None else _said(best)
        if said == piece["appearance"]:
            tally.right += 1
        else:
            tally.wrong[piece["appearance"], said] += 1
            print("   ", where, zone, piece["appearance"], "read as", said, np.round(piece["at"], 1))
    for ghost in open_:
        if not ghost.is_empty:
            tally.wrong[EMPTY, ghost.best] += 1
            print("   ", where, zone, "ghost", ghost.best, np.round(ghost.at_mm, 1), ghost.fits[ghost.best].misfit)


def _same_frame(name: Any, number: int) -> bool:
    return int(Path(str(name)).stem) == number


def laid_by_hand(known: PictureSet, off_mm: float, randomly: np.random.Generator) -> PictureSet:
    """The set as if its pieces had been laid out up to so far off the places that are told, and turned by as many
    degrees; boards and crates are left as they are."""
    kinds = {piece.name: piece.kind for piece in known.pieces}

    def shifted(laid: LaidPiece) -> LaidPiece:
        if kinds[laid.appearance] in ("board", "crate", "drink"):
            return laid
        x, y, turn = randomly.uniform(-off_mm, off_mm, 3)
        return replace(laid, at_mm=(laid.at_mm[0] + x, laid.at_mm[1] + y), turn_deg=laid.turn_deg + turn)

    return replace(known, enrolments=tuple(
        replace(each, pieces=tuple(shifted(laid) for laid in each.pieces)) for each in known.enrolments))


def places(line: dict[str, Any], pieces: PieceSet, randomly: np.random.Generator) -> Iterator[Asked]:
    """What to ask of one look, by its truth."""
    faces = pieces.faces
    tops: dict[str, dict[str, Any]] = {}
    for piece in line["pieces"]:
        if "/" in piece["appearance"] or piece["spot"] == "hand":
            continue
        tops[_pile(piece["spot"])] = piece
    board = next((piece for piece in line["pieces"] if piece["spot"] == "board"), None)
    ground: Surface = BareTable()
    if board is not None:
        board_at = tuple(np.array(board["at"]) + randomly.normal(0, BOARD_ERROR_MM, 2))
        face = faces[board["appearance"]]
        ground = PrintedSurface(face, board_at, board["turn"], face.piece.size_mm[2])
        for spot, off in _board_places(board["appearance"]):
            nominal = tuple(spin(board["turn"]) @ off + board_at)
            yield from _on_board(spot, nominal, tops, faces, ground)
    for spot, piece in tops.items():
        what = spot.partition(":")[0]
        if what in ("hex", "marker", "grid", "end", "board", "line", "machine", "cell", "crate", "beside"):
            continue
        if piece["visible"] < VISIBLE:
            continue
        nominal = tuple(np.array(piece["at"]) + randomly.uniform(-1, 1, 2) * PLACE_ERROR_MM)
        if what == "packing":
            yield from _packing(spot, piece, line, faces, randomly)
            continue
        candidates = _of(faces, KINDS[what])
        yield Asked(what, piece["appearance"], tuple(piece["at"]), piece["turn"], nominal, piece["z"], candidates,
                    BareTable(), OTHER_SLACK_MM)


def _packing(spot: str, piece: dict[str, Any], line: dict[str, Any], faces: Any, randomly: np.random.Generator
             ) -> Iterator[Asked]:
    seat_crate = ":".join(spot.split(":")[:3])
    crate = next(each for each in line["pieces"] if each["spot"] == seat_crate)
    face = faces[crate["appearance"]]
    at = tuple(np.array(crate["at"]) + randomly.normal(0, BOARD_ERROR_MM, 2))
    ground = PrintedSurface(face, at, crate["turn"], face.piece.size_mm[2])
    is_bare = piece is crate
    candidates = (*_of(faces, "tray"), *_of(faces, "tile"))
    floor = face.piece.size_mm[2] if is_bare else piece["z"]
    yield Asked("packing", EMPTY if is_bare else piece["appearance"], tuple(piece["at"]), piece["turn"], at, floor,
                candidates, ground, SLACK_MM["packing"])


def _on_board(spot: str, nominal: Any, tops: Any, faces: Any, ground: Surface) -> Iterator[Asked]:
    what = spot.partition(":")[0]
    piece = tops.get(spot)
    if piece is not None and piece["visible"] < VISIBLE:
        return
    slack = SLACK_MM[what]
    name, floor, at, turn = EMPTY, 2.0, nominal, 0.0
    if piece is not None:
        name, floor, at, turn = piece["appearance"], piece["z"], tuple(piece["at"]), piece["turn"]
    candidates = _of(faces, "tray") if what == "grid" else _of(faces, KINDS[what])
    if what == "grid":
        candidates = (*candidates, faces["grabber"])
        slack = SLACK_MM["grabber"]
    marker = tops.get(spot.replace("hex", "marker")) if what == "hex" else None
    if marker is not None:
        face = faces[marker["appearance"]]
        ground = PrintedSurface(face, tuple(marker["at"]), marker["turn"], 4.0, ground)
        floor = max(floor, 4.0)
    if what == "marker" and spot.replace("marker", "hex") in tops:
        return
    yield Asked(what + ("" if name != EMPTY else " empty"), name, at, turn, nominal, floor, candidates, ground, slack)


def _board_places(board: str) -> Iterator[tuple[str, Any]]:
    if board == "board:wc":
        for at in sorted(hexes(2).hexes):
            off = np.array(point(at, "wolf")) * CIRCUMRADIUS_MM
            yield f"hex:{at[0]},{at[1]}", off
            if at in hexes(2).locations:
                yield f"marker:{at[0]},{at[1]}", off
    else:
        for place in pick_layout().places:
            if place.on == "board":
                yield place.spot, np.subtract(place.at_mm, MIDDLE)


def _pile(spot: str) -> str:
    """The spot of a whole pile: without the piece's height in it."""
    parts = spot.split(":")
    if parts[0] in ("hex", "yen", "discard"):
        if parts[0] == "yen":
            return f"yen:{parts[1]}:{int(parts[2]) % 2}"
        return ":".join(parts[:2])
    if parts[0] == "supply":
        return ":".join(parts[:3])
    if parts[0] == "packing":
        return ":".join(parts[:3])
    if parts[0] == "markers":
        return f"markers:{parts[1]}:{int(parts[2]) % 2}"
    if parts[0] == "coins":
        return spot
    return spot


def _of(faces: Any, kind: str) -> tuple[Face, ...]:
    return tuple(face for name, face in faces.items() if name.partition(":")[0] == kind)


def _said(reading: FaceReading) -> str:
    return EMPTY if reading.is_empty else reading.best


def _count(tally: Tally, asked: Asked, reading: FaceReading, spent: float) -> None:
    said = _said(reading)
    tally.ms.append(spent)
    values = np.array(list(reading.loglik.values()))
    sure = float(np.exp(values.max() - np.logaddexp.reduce(values)))
    tally.said.append((sure, said == asked.truth))
    if said != asked.truth:
        tally.wrong[asked.truth, said] += 1
        return
    tally.right += 1
    if said != EMPTY:
        tally.misfit.append(reading.fits[said].misfit)
        tally.off_mm.append(float(np.hypot(*np.subtract(reading.at_mm, asked.at_mm))))
        if reading.turn_deg is not None:
            tally.off_deg.append(abs((reading.turn_deg - asked.turn_deg + 180) % 360 - 180))


def _keep(path: Path, scene: Scene, asked: Asked, reading: FaceReading) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    window = make_window(scene.view, asked.nominal_mm, asked.floor_mm, 28.0)
    plain = window.warp(scene.image[window.box.slices].astype(np.float32))
    shown = [cv2.resize(plain, None, fx=3, fy=3)]
    print(path.name, {name: round(value, 1) for name, value in sorted(reading.loglik.items(), key=lambda e: -e[1])[:4]},
          {name: round(each.misfit, 1) for name, each in reading.fits.items() if name in (asked.truth, reading.best)},
          "at", np.round(asked.at_mm, 1), "read at", np.round(reading.at_mm, 1))
    cv2.imwrite(str(path), np.hstack(shown))


def show(tallies: dict[str, Tally]) -> None:
    """Print what was counted."""
    for what, tally in sorted(tallies.items()):
        total = tally.right + tally.wrong.total()
        if not total:
            continue
        line = f"  {what:14} {tally.right}/{total} right {100 * tally.right / total:.2f} %"
        line += f", {statistics.median(tally.ms):.1f} ms (CPU)"
        if tally.off_mm:
            line += f", centre off {_spread(tally.off_mm)} mm, turn {_spread(tally.off_deg)} deg"
            line += f" of {len(tally.off_deg)} told"
            line += f", misfit {_spread(tally.misfit)}, at most {max(tally.misfit):.0f}"
        print(line)
        for (true, said), count in tally.wrong.most_common():
            print(f"      {true or 'empty'} read as {said or 'empty'}: {count}")


def show_said(said: Sequence[tuple[float, bool]]) -> None:
    """Print how often what was said with some certainty was right."""
    edges = [0.0, 0.5, 0.9, 0.99, 0.999, 1.01]
    for low, high in pairwise(edges):
        within = [right for sure, right in said if low <= sure < high]
        if within:
            print(f"  said with {low:.3f} to {min(high, 1):.3f}: {sum(within)}/{len(within)} right")


def _spread(values: Sequence[float]) -> str:
    if not values:
        return "-"
    middle, high = np.percentile(values, (50, 99))
    return f"{middle:.2f} (99 % within {high:.2f})"


def main() -> None:
    """Score the sets that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--hands", type=float, default=0.0, help="lay pieces out for enrolment only so exactly, in mm")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    said: list[tuple[float, bool]] = []
    for folder in asked.sets:
        print(folder.name)
        tallies = score(folder, asked.every, asked.out, asked.hands)
        show(tallies)
        said += [each for tally in tallies.values() for each in tally.said]
    show_said(said)


if __name__ == "__main__":
    main()
