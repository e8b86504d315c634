"""Enrolment pictures that were taken, kept as a picture set from which may be learned again."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from vision.enrolment.picture_set import LaidPiece, PictureSet
from vision.imaging.camera import Lens
from vision.imaging.frame import Frame

KEPT_QUALITY = 95
"""Compression of kept pictures: nothing that is learned from may be lost."""


@dataclass(frozen=True, slots=True, eq=False)
class TakenPicture:
    """A picture that was taken, and where its pieces really lie."""

    frame: Frame
    pieces: tuple[LaidPiece, ...]


class KeptPictures:
    """A picture set that can be enrolled from, written picture by picture: the description of a known one, the
    pictures, and what lies where in them."""

    def __init__(self, folder: Path, known: PictureSet, lens: Lens) -> None:
        self._folder, self._lines = folder, list[Any]()
        (folder / "enrol").mkdir(parents=True, exist_ok=True)
        about = json.loads((known.folder / "set.json").read_text(encoding="utf-8"))
        about |= {name: [] for name in ("zones", "seats") if not getattr(known, name)}
        about["camera"] = {"width": lens.width, "height": lens.height, "K": lens.camera_matrix.tolist(),
                           "dist": lens.dist.tolist()}
        drawing = (about.get("board") or {}).get("picture")
        if drawing is not None and (known.folder / drawing).is_file():
            shutil.copyfile(known.folder / drawing, folder / drawing)
        (folder / "set.json").write_text(json.dumps(about, indent=1), encoding="utf-8")

    @property
    def count(self) -> int:
        """How many pictures were taken."""
        return len(self._lines)

    def add(self, picture: TakenPicture) -> None:
        """Keep one more picture."""
        name = f"enrol/{self.count}.jpg"
        cv2.imwrite(str(self._folder / name), picture.frame.image, [cv2.IMWRITE_JPEG_QUALITY, KEPT_QUALITY])
        self._lines.append({"picture": name, "pieces": [
            {"appearance": laid.appearance, "at": [round(at, 2) for at in laid.at_mm], "turn": round(laid.turn_deg, 2)}
            for laid in picture.pieces]})
        (self._folder / "enrol.json").write_text(json.dumps(self._lines, indent=1), encoding="utf-8")
