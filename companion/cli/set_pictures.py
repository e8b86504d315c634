"""A set's pictures beside its truth: where the camera was, what lies in a reflection, drawings of what was misread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from companion.cli.judge_spots import Eye, Matched
from companion.engine import Json
from companion.errors import SightError
from vision.enrolment.picture_set import PictureSet
from vision.fiducials.tag_pose import find_cards
from vision.imaging.camera import View
from vision.imaging.frame import Image

DAZZLING: Final = 250
"""A pixel of which every colour is as bright as this shows light and no piece."""
DAZZLED_SHARE: Final = 0.03
"""Share of a face in a reflection that makes it hard to read."""
ROUND_OFF: Final = 0.45
"""Half the side of a face's middle part that is looked at, as a share of its side."""
RIGHT, WRONG, OPEN, QUIET = (90, 190, 90), (60, 60, 230), (40, 190, 250), (160, 160, 160)
"""Colours B, G, R."""
DRAWN_PX: Final = 1152
"""Width of a drawing."""
LEAST_SHARE: Final = 0.35
"""At least so much of a picture's width and height is drawn."""
ROOM_PX: Final = 120


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
    """The numbers of the pieces that lie in a reflection, of those that are `known`."""
    bright = (image.min(axis=2) >= DAZZLING).astype(np.uint8)
    found = set()
    for number, piece in enumerate(pieces):
        about = known.get(piece["appearance"])
        if about is None:
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
    """The part of a picture in which something is wrong, with a ring around every spot: green right, yellow left open,
    red wrong, these numbered from 1 in the order given."""
    places = [_place_px(view, each) for each in matched]
    wrong = [at for at, each in zip(places, matched, strict=True) if each.answer == "wrong" and each.counts]
    left, top, width, height = _part(image, wrong or places)
    scale = DRAWN_PX / width
    small = np.asarray(cv2.resize(image[top : top + height, left : left + width], None, fx=scale, fy=scale,
                                  interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC), np.uint8)
    number = 0
    for (x, y), each in zip(places, matched, strict=True):
        at = round((x - left) * scale), round((y - top) * scale)
        is_wrong = each.answer == "wrong" and each.counts
        colour = WRONG if is_wrong else {"right": RIGHT, "open": OPEN}.get(each.answer, QUIET)
        cv2.circle(small, at, 15 if is_wrong else 8, colour, 3 if is_wrong else 1, cv2.LINE_AA)
        if is_wrong:
            number += 1
            _label(small, str(number), (at[0] + 13, at[1] - 16))
    return small


def _place_px(view: View, each: Matched) -> tuple[float, float]:
    where = each.piece or each.stand or {}
    x, y = view.project_at([where["at"]], where.get("z", 0.0))[0].tolist()
    return x, y


def _part(image: Image, places: Sequence[tuple[float, float]]) -> tuple[int, int, int, int]:
    """Left, top, width and height of a part of the picture's own shape with these places in it and room around."""
    points = np.array(places).reshape(-1, 2)
    low, high = points.min(axis=0), points.max(axis=0)
    whole = np.array([image.shape[1], image.shape[0]])
    share = float(min(1.0, max(LEAST_SHARE, *((high - low + 2 * ROOM_PX) / whole))))
    size = np.round(share * whole).astype(int)
    corner = np.clip(np.round((low + high - size) / 2), 0, whole - size).astype(int)
    return int(corner[0]), int(corner[1]), int(size[0]), int(size[1])


def _label(image: Image, text: str, at: tuple[int, int]) -> None:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.6, 2)
    x, y = max(0, min(at[0], image.shape[1] - width - 8)), max(height + 8, at[1])
    cv2.rectangle(image, (x, y - height - 8), (x + width + 8, y), (20, 20, 20), -1)
    cv2.putText(image, text, (x + 4, y - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 2, cv2.LINE_AA)
