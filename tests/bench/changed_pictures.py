"""Other light, a poorer camera, other colours, fewer pixels, upside down: how pictures are changed before reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""(h, w, 3) BGR, as a JPEG file has it."""

DIMMER = (0.72, 0.82, 0.9)
"""Of blue, green and red light so much is left: warmer lamps."""

SIDE, FAR = 0.12, 0.08
"""So much darker it is at the left edge of a picture than at the right one, and at the lower edge than at the upper."""

BLUR_PX, NOISE = 0.5, 3.0
"""A poorer lens spreads a point so far besides; a poorer sensor is wrong by so many of 255 levels."""

SMALLER = 0.7
"""A camera with half as many pixels takes pictures so many times as wide and high."""


def another_light(picture: Image, _: int) -> Image:
    """The picture in dimmer, warmer light that comes more from one side."""
    height, width = picture.shape[:2]
    coded = np.arange(256) / 255
    light = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4).astype(np.float32)
    falls = np.outer(1 - FAR * np.linspace(0, 1, height), 1 - SIDE * np.linspace(1, 0, width)).astype(np.float32)
    seen = light[picture] * falls[..., None] * np.array(DIMMER, np.float32)
    again = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * again), np.uint8)


def poorer_camera(picture: Image, number: int) -> Image:
    """The picture blurred, with noise of its own `number`."""
    noise = np.random.default_rng(number).normal(0, NOISE, picture.shape).astype(np.float32)
    seen = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), BLUR_PX) + noise
    return np.asarray(np.clip(np.rint(seen), 0, 255), np.uint8)


def other_colours(picture: Image, _: int) -> Image:
    """The picture with blue as green, green as red, and red as blue."""
    return np.ascontiguousarray(picture[..., [1, 2, 0]])


def smaller(picture: Image, _: int) -> Image:
    """The picture `SMALLER` times as wide and high."""
    height, width = (round(SMALLER * each) for each in picture.shape[:2])
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def upside_down(picture: Image, _: int) -> Image:
    """The picture of a camera that hangs the other way round."""
    return np.ascontiguousarray(picture[::-1, ::-1])


@dataclass(frozen=True)
class Way:
    """How pictures are changed, the JPEG quality that they are kept with, whether enrolment's are changed too, how many
    times as wide they are then, and whether they are turned by half."""

    change: Callable[[Image, int], Image]
    quality: int
    is_enrolled_so: bool = False
    width: float = 1.0
    is_turned: bool = False


WAYS = {"another light": Way(another_light, 92), "poorer camera": Way(poorer_camera, 75),
        "other colours": Way(other_colours, 92, is_enrolled_so=True),
        "half the pixels": Way(smaller, 92, is_enrolled_so=True, width=SMALLER),
        "upside down": Way(upside_down, 95, is_enrolled_so=True, is_turned=True)}
