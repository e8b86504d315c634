"""What a thing on the table covers is not read: its spots are out of sight, and what stood there is taken as it was."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.errors import Phrase, phrase
from companion.table import Sight, Spot, spot_phrase
from vision.imaging.arrays import Floats
from vision.imaging.camera import View
from vision.imaging.frame import SMALL_WH, Image
from vision.presence.play_area import SmallMask, small_scale

PIECE_MM = 15.0
"""The height at which a place must be clear too: a thing may hide the piece and not its foot."""

GAIN_STEP = 16
"""Every so many pixels are compared for how much brighter or darker a picture is than an earlier one."""


@dataclass(frozen=True, slots=True)
class Uncovered:
    """The sights and whole zones of a look without what is covered, and the covered spots in order."""

    sights: tuple[Sight, ...]
    zones: frozenset[Spot]
    covered: tuple[Spot, ...]


def seen_under(image: Image, before: Image, covered: SmallMask) -> Image:
    """The picture (h, w, 3) with what is covered painted as it was seen last, in today's light: what reads the table
    then finds nothing changed there."""
    height, width = image.shape[:2]
    under = cv2.resize(covered, (width, height), interpolation=cv2.INTER_NEAREST) > 0
    sample = np.s_[::GAIN_STEP, ::GAIN_STEP]
    clear = ~under[sample]
    gain = image[sample][clear].mean(axis=0) / np.maximum(before[sample][clear].mean(axis=0), 1.0)
    painted = image.copy()
    painted[under] = (before[under] * gain).clip(0, 255).astype(np.uint8)
    return painted


def without_covered(sights: Sequence[Sight], whole: Collection[Spot], zones: Mapping[Spot, Floats],
                    bodies: Collection[Spot], covered: SmallMask, view: View) -> Uncovered:
    """Leave out the sights of what is covered, but for `bodies`, which stay where they stood, and the zones that are
    covered in part. `zones` are corners (4, 2) in the table frame (mm)."""
    hidden = {sight for sight in range(len(sights)) if sights[sight].spot not in bodies
              and _is_covered(sights[sight], covered, view)}
    partly = {spot for spot in whole if _reaches_into(zones[spot], covered, view)}
    spots = dict.fromkeys([sights[number].spot for number in sorted(hidden)] + sorted(partly))
    return Uncovered(tuple(sight for number, sight in enumerate(sights) if number not in hidden),
                     frozenset(whole) - partly, tuple(spots))


def covered_phrase(spots: Sequence[Spot]) -> Phrase | None:
    """What people are told about covered spots; None if there are none."""
    if not spots:
        return None
    where = spot_phrase(spots[0])
    if len(spots) == 1:
        return phrase("eyes.covered", spot=where)
    return phrase("eyes.covered_more", spot=where, number=len(spots) - 1)


def _is_covered(sight: Sight, covered: SmallMask, view: View) -> bool:
    at_mm = np.array([sight.at_mm], np.float64)
    px = np.concatenate([view.project_at(at_mm, height) for height in (0.0, PIECE_MM)]) * small_scale(view)
    across, down = np.clip(np.rint(px).astype(int), 0, np.array(SMALL_WH) - 1).T
    return bool(covered[down, across].any())


def _reaches_into(corners: Floats, covered: SmallMask, view: View) -> bool:
    zone = np.zeros_like(covered)
    outline = view.project_at(corners, 0.0) * small_scale(view)
    cv2.fillConvexPoly(zone, cv2.convexHull(np.rint(outline).astype(np.int32)), (255,))
    return bool(cv2.bitwise_and(zone, covered).any())
