"""The piece set of kept pictures, put where the eyes look for it, with the pieces that are most alike.

    learn_kept(keep, lambda share: …)

The earlier piece set is put aside first, and replaced whole: when the disk is full, it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.games import registry
from companion.session.enrolled import (
    LEARNED,
    keep_alike,
    pictures_folder,
    keep_earlier,
    whose_pieces,
)
from companion.session.enrolment import AlikeShown
from companion.session.kept_pieces import PIECES, piece_file
from companion.session.whole_file import write_whole
from companion.errors import InvalidError, phrase
from companion.table import Appearance
from vision.enrolment.drink_separability import DrinksAlike, confusable_drinks
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, read_picture, read_set
from vision.fiducials.tag_pose import find_cards
from vision.imaging.frame import Image
from vision.pieces.face_separability import FacesAlike, confusable_faces
from vision.pieces.piece_set import PieceSet
from vision.pieces.piece_set_file import save_piece_set
from vision.pieces.separability import ALIKE_NATS

LEARNING_SHARE = 0.9
"""How much of the time learning takes; the rest is for finding what is most alike."""

CROP_PX, CROP_SHARE = 240, 2.2
"""How wide the picture of a piece is, and how much of the table it shows, by the piece's size."""

CROP_QUALITY = 88


def most_alike(pieces: PieceSet, known: PictureSet) -> tuple[DrinksAlike | FacesAlike, ...]:
    """The drinks and the faces that are most easily taken for one another. Raises `SightError` when a picture cannot be
    read."""
    face = confusable_faces(pieces)
    return (*confusable_drinks(pieces, known), *(() if face is None else (face,)))


def learn_kept(keep: Path, progress: Callable[[float], None]) -> None:
    """Learns the pieces of the enrolment that is going on, from 0 to 1. Raises `CompanionError` when they cannot be
    learned, `OSError` when they cannot be kept; what was known before stays then."""
    folder, whose = pictures_folder(keep), whose_pieces(keep)
    if whose is None or whose.game not in registry.ids():
        raise InvalidError(phrase("enrol.damaged"))
    known, file = read_set(folder), piece_file(keep, whose.game)
    pieces = enrol_set(known, registry.kinds(whose.game), lambda share: progress(share * LEARNING_SHARE))
    alike, pictures = most_alike(pieces, known), _Pictures(known)
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(file.name + ".fresh")
    try:
        save_piece_set(pieces, fresh)
        keep_earlier(file)
    except OSError:
        for cut in (fresh, fresh.with_name(fresh.name + ".new")):
            cut.unlink(missing_ok=True)
        raise
    fresh.replace(file)
    keep_alike(keep, whose.game, tuple(_shown(keep, whose.game, pictures, alike)))
    write_whole(folder / LEARNED, b"")
    progress(1.0)


def _shown(
    keep: Path, game: str, pictures: _Pictures, alike: Sequence[DrinksAlike | FacesAlike]
) -> Iterator[AlikeShown]:
    for at, each in enumerate(alike):
        shown = {f"{game}-{2 * at + of}": pictures.of(name) for of, name in enumerate((each.one, each.other))}
        for name, jpeg in shown.items():
            if jpeg is not None:
                write_whole(keep / PIECES / f"{name}.jpg", jpeg)
        there = all(jpeg is not None for jpeg in shown.values())
        yield AlikeShown(each.verdict, each.one, each.other, each.nats >= ALIKE_NATS, tuple(shown) if there else ())


class _Pictures:
    """Pictures of single pieces, cut out of those of an enrolment."""

    def __init__(self, known: PictureSet) -> None:
        self._known = known

    def of(self, appearance: Appearance) -> bytes | None:
        """A piece where it lay first, as JPEG; None for one that never did."""
        size = next((max(each.size_mm) for each in self._known.pieces if each.name == appearance), 0.0)
        for each in self._known.enrolments:
            laid = next((laid for laid in each.pieces if laid.appearance == appearance), None)
            if laid is not None and size:
                image = read_picture(each.picture, self._known.lens)
                view = find_cards(image, self._known.lens).view
                middle = view.project_at([laid.at_mm], size / 4)[0]
                return _cut_out(image, middle.tolist(), size * CROP_SHARE * view.px_per_mm(laid.at_mm))
        return None


def _cut_out(image: Image, middle: Sequence[float], wide_px: float) -> bytes:
    part = cv2.getRectSubPix(image, (max(8, round(wide_px)),) * 2, (float(middle[0]), float(middle[1])))
    sized = np.asarray(cv2.resize(part, (CROP_PX, CROP_PX), interpolation=cv2.INTER_CUBIC), np.uint8)
    good, jpeg = cv2.imencode(".jpg", sized, [cv2.IMWRITE_JPEG_QUALITY, CROP_QUALITY])
    assert good
    return jpeg.tobytes()
