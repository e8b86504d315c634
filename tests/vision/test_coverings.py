"""What covers the play area: thick things that came, told from pieces, light and what was there before."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging.frame import Image
from vision.presence.coverings import Coverings
from vision.presence.play_area import PlayArea

PX_PER_MM = 0.4
BLUE = (170, 60, 40)
Disc = tuple[int, int, int]
"""Centre and radius in px."""


def area() -> PlayArea:
    play, cards = np.zeros((180, 320), np.uint8), np.zeros((180, 320), np.uint8)
    play[50:130, 80:240] = 255
    cards[10:30, 10:30] = 255
    return PlayArea(play, cards, 60.0, PX_PER_MM)


def table(*discs: Disc, shade: int = 0, colour: tuple[int, int, int] = BLUE) -> Image:
    """A mottled grey table with discs on it."""
    noise = np.random.default_rng(1).integers(0, 12, (180, 320, 1))
    image = np.asarray(cv2.blur((np.full((180, 320, 3), 120 + shade) + noise).astype(np.uint8), (5, 5)), np.uint8)
    for x, y, radius in discs:
        cv2.circle(image, (x, y), radius, colour, -1)
    return image


def covered(*images: Image) -> list[int]:
    """How many pixels are covered at each look after an empty table."""
    coverings = Coverings()
    assert coverings.find(table(), area()) is None
    masks = [coverings.find(image, area()) for image in images]
    return [0 if mask is None else cv2.countNonZero(mask) for mask in masks]


@pytest.mark.parametrize(("disc", "is_covering"), [
    ((160, 90, 16), True),  # a mug of 80 mm
    ((160, 90, 10), False),  # a pile of 50 mm
    ((160, 40, 16), True),  # it reaches into the play area
    ((160, 20, 16), False),  # beside it
    ((20, 20, 16), False),  # and on a card
])
def test_what_is_thick_and_reaches_over_the_play_area_covers_it(disc: Disc, is_covering: bool) -> None:
    assert (covered(table(disc))[0] > 0) is is_covering


def test_many_pieces_side_by_side_cover_nothing() -> None:
    assert covered(table(*[(100 + 12 * n, 90, 6) for n in range(8)])) == [0]


def test_a_covering_covers_itself_and_its_edge_alone() -> None:
    pixels, = covered(table((160, 90, 16)))
    assert np.pi * 16 ** 2 < pixels < np.pi * 21 ** 2


def test_it_covers_as_long_as_it_is_there_and_where_it_is() -> None:
    mug, beside = (160, 90, 16), (120, 90, 16)
    looks = covered(table(mug), table(mug), table(beside), table(), table(mug))
    assert [pixels > 0 for pixels in looks] == [True, True, True, False, True]
    coverings = Coverings()
    for image in (table(), table(mug)):
        coverings.find(image, area())
    moved = coverings.find(table(beside), area())
    assert moved is not None
    assert moved[90, 120] > 0
    assert moved[90, 160] == 0


def test_pieces_that_are_moved_meanwhile_cover_nothing() -> None:
    mug, pieces = (160, 90, 16), [(100 + 12 * n, 70, 5) for n in range(4)]
    first, second = covered(table(mug), table(mug, *pieces))
    assert first == second > 0


def test_what_is_there_at_the_first_look_is_the_table() -> None:
    coverings = Coverings()
    assert coverings.find(table((160, 90, 16)), area()) is None
    assert coverings.find(table((160, 90, 16)), area()) is None


def test_light_covers_nothing() -> None:
    x, y = np.meshgrid(np.arange(320.0), np.arange(180.0))
    spot = 1.0 + 0.6 * np.exp(-((x - 160) ** 2 + (y - 90) ** 2) / (2 * 40.0 ** 2))
    lit = np.asarray((table() * spot[..., None]).clip(0, 255), np.uint8)
    assert covered(lit, table(shade=-30), table(shade=20)) == [0, 0, 0]


def test_what_is_hardly_darker_covers_nothing() -> None:
    assert covered(table((160, 90, 16), colour=(105, 105, 105))) == [0]
