"""Which places of a look to read, by its truth, to score how flat pieces are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.games.pick_and_pack.layout import MIDDLE
from companion.games.pick_and_pack.layout import layout as pick_layout
from companion.games.war_chest.board import board as hexes
from companion.games.war_chest.board import point
from companion.games.war_chest.layout import CIRCUMRADIUS_MM
from companion.table import EMPTY
from vision.faces.flat_surface import BareTable, PrintedSurface, Surface
from vision.faces.templates import Face
from vision.imaging.camera import spin
from vision.pieces.piece_set import PieceSet

BOARD_ERROR_MM, PLACE_ERROR_MM = 0.3, 1.5
VISIBLE = 0.3
SLACK_MM = {"hex": 4.0, "marker": 3.0, "grid": 2.0, "end": 2.0, "grabber": 3.0, "packing": 4.0}
OTHER_SLACK_MM = 3.0
KINDS = {"hex": "coin", "marker": "marker", "markers": "marker", "supply": "coin", "discard": "coin", "card": "card",
         "cards": "card", "yen": "yen", "coins": "yen", "initiative": "initiative", "end": "tile", "rush": "tile"}
ELSEWHERE = ("hex", "marker", "grid", "end", "board", "line", "machine", "cell", "crate", "beside")


@dataclass(frozen=True, slots=True)
class Asked:
    """A place to read: the truth there (`EMPTY` or an appearance; its centre and turn), and what the eyes know."""

    what: str
    truth: str
    at_mm: tuple[float, float]
    turn_deg: float
    nominal_mm: tuple[float, float]
    floor_mm: float
    candidates: tuple[Face, ...]
    ground: Surface
    slack_mm: float


def places(line: dict[str, Any], pieces: PieceSet, randomly: np.random.Generator) -> Iterator[Asked]:
    """What to ask of one look, by its truth."""
    faces = pieces.faces
    tops: dict[str, dict[str, Any]] = {}
    for piece in line["pieces"]:
        if "/" in piece["appearance"] or piece["spot"] == "hand":
            continue
        tops[pile_spot(piece["spot"])] = piece
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
        if what in ELSEWHERE or piece["visible"] < VISIBLE:
            continue
        nominal = tuple(np.array(piece["at"]) + randomly.uniform(-1, 1, 2) * PLACE_ERROR_MM)
        if what == "packing":
            yield from _packing(spot, piece, line, faces, randomly)
            continue
        candidates = of_kind(faces, KINDS[what])
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
    candidates = (*of_kind(faces, "tray"), *of_kind(faces, "tile"))
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
    candidates = of_kind(faces, "tray") if what == "grid" else of_kind(faces, KINDS[what])
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


def pile_spot(spot: str) -> str:
    """The spot of a whole pile: without the piece's height in it."""
    what, *parts = spot.split(":")
    if what in ("yen", "markers"):
        return f"{what}:{parts[0]}:{int(parts[1]) % 2}"
    if what in ("hex", "discard"):
        return f"{what}:{parts[0]}"
    return ":".join([what, *parts[:2]]) if what in ("supply", "packing") else spot


def of_kind(faces: Any, kind: str) -> tuple[Face, ...]:
    """All faces of one kind of piece."""
    return tuple(face for name, face in faces.items() if name.partition(":")[0] == kind)
