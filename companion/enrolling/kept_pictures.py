"""Enrolment pictures that were taken, kept as a picture set from which may be learned again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2

from companion.enrolling.taking import TakenPicture
from companion.errors import InvalidError, phrase
from companion.session.enrolled import LEARNED, PLAN
from companion.session.whole_file import write_whole
from vision.enrolment.picture_set import LaidPiece, PictureSet, make_small, read_picture
from vision.enrolment.placement_plan import PlannedPicture
from vision.imaging.camera import Lens
from vision.imaging.frame import Frame

KEPT_QUALITY = 95
"""Compression of kept pictures: nothing that is learned from may be lost."""


class KeptPictures:
    """A picture set that can be enrolled from, written picture by picture: the description of a known one, the
    pictures, and what lies where in them. Every file is written whole or not at all; raises `OSError` when one cannot
    be, and the others stay."""

    def __init__(self, folder: Path, known: PictureSet, lens: Lens) -> None:
        self._folder, self._lens = folder, lens
        self._lines: dict[int, Any] = {}
        (folder / "enrol").mkdir(parents=True, exist_ok=True)
        if (folder / "enrol.json").exists():
            self._lines = {_number(each): each for each in _read(folder / "enrol.json")}
        if not (folder / "set.json").exists():
            self._describe(known, lens)

    def _describe(self, known: PictureSet, lens: Lens) -> None:
        about = json.loads((known.folder / "set.json").read_text(encoding="utf-8"))
        about |= {name: [] for name in ("zones", "seats") if not getattr(known, name)}
        about["camera"] = {"width": lens.width, "height": lens.height, "K": lens.camera_matrix.tolist(),
                           "dist": lens.dist.tolist()}
        drawing = (about.get("board") or {}).get("picture")
        if drawing is not None and (known.folder / drawing).is_file():
            shutil.copyfile(known.folder / drawing, self._folder / drawing)
        _write(self._folder / "set.json", about)

    @property
    def taken(self) -> tuple[int, ...]:
        """The numbers of the pictures that are kept."""
        return tuple(sorted(self._lines))

    def add(self, number: int, picture: TakenPicture) -> None:
        """Keeps one more picture, in the place of an earlier one of its number."""
        name = f"enrol/{number}.jpg"
        good, jpeg = cv2.imencode(".jpg", picture.frame.image, [cv2.IMWRITE_JPEG_QUALITY, KEPT_QUALITY])
        assert good
        (self._folder / LEARNED).unlink(missing_ok=True)
        write_whole(self._folder / name, jpeg.tobytes())
        lines = {**self._lines, number: {"picture": name, "pieces": [_laid(laid) for laid in picture.pieces]}}
        _write(self._folder / "enrol.json", [lines[each] for each in sorted(lines)])
        self._lines = lines

    def keep_plan(self, plan: Sequence[PlannedPicture]) -> None:
        """Keeps what to lay where."""
        _write(self._folder / PLAN, [
            {"what": each.what, "pieces": [_laid(laid) for laid in each.pieces]} for each in plan])

    def plan(self) -> tuple[PlannedPicture, ...]:
        """What to lay where, as kept; empty before the bare table was taken. Raises `InvalidError` when it is damaged.
        """
        if not self._lines or not (self._folder / PLAN).exists():
            return ()
        try:
            return tuple(PlannedPicture(str(each["what"]), tuple(
                LaidPiece(str(laid["appearance"]), (float(laid["at"][0]), float(laid["at"][1])), float(laid["turn"]))
                for laid in each["pieces"])) for each in _read(self._folder / PLAN))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InvalidError(phrase("enrol.damaged")) from error

    def bare(self) -> Frame:
        """The picture of the bare table. Raises `SightError` when it cannot be read."""
        image = read_picture(self._folder / "enrol" / "0.jpg", self._lens)
        return Frame(image, make_small(image), 0.0, 0)


def _laid(laid: LaidPiece) -> dict[str, Any]:
    return {"appearance": laid.appearance, "at": [round(at, 2) for at in laid.at_mm], "turn": round(laid.turn_deg, 2)}


def _number(line: Any) -> int:
    try:
        return int(Path(line["picture"]).stem)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidError(phrase("enrol.damaged")) from error


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidError(phrase("enrol.damaged")) from error


def _write(file: Path, what: Any) -> None:
    write_whole(file, json.dumps(what, indent=1).encode())
