"""What is seen where no drink stands: colours of crates, as dark as they are beside what they hold, and how they run
into each other and into the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.excerpt import enrolment, excerpt
from vision.enrolment.background_learning import learn_crates_light
from vision.enrolment.opened_picture import LaidPicture, open_picture
from vision.imaging.camera import Lens
from vision.imaging.frame import Image
from vision.photometry.bare_picture import bare_table
from vision.photometry.background_model import (
    COLOUR_BLUR_PX,
    CrateColours,
    Lab,
    learn_crate_colours,
    spread_colours,
)

GREY, YELLOW, BROWN, BLUE = (50.0, 0.0, 0.0), (70.0, 20.0, 55.0), (16.0, 9.0, 10.0), (40.0, 10.0, -50.0)
"""A table, a crate's rim, its depth, and a drink: lightness and two opponent colours."""

RIM_PX, SIZE_PX = 4, 40


def stripes(*colours: tuple[float, float, float]) -> Lab:
    """A table, a rim of some pixels, and what is beyond it (h, w, 3), as if nothing blurred."""
    picture = np.empty((SIZE_PX, SIZE_PX, 3), np.float32)
    rim, beyond = SIZE_PX // 2, SIZE_PX // 2 + RIM_PX
    for colour, columns in zip(colours, (slice(0, rim), slice(rim, beyond), slice(beyond, None))):
        picture[:, columns] = colour
    return picture


def shown(picture: Lab) -> Lab:
    """The same as a picture shows it that keeps colour at half its size."""
    return np.dstack([picture[..., :1], cv2.GaussianBlur(picture[..., 1:], (0, 0), COLOUR_BLUR_PX)])


def colours_off(one: Lab, other: Lab) -> float:
    return float(np.abs(one[..., 1:] - other[..., 1:]).max())


def pixels(colour: tuple[float, float, float], lightness: tuple[float, float]) -> Lab:
    """Pixels (n, 3) of a colour, from dark to bright."""
    light = np.linspace(*lightness, 400, dtype=np.float32)
    return np.column_stack([light, *(light * (channel / colour[0]) for channel in colour[1:])]).astype(np.float32)


def learned(beside: Lab) -> CrateColours:
    return learn_crate_colours(pixels(YELLOW, (40, 66)), pixels(YELLOW, (60, 80)), beside)


def test_colours_of_rim_and_table_run_into_each_other() -> None:
    plain = stripes(GREY, YELLOW, BROWN)
    seen = shown(plain)
    assert colours_off(plain, seen) > 20
    assert colours_off(spread_colours(plain, seen), seen) < 0.5


def test_lightness_stays_as_it_is() -> None:
    plain = stripes(GREY, YELLOW, BROWN)
    assert (spread_colours(plain, shown(plain))[..., 0] == plain[..., 0]).all()


