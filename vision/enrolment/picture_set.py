"""Picture sets: a folder with the pictures of a game, a description of the set-up, and enrolment pictures.

Reading a set never touches its ground truth (`frames.jsonl`); only `read_truth` does, for judging.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import InvalidError, SightError, phrase
from companion.table import Appearance, Piece, Point, Spot
from vision.imaging.camera import Lens, lens_from_json
from vision.imaging.frame import SMALL_WH, Frame, Image
from vision.imaging.layout_pose import ZoneCorners

SECONDS_PER_FRAME = 4.0
"""Time from one picture of a set to the next: they are single moments, some seconds apart."""

TRUTH_KEYS = ("frame", "free", "ply", "cards", "pieces")
"""The keys of the ground truth of each frame."""



@dataclass(frozen=True, slots=True)
class LaidPiece:
    """A piece laid out for enrolment: centre of its foot in the table frame (mm), turn in degrees."""

    appearance: Appearance
    at_mm: Point
    turn_deg: float


@dataclass(frozen=True, slots=True)
class Enrolment:
    """A picture of pieces laid out for enrolment."""

    picture: Path
    pieces: tuple[LaidPiece, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PictureSet:
    """A picture set. `zones` are corners in the table frame (mm), good to about 10 mm; `seats` the direction, in
    degrees, in which each player sits; `board` is as in `set.json`; `pictures` are the game's frames in order."""

    folder: Path
    game: str
    lens: Lens
    pieces: tuple[Piece, ...]
    zones: Mapping[Spot, ZoneCorners]
    seats: Mapping[int, float]
    board: Mapping[str, Any] | None
    enrolments: tuple[Enrolment, ...]
    pictures: tuple[Path, ...]

    def frame(self, index: int) -> Frame:
        """The frame at `index` in `pictures`. Raises `SightError` when its picture cannot be read."""
        path = self.pictures[index]
        number = int(path.stem) if path.stem.isdigit() else index
        image = read_picture(path, self.lens)
        return Frame(image, make_small(image), SECONDS_PER_FRAME * number, number)

    def drawings(self) -> dict[Appearance, Image]:
        """The board's print as a flat picture, if there is one. Raises `SightError` when it cannot be read."""
        if self.board is None or "picture" not in self.board:
            return {}
        return {str(self.board["name"]): _decoded(self.folder / str(self.board["picture"]))}

    def frames(self) -> Iterator[Frame]:
        """All frames in order. Raises `SightError` at the first picture that cannot be read."""
        return (self.frame(index) for index in range(len(self.pictures)))


def read_set(folder: Path) -> PictureSet:
    """A set's description; pictures are read when they are asked for. Raises `InvalidError` when it is not a set."""
    about = _json(folder / "set.json")
    enrolled = _json(folder / "enrol.json") if (folder / "enrol.json").exists() else []
    try:
        return PictureSet(
            folder, str(about["game"]), lens_from_json(about["camera"]),
            tuple(_piece(each) for each in about["pieces"]),
            {str(zone["name"]): _corners(zone["corners"]) for zone in about["zones"]},
            {int(seat["seat"]): float(seat["direction"]) for seat in about["seats"]},
            about.get("board"),
            tuple(Enrolment(folder / each["picture"], tuple(_laid(piece) for piece in each["pieces"]))
                  for each in enrolled),
            tuple(sorted((folder / "frames").glob("*.jpg"))))
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InvalidError):
            raise
        raise InvalidError(phrase("eyes.set_invalid", folder=str(folder))) from error


def read_picture(path: Path, lens: Lens) -> Image:
    """A picture (h, w, 3) B G R of the lens's size. Raises `SightError` when it is missing, cut off or of another."""
    image = _decoded(path)
    if image.shape[:2] != (lens.height, lens.width):
        raise SightError(phrase("eyes.other_size", width=image.shape[1], height=image.shape[0],
                                lens_width=lens.width, lens_height=lens.height))
    return image


def _decoded(path: Path) -> Image:
    """A picture (h, w, 3) B G R. Raises `SightError` when it is missing or cut off."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SightError(phrase("eyes.picture_missing", picture=path.name)) from error
    cut_off = data[:2] == b"\xff\xd8" and b"\xff\xd9" not in data[-64:]  # a JPEG ends with its end marker
    image = None if cut_off or not data else cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise SightError(phrase("eyes.picture_broken", picture=path.name))
    return np.asarray(image, np.uint8)


def make_small(image: Image) -> Image:
    """The small picture (180, 320, 3) for watching."""
    return np.asarray(cv2.resize(image, SMALL_WH, interpolation=cv2.INTER_AREA), np.uint8)


def read_truth(folder: Path) -> list[dict[str, Any]]:
    """The ground truth, a dict for each frame: for judging only, never for reading. Raises `InvalidError` when it is
    missing or malformed."""
    try:
        lines = (folder / "frames.jsonl").read_text(encoding="utf-8").splitlines()
        known = [dict(json.loads(line)) for line in lines if line.strip()]
    except (OSError, TypeError, ValueError) as error:
        raise InvalidError(phrase("eyes.truth_invalid", folder=str(folder))) from error
    if any(key not in each for each in known for key in TRUTH_KEYS):
        raise InvalidError(phrase("eyes.truth_invalid", folder=str(folder)))
    return known


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidError(phrase("eyes.set_invalid", folder=str(path.parent))) from error


def _piece(each: Mapping[str, Any]) -> Piece:
    x, y, height = each["size"]
    return Piece(str(each["name"]), str(each["kind"]), (float(x), float(y), float(height)), bool(each["round"]))


def _laid(each: Mapping[str, Any]) -> LaidPiece:
    x, y = each["at"]
    return LaidPiece(str(each["appearance"]), (float(x), float(y)), float(each["turn"]))


def _corners(each: Any) -> ZoneCorners:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = np.asarray(each, np.float64).reshape(4, 2).tolist()
    return (ax, ay), (bx, by), (cx, cy), (dx, dy)
