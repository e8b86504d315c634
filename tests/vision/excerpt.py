"""The excerpt of a picture set that tests look at, and where whole sets are, if there are any."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from companion.table import Body
from companion.table.crate import CRATE_MM
from vision.bodies.crate_fit import CratePicture, learn_crates
from vision.bodies.crate_look import CrateLook
from vision.enrolment.picture_set import PictureSet, read_picture, read_set, read_truth
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.imaging.frame import Image
from vision.photometry.white_fit import fit_white
from vision.photometry.white_reference import White

ROOT = Path(__file__).parents[2]
EXCERPT = ROOT / "tests/data/kamikaze-1"
TABLES = Path(os.environ.get("TABLES", ROOT.parent / "shared/tables"))


def whole_sets() -> list[Path]:
    return sorted(path.parent for path in TABLES.glob("*/set.json"))


@cache
def excerpt() -> PictureSet:
    return read_set(EXCERPT)


@cache
def picture(index: int) -> Image:
    return excerpt().frame(index).image


@cache
def enrolment(index: int) -> Image:
    return read_picture(excerpt().enrolments[index].picture, excerpt().lens)


@cache
def arrangement() -> Arrangement:
    return find_cards(enrolment(0), excerpt().lens)


@cache
def white() -> White:
    return fit_white(enrolment(0), arrangement())


@cache
def crate_look() -> CrateLook:
    pictures = []
    for index in (2, 3):
        laid = [piece for piece in excerpt().enrolments[index].pieces if piece.appearance == "crate"]
        crates = tuple(Body(f"laid:{number}", "crate", piece.at_mm, CRATE_MM, piece.turn_deg)
                       for number, piece in enumerate(laid))
        pictures.append(CratePicture(enrolment(index), arrangement().view, white(), crates))
    look = learn_crates(pictures)
    assert look is not None
    return look


def true_cards(index: int) -> dict[int, tuple[float, float, float]]:
    return {card["card"]: (*card["at"], card["turn"]) for card in read_truth(EXCERPT)[index]["cards"]}


def true_crates(index: int) -> dict[str, tuple[float, float, float]]:
    return {piece["spot"]: (*piece["at"], piece["turn"]) for piece in read_truth(EXCERPT)[index]["pieces"]
            if piece["appearance"] == "crate"}
