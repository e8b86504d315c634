"""What the network learns from: planes around drinks, empty slots and bare places, and what is there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.errors import SightError
from companion.table import EMPTY, shape_of
from companion.table.crate import FLOOR_MM, SLOTS, slot_mm
from vision.enrolment.opened_picture import LaidPicture, open_picture
from vision.enrolment.picture_set import read_set, read_truth
from vision.imaging.arrays import Floats
from vision.imaging.camera import Lens, spin
from vision.imaging.frame import Image
from vision.photometry.white_reference import LitPicture
from vision.shapes.plane_sweep import SIDE_PX, slant, sweep
from vision.shapes.shape_net import KINDS_TOLD

MARGIN_PX = 10
"""So much wider to all sides are the planes that are kept, for feet that are not known exactly."""

CODED = 180
"""Planes are kept as bytes: so many times their values."""

SEEN_SHARE, BARE_PLACES = 0.25, 30
"""Drinks of which less is seen are no examples; so many bare places are tried for each picture."""
CRATE = "crate"
"""The appearance of an upright one; those of others begin with it."""

BARE_MM, NEAR_MM, CRATE_ROOM_MM, IN_SLOT_MM = 8.5, 40.0, 32.0, 6.0
"""Bare places are so far from the next foot, so near to one, and so far from crates; a drink this near to a slot's
middle stands in it."""


@dataclass(frozen=True, slots=True)
class Example:
    """A foot (3,) in mm, whether it is in a slot, and what stands there."""

    foot_mm: Floats
    in_slot: bool
    kind: str


def examples(pieces: list[dict[str, Any]], rng: np.random.Generator) -> Iterator[Example]:
    """The places of a picture, by the truth of its pieces. A slot is known by its middle, as in games."""
    drinks = [each for each in pieces if "/" in each["appearance"] and each["spot"] != "hand"]
    crates = [each for each in pieces if each["appearance"].startswith(CRATE)]
    standing = [each for each in drinks if each["z"] == 0]
    for crate in crates:
        if crate["appearance"] == CRATE:
            yield from _slots(crate, drinks)
    for each in standing:
        if each["visible"] >= SEEN_SHARE:
            yield Example(np.array([*each["at"], 0.0]), False, shape_of(each["appearance"]))
    for _ in range(BARE_PLACES if standing else 0):
        way, far = rng.uniform(0, 2 * np.pi), rng.uniform(BARE_MM, NEAR_MM)
        at = rng.choice([each["at"] for each in standing]) + far * np.array([np.cos(way), np.sin(way)])
        if _nearest_mm(at, drinks) > BARE_MM and _nearest_mm(at, crates) > CRATE_ROOM_MM:
            yield Example(np.array([*at, 0.0]), False, EMPTY)


def _slots(crate: dict[str, Any], drinks: list[dict[str, Any]]) -> Iterator[Example]:
    for column in range(SLOTS[0]):
        for row in range(SLOTS[1]):
            middle = spin(crate["turn"]) @ slot_mm(column, row) + crate["at"]
            inside = [each for each in drinks if np.hypot(*np.subtract(each["at"], middle)) < IN_SLOT_MM]
            if not inside or inside[0]["visible"] >= SEEN_SHARE:
                yield Example(np.array([*middle, FLOOR_MM]), True,
                              shape_of(inside[0]["appearance"]) if inside else EMPTY)


def _nearest_mm(at: Floats, pieces: list[dict[str, Any]]) -> float:
    return min((float(np.hypot(*np.subtract(each["at"], at))) for each in pieces), default=np.inf)


def lit(image: Image, lens: Lens) -> LitPicture:
    """A picture with its camera and white reference."""
    opened = open_picture(LaidPicture(image, ()), {}, lens)
    return LitPicture(opened.image, opened.view, opened.white)


def cut(folder: Path) -> dict[str, npt.NDArray[Any]]:
    """The examples of a set: `planes` (n, planes, 3, side, side) uint8, `seen_from` (n, 2) slant and whether in a slot,
    and `kinds` (n,) as positions in `KINDS_TOLD`."""
    known, rng = read_set(folder), np.random.default_rng(0)
    planes, seen_from, kinds = [], [], []
    for line in read_truth(folder):
        frame = known.frame(line["frame"])
        try:
            picture = lit(frame.image, known.lens)
        except SightError:
            continue  # a drink or a crate stands before a card
        for each in examples(line["pieces"], rng):
            wide = sweep(picture, each.foot_mm, SIDE_PX + 2 * MARGIN_PX)
            planes.append(np.clip(np.rint(CODED * wide), 0, 255).astype(np.uint8))
            seen_from.append((slant(picture, each.foot_mm), float(each.in_slot)))
            kinds.append(KINDS_TOLD.index(each.kind))
    return {"planes": np.stack(planes), "seen_from": np.array(seen_from, np.float32), "kinds": np.array(kinds)}
