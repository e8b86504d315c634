from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.test_faces import COLOURS, faces, lay, scene, table
from vision.faces.classifier import read_face
from vision.faces.face_reading import FaceReading
from vision.faces.face_site import FaceSite
from vision.faces.flat_surface import BareTable
from vision.imaging.arrays import Values
from vision.imaging.box import Box
from vision.imaging.frame import Image
from vision.photometry.background_model import Lab
from vision.photometry.channel_noise import FULL_TRUST, TILE_PX, UNMEASURED, noise_in, tile_noise
from vision.photometry.difference import METRIC
from vision.photometry.white_reference import OPPONENT

BLOTCH_PX, BLUE_BLOTCHES = 6, 26.0
WHOLE = Box(0, 0, 900, 600)


def grain(sd: Values, shape: tuple[int, int] = (320, 320), seed: int = 1) -> Lab:
    """Noise with these standard deviations (3,), weighted by `METRIC`, in blotches, of picture and bare table."""
    white = np.random.default_rng(seed).normal(0, 1, (*shape, 3)).astype(np.float32)
    soft = cv2.GaussianBlur(white, (0, 0), 3)
    return np.asarray(soft / soft.std(axis=(0, 1)) * sd * np.sqrt(2) / METRIC, np.float32)


def test_noise_of_a_picture_in_full_light_takes_no_trust() -> None:
    assert noise_in([tile_noise(grain(np.array((0.3, 0.4, 0.6), np.float32)))]).trust == FULL_TRUST


def test_the_noisier_a_channel_is_the_less_it_is_trusted_and_the_others_as_ever() -> None:
    trusts = [noise_in([tile_noise(grain(np.array((0.3, 0.4, blue), np.float32)))]).trust for blue in (1.2, 2.0, 4.0)]
    assert all(trust[:2] == FULL_TRUST[:2] for trust in trusts)
    blue = [trust[2] for trust in trusts]
    assert 1 > blue[0] > blue[1] > blue[2] > 0.1


def test_the_grain_of_the_table_which_is_one_of_lightness_takes_no_trust() -> None:
    assert noise_in([tile_noise(grain(np.array((3.0, 0.4, 0.5), np.float32)))]).trust == FULL_TRUST


def test_trays_on_most_of_the_table_and_slow_changes_of_light_are_no_noise() -> None:
    off = grain(np.array((0.3, 0.4, 0.5), np.float32))
    off += np.linspace(0, 10, 320, dtype=np.float32)[:, None, None]
    off[:, :280] += np.random.default_rng(2).normal(0, 20, (320, 280, 3)).astype(np.float32)
    assert noise_in([tile_noise(off)]).trust == FULL_TRUST


@pytest.mark.parametrize("light", [0.3, 3.0])
def test_how_much_lightness_differs_by_noise_alone_is_told_though_trays_lie_there(light: float) -> None:
    off = grain(np.array((light, 0.4, 0.5), np.float32))
    off[:, :280] += np.random.default_rng(2).normal(0, 20, (320, 280, 3)).astype(np.float32)
    assert noise_in([tile_noise(off)]).light_sd == pytest.approx(np.sqrt(2) * light / METRIC[0], rel=0.3)


@pytest.mark.parametrize("shape", [(TILE_PX - 1, 200), (200, TILE_PX - 1), (0, 0)])
def test_where_there_is_no_whole_square_of_it_all_is_trusted(shape: tuple[int, int]) -> None:
    assert noise_in([tile_noise(np.ones((*shape, 3), np.float32))]).trust == FULL_TRUST
    assert noise_in([]) == UNMEASURED


@cache
def blotched(picture_of: str) -> Image:
    """A coin on the table in the dim: blue comes and goes in blotches as wide as a stroke."""
    picture = table().copy()
    lay(picture, picture_of, (31.0, -22.0), 40.0)
    white = np.random.default_rng(7).normal(0, 1, picture.shape[:2]).astype(np.float32)
    soft = cv2.GaussianBlur(white, (0, 0), BLOTCH_PX)
    blue = soft / soft.std() * BLUE_BLOTCHES
    return np.asarray(np.clip(picture + blue[..., None] * (1.0, 0.0, 0.0), 0, 255), np.uint8)


def read(picture: Image, measured: bool) -> FaceReading:
    seen = scene(picture)
    if measured:
        seen.measure_noise(WHOLE)
    return read_face(seen, FaceSite((31.0, -22.0), 0.0, 1.0, BareTable()), tuple(faces().values()))


@pytest.mark.parametrize("name", COLOURS)
def test_a_face_in_blotches_of_colour_is_read_by_its_lightness(name: str) -> None:
    reading = read(blotched(name), measured=True)
    assert reading.best == name
    assert reading.misfit < read(blotched(name), measured=False).misfit


def test_what_is_measured_is_where_lightness_and_colours_are() -> None:
    seen = scene(blotched("coin:sun"))
    seen.measure_noise(WHOLE)
    light, red, yellow = seen.trust
    assert OPPONENT[2, 0] < 0
    assert yellow < red
    assert yellow < light