def test_what_else_is_seen_does_not_count() -> None:
    """A drink stands where table and crates would be brown: their colours beside it are what they are without it."""
    ground, seen = stripes(YELLOW, YELLOW, BROWN), shown(stripes(YELLOW, YELLOW, BLUE))
    ground[:, SIZE_PX // 2 + RIM_PX:, 1:] = (30.0, 80.0)  # the crate's colour in a drink's light
    rim = slice(SIZE_PX // 2, SIZE_PX // 2 + RIM_PX - 1)
    spread = spread_colours(ground, seen)
    assert colours_off(spread[:, rim], ground[:, rim]) < 2
    assert colours_off(shown(ground)[:, rim], ground[:, rim]) > 5


def test_crates_are_darker_beside_what_they_hold() -> None:
    dark = np.array([[[12.0, 5.0, -3.0]]], np.float32)
    near = learned(pixels(BROWN, (8, 20))).nearest(dark, np.zeros((1, 1), np.bool_))
    assert near[0, 0, 0] == pytest.approx(12.1, abs=0.5)  # the darkest of empty slots is 40


def test_the_colours_of_dark_places_are_learned_where_they_are_seen() -> None:
    dark = np.array([[[16.0, 0.0, 0.0]]], np.float32)
    known, unknown = (learned(beside).nearest(dark, np.zeros((1, 1), np.bool_))[0, 0, 1:]
                      for beside in (pixels(BROWN, (8, 24)), np.empty((0, 3), np.float32)))
    assert np.abs(known - BROWN[1:]).max() < 2
    assert np.abs(unknown - np.array(YELLOW[1:]) * 16 / 70).max() < 2


def test_only_the_top_of_a_crate_is_as_bright_as_a_rim() -> None:
    bright = np.array([[[95.0, 20.0, 55.0], [95.0, 20.0, 55.0]]], np.float32)
    inside, top = learned(np.empty((0, 3), np.float32)).nearest(bright, np.array([[False, True]]))[0, :, 0]
    assert inside == pytest.approx(65.2, abs=0.5)
    assert top == pytest.approx(79.6 * 1.04, abs=0.5)


def test_crates_are_learned_from_pictures_in_which_a_rim_is_two_pixels_wide() -> None:
    known, share = excerpt(), 0.4
    to = np.diag([share, share, 1.0])
    lens = Lens(round(known.lens.width * share), round(known.lens.height * share), to @ known.lens.camera_matrix,
                known.lens.dist)
    small = cv2.resize(enrolment(3), (lens.width, lens.height), interpolation=cv2.INTER_AREA)
    picture = LaidPicture(np.asarray(small, np.uint8), known.enrolments[3].pieces)
    sizes = {piece.name: piece for piece in known.pieces}
    colours = learn_crates_light([open_picture(picture, sizes, lens)], sizes)
    whole = learn_crates_light([open_picture(LaidPicture(enrolment(3), picture.pieces), sizes, known.lens)], sizes)
    assert colours is not None
    assert whole is not None
    assert colours.rim == pytest.approx(whole.rim, rel=0.15)


# ---------------------------------------------------------------- the bare table

SHADOW, PIECE = np.s_[20:60, 40:90], np.s_[30:50, 20:40]


def laid(share: float = 1.0, exposure: float = 1.0, seed: int = 1) -> Image:
    """A table (h, w, 3) with some noise and grain; a long shadow leaves a share of its light."""
    grain = 150 + 10 * np.sin(np.arange(120) / 3)
    light = np.tile(grain[None, :, None], (80, 1, 3)) * exposure
    light[SHADOW] *= share
    return np.clip(light + np.random.default_rng(seed).normal(0, 3, light.shape), 0, 255).astype(np.uint8)


def uncovered() -> np.ndarray:
    mask = np.zeros((80, 120), np.bool_)
    mask[PIECE] = True
    return mask


def test_a_long_shadow_in_one_picture_is_no_part_of_the_bare_table() -> None:
    covered = [uncovered(), np.zeros((80, 120), np.bool_)]
    bare = bare_table([laid(0.7), laid(seed=2)], covered).astype(np.float64)
    clear = laid(seed=3).astype(np.float64)
    inside = np.s_[35:45, 55:75]
    assert abs(bare[inside].mean() - clear[inside].mean()) < 2


def test_a_shadow_that_takes_one_colour_alone_is_no_part_of_the_bare_table() -> None:
    coloured = laid()
    coloured[SHADOW][..., 0] = coloured[SHADOW][..., 0] * 0.7
    nothing = [np.zeros((80, 120), np.bool_)] * 2
    bare = bare_table([coloured, laid(seed=2)], nothing).astype(np.float64)
    inside = np.s_[35:45, 55:75]
    assert abs(bare[inside][..., 0].mean() - bare[inside][..., 1].mean()) < 2


def test_where_every_picture_may_be_shaded_the_table_is_lit_up_and_keeps_its_grain() -> None:
    nothing, near = np.zeros((80, 120), np.bool_), np.zeros((80, 120), np.bool_)
    near[8:72, 28:104] = True
    bare = bare_table([laid(0.6), laid(0.6, seed=2)], [nothing, nothing], [near, near]).astype(np.float64)
    inside = np.s_[30:50, 50:80]
    assert abs(bare[inside].mean() - laid(seed=3)[inside].mean()) < 6
    across = bare[inside].mean(axis=(0, 2))
    assert np.corrcoef(across, laid(seed=3)[inside].mean(axis=(0, 2)))[0, 1] > 0.8


def test_pictures_of_another_exposure_count_alike() -> None:
    nothing = [np.zeros((80, 120), np.bool_)] * 3
    bare = bare_table([laid(), laid(exposure=1.1, seed=2), laid(exposure=0.9, seed=3)], nothing).astype(np.float64)
    assert abs(bare.mean() - laid().mean()) < 1
    assert np.std(bare - laid(seed=4)) < 3.8  # noise of all three together, beside that of one


def test_a_place_that_every_picture_covers_is_filled_in() -> None:
    bare = bare_table([laid(), laid(seed=2)], [uncovered(), uncovered()]).astype(np.float64)
    assert abs(bare[PIECE].mean() - laid()[PIECE].mean()) < 8


def test_a_place_that_every_picture_covers_is_as_light_as_what_is_left_of_a_lamps_reflection_beside_it() -> None:
    pieces, near = np.zeros((240, 240), np.bool_), np.zeros((240, 240), np.bool_)
    for row in range(40, 200, 40):
        for column in range(40, 200, 40):
            pieces[row:row + 28, column:column + 28] = True
    near[16:224, 16:224] = True
    away = np.hypot(*(np.indices((240, 240)) - 110.0))
    table = np.repeat((100 + 120 * np.exp(-(away / 50) ** 2))[..., None], 3, axis=2).astype(np.uint8)
    bare = bare_table([table] * 2, [pieces] * 2, [near] * 2).astype(np.float64)
    assert np.abs(bare - table)[pieces].mean() < 8


def test_what_lies_in_a_deep_shadow_in_every_picture_is_filled_in() -> None:
    nothing, near = np.zeros((80, 120), np.bool_), np.zeros((80, 120), np.bool_)
    near[8:72, 28:104] = True
    shaded = np.full((80, 120, 3), 150, np.uint8)
    shaded[30:50, 50:62] = 20
    bare = bare_table([shaded] * 2, [nothing] * 2, [near] * 2).astype(np.float64)
    assert np.abs(bare - 150).max() < 3
