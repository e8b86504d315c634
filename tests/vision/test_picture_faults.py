"""What is wrong with a camera's picture: of a real set, and the same made dark, burnt, blurred and small."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import Phrase
from vision.enrolment.picture_set import make_small
from vision.imaging.frame import Frame, Image
from vision.presence.picture_faults import picture_faults

SETS = sorted(each.parent for each in (Path(__file__).parents[1] / "data").glob("*/set.json"))


def picture(folder: Path) -> Image:
    image = cv2.imread(str(sorted((folder / "frames").glob("*.jpg"))[0]))
    assert image is not None
    return np.asarray(image, np.uint8)


def faults(image: Image) -> list[str]:
    found: tuple[Phrase, ...] = picture_faults(Frame(image, make_small(image), 0.0, 0))
    return [each.id for each in found]


def blurred(image: Image, px: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), px), np.uint8)


def scaled(image: Image, factor: float) -> Image:
    return np.asarray(np.clip(image * factor, 0, 255), np.uint8)


@pytest.mark.parametrize("folder", SETS, ids=lambda each: each.name)
def test_a_good_picture_has_no_fault_and_each_fault_is_found(folder: Path) -> None:
    image = picture(folder)
    assert faults(image) == []
    assert faults(blurred(image, 4.0)) == ["eyes.blurred"]
    assert faults(np.asarray(cv2.resize(image, (640, 360), interpolation=cv2.INTER_AREA), np.uint8)) == ["eyes.small"]
    assert "eyes.dim" in faults(scaled(image, 0.3))


def test_a_black_and_a_white_picture_show_nothing() -> None:
    image = picture(SETS[0])
    assert faults(np.zeros_like(image)) == ["eyes.black"]
    assert faults(np.full_like(image, 255)) == ["eyes.too_bright"]
    assert "eyes.burnt" in faults(scaled(picture(next(each for each in SETS if "kamikaze" in each.name)), 1.7))


def test_a_picture_without_edges_is_not_called_blurred() -> None:
    assert faults(np.full((1296, 2304, 3), 128, np.uint8)) == []
