"""The eyes' process keeps the newest looks as small pictures on the disk."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.main.look_pictures import KEPT_LOOKS, MAX_PICTURE_BYTES, WIDTH, LookPictures, small_jpeg
from companion.session.evidence import EVIDENCE_NAME
from vision.imaging.frame import Frame, Image

RNG = np.random.default_rng(1)


def frame(number: int, image: Image) -> Frame:
    return Frame(image, np.zeros((180, 320, 3), np.uint8), 0.0, number)


def noise(height: int, width: int) -> Image:
    return RNG.integers(0, 256, (height, width, 3), np.uint8)


@pytest.mark.parametrize(("height", "width"), [(2592, 4608), (720, 1280), (90, 160)])
def test_a_picture_is_small_and_keeps_its_shape(height: int, width: int) -> None:
    rough = cv2.resize(noise(height // 10, width // 10), (width, height), interpolation=cv2.INTER_LINEAR)
    jpeg = small_jpeg(np.asarray(rough, np.uint8))
    assert len(jpeg) <= MAX_PICTURE_BYTES
    found = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert found is not None
    assert found.shape == (round(height * min(width, WIDTH) / width), min(width, WIDTH), 3)


def test_the_newest_looks_are_kept_and_those_of_an_earlier_life_go(tmp_path: Path) -> None:
    pictures = LookPictures(tmp_path)
    for number in (7, 8, 99, 100, 101, 1000):
        pictures.keep(frame(number, noise(9, 16)))
    names = {each.name for each in (tmp_path / EVIDENCE_NAME).iterdir()}
    assert names == {f"look-{number}.jpg" for number in (99, 100, 101, 1000)}
    assert len(names) == KEPT_LOOKS
    assert {each.stat().st_mode & 0o777 for each in (tmp_path / EVIDENCE_NAME).iterdir()} == {0o600}
    (tmp_path / EVIDENCE_NAME / "game").mkdir()
    LookPictures(tmp_path)
    assert [each.name for each in (tmp_path / EVIDENCE_NAME).iterdir()] == ["game"]


def test_a_disk_that_takes_nothing_costs_the_picture_alone(tmp_path: Path) -> None:
    pictures = LookPictures(tmp_path)
    (tmp_path / EVIDENCE_NAME).write_text("no folder")
    pictures.keep(frame(1, noise(9, 16)))
    assert (tmp_path / EVIDENCE_NAME).read_text() == "no folder"
