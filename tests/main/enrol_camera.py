"""A table on which pieces are laid for enrolment, as a camera sees it: the enrolment pictures of an excerpt."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from companion.games import registry
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import LaidPiece, read_picture, read_set
from vision.fiducials.tag_pose import find_cards
from vision.imaging.arrays import Floats
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
        self.folder, self.sight = folder, folder / "frames" / "0000.jpg"
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
        fresh = self.sight.with_suffix(".new")
        shutil.copyfile(picture, fresh)
        fresh.replace(self.sight)


class LaidAsPlanned:
    """The excerpt's pieces where a plan asks for them: cut out of its enrolment pictures, laid on the bare table."""

    def __init__(self, table: TableWithCamera) -> None:
        known = read_set(EXCERPT)
        self._bare = read_picture(table.bare, known.lens)
        self._view = find_cards(self._bare, known.lens).view
        self._sizes = {piece.name: piece for piece in known.pieces}
        self._photos = {laid.appearance: (read_picture(each.picture, known.lens), laid)
                        for each in known.enrolments for laid in each.pieces}

    def picture(self, pieces: Sequence[LaidPiece], file: Path) -> Path:
        """Writes what the camera sees once these pieces lie so."""
        image = self._bare.copy()
        for piece in pieces:
            photo, laid = self._photos[piece.appearance]
            was, now = self._corners(laid), self._corners(piece)
            moved = cv2.getPerspectiveTransform(was.astype(np.float32), now.astype(np.float32))
            outline = np.zeros(image.shape[:2], np.uint8)
            rim = self._rim(piece) if self._sizes[piece.appearance].round else now
            cv2.fillPoly(outline, [np.round(rim * 16).astype(np.int32)], 255, shift=4)
            cut = cv2.warpPerspective(photo, moved, image.shape[1::-1])
            image[outline > 0] = cut[outline > 0]
        cv2.imwrite(str(file), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        return file

    def _corners(self, laid: LaidPiece) -> Floats:
        return self._around(laid, np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64))

    def _rim(self, laid: LaidPiece) -> Floats:
        turns = np.radians(np.arange(0, 360, 5))
        return self._around(laid, np.column_stack([np.cos(turns), np.sin(turns)]))

    def _around(self, laid: LaidPiece, points: Floats) -> Floats:
        wide, deep, height = self._sizes[laid.appearance].size_mm
        turn = np.radians(laid.turn_deg)
        axes = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        return self._view.project_at(points * (wide / 2, deep / 2) @ axes + laid.at_mm, height)
