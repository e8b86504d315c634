"""A table on which pieces are laid for enrolment, as a camera sees it: the enrolment pictures of an excerpt."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import cv2

from companion.games import registry
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set
from vision.pieces.piece_set import PieceSet

EXCERPT = Path(__file__).parents[1] / "data" / "war-chest-1"
HAND = EXCERPT / "frames" / "0004.jpg"


@cache
def enrolled() -> PieceSet:
    """The excerpt's pieces, as its own pictures show them."""
    return enrol_set(read_set(EXCERPT), registry.kinds("war-chest"))


class TableWithCamera:
    """A picture set of one picture that always shows what lies on the table: played over and over, it is a camera."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._sight = folder, folder / "frames" / "0000.jpg"
        (folder / "frames").mkdir(parents=True)
        shutil.copyfile(EXCERPT / "set.json", folder / "set.json")
        enrolments = json.loads((EXCERPT / "enrol.json").read_text(encoding="utf-8"))
        (folder / "enrol.json").write_text(json.dumps(enrolments), encoding="utf-8")
        shutil.copyfile(EXCERPT / "board.jpg", folder / "board.jpg")
        (folder / "record.jsonl").write_bytes((EXCERPT / "record.jsonl").read_bytes())
        bare = enrolled().bare
        assert bare is not None
        cv2.imwrite(str(folder / "bare.jpg"), bare.image, [cv2.IMWRITE_JPEG_QUALITY, 98])
        self.bare = folder / "bare.jpg"
        self.layings = (self.bare, EXCERPT / "enrol" / "0.jpg", EXCERPT / "enrol" / "1.jpg")
        self.shows(self.bare)

    def shows(self, picture: Path) -> None:
        """From now on this lies on the table."""
        fresh = self._sight.with_suffix(".new")
        shutil.copyfile(picture, fresh)
        fresh.replace(self._sight)
