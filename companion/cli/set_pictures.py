"""A set's pictures beside its truth: where the camera was, what lies in a reflection, drawings of what was misread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from companion.cli.judge_spots import FACES, Eye, Matched
from companion.engine import Json
from companion.errors import SightError
from vision.camera import View
from vision.cards import find_cards
from vision.frames import Image
from vision.pictureset import PictureSet

DAZZLING: Final = 250
"""A pixel of which every colour is as bright as this shows light and no piece."""
DAZZLED_SHARE: Final = 0.03
"""So much of a face in a reflection makes it hard to read."""
ROUND_OFF: Final = 0.45
"""Half the side of a face's middle part that is looked at, as a share of its side."""
RIGHT, WRONG, OPEN = (90, 190, 90), (60, 60, 230), (40, 190, 250)
"""Colours B, G, R."""
DRAWN_PX: Final = 1152


def views(pictures: PictureSet, frames: Sequence[int]) -> Iterator[tuple[int, Image, View]]:
    """The pictures of these frames with the camera's place, as far as they can be read."""
    numbers = {int(path.stem): index for index, path in enumerate(pictures.pictures) if path.stem.isdigit()}
    arrangement = None
    for frame in frames:
        try:
            image = pictures.frame(numbers[frame]).image
            arrangement = find_cards(image, pictures.lens, arrangement)
        except (SightError, KeyError):
            continue
        yield frame, image, arrangement.view


def eye_of(view: View) -> Eye:
    """Where the camera is, in mm in the table frame."""
    x, y, z = view.position_mm.tolist()
    return x, y, z


def dazzled(image: Image, view: View, pieces: Sequence[Json], known: Mapping[str, Json]) -> frozenset[int]:
    """The numbers of the pieces with a face that lie in a reflection."""
    bright = (image.min(axis=2) >= DAZZLING).astype(np.uint8)
    found = set()
    for number, piece in enumerate(pieces):
        about = known.get(piece["appearance"])
        if about is None or about["kind"] not in FACES:
            continue
        half = ROUND_OFF * min(about["size"][:2])
        (x, y), top = piece["at"], piece["z"] + about["size"][2]
        corners = view.project_at([(x - half, y - half), (x + half, y - half), (x + half, y + half),
                                   (x - half, y + half)], top)
        (left, low), (right, high) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int) + 1
        part = bright[max(0, low) : high, max(0, left) : right]
        if part.size and part.mean() > DAZZLED_SHARE:
            found.add(number)
    return frozenset(found)


def drawn(image: Image, view: View, matched: Sequence[Matched]) -> Image:
    """A smaller copy of a picture with a ring around every spot: green right, yellow left open, red wrong, with what
    was taken for what."""
    scale = DRAWN_PX / image.shape[1]
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    for each in sorted(matched, key=lambda each: each.answer == "wrong"):
        where = each.piece or each.stand or {}
        at_px = np.round(view.project_at([where["at"]], where.get("z", 0.0))[0] * scale).astype(int)
        x, y = at_px.tolist()
        is_right = each.answer == "right"
        colour = {"right": RIGHT, "open": OPEN}.get(each.answer, WRONG)
        cv2.circle(small, (x, y), 6 if is_right else 11, colour, 1 if is_right else 2, cv2.LINE_AA)
        if each.answer == "wrong":
            _label(small, f"{_name(each.piece)} > {_name(each.stand)}", (x, y))
    return small


def _name(piece: Json | None) -> str:
    return "nothing" if piece is None else str(piece["appearance"] or "open")


def _label(image: Image, text: str, at: tuple[int, int]) -> None:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.42, 1)
    x = min(max(0, at[0] - width // 2), max(0, image.shape[1] - width - 4))
    y = min(at[1] + 16, image.shape[0] - height - 6)
    cv2.rectangle(image, (x - 2, y - 2), (x + width + 2, y + height + 4), (20, 20, 20), -1)
    cv2.putText(image, text, (x, y + height), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (255, 255, 255), 1, cv2.LINE_AA)
