"""Odd things put into pictures of a table: what the sets do not show is pasted together from what they do."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.table import Point
from vision.imaging.frame import Image

Pixel = tuple[int, int]
Mask = npt.NDArray[Any]


def blend(below: Image, above: Image, mask: Mask) -> Image:
    """`above` where the mask (h, w) is 1, `below` where it is 0."""
    share = cv2.GaussianBlur(mask, (0, 0), 2.0)[..., None]
    return np.asarray(below * (1.0 - share) + above * share, np.uint8)


def disc(image: Image, at_px: Pixel, radius_px: int) -> Mask:
    """A mask (h, w) of a disc."""
    mask = np.zeros(image.shape[:2], np.float64)
    cv2.circle(mask, at_px, radius_px, (1.0,), -1)
    return mask


def as_in(image: Image, other: Image, at_px: Pixel, radius_px: int) -> Image:
    """The picture, but around a point as in another one of the same camera: a piece that stands there, or none."""
    return blend(image, other, disc(image, at_px, radius_px))


def copied(image: Image, other: Image, from_px: Pixel, to_px: Pixel, radius_px: int) -> Image:
    """The picture with what another one shows around a point, somewhere else."""
    across, down = np.subtract(to_px, from_px).tolist()
    moved = cv2.warpAffine(other, np.array([(1.0, 0, across), (0, 1.0, down)]), other.shape[1::-1])
    return blend(image, np.asarray(moved, np.uint8), disc(image, to_px, radius_px))


def knocked_over(image: Image, at_px: Pixel, long_px: int, wide_px: int, colour: tuple[int, int, int],
                 turn_deg: float = 30.0) -> Image:
    """A can or bottle that lies on its side, with its shadow: a cylinder seen from above, lighter along its middle."""
    across = np.linspace(-1.0, 1.0, wide_px)
    body = np.asarray(colour, np.float64) * (0.45 + 0.65 * np.sqrt(np.clip(1 - across**2, 0, 1)))[:, None]
    lying = np.broadcast_to(body[:, None, :], (wide_px, long_px, 3)).copy()
    lying[:, : max(2, long_px // 12)] = (195, 195, 200)
    lying[:, -max(2, long_px // 12):] = (150, 150, 155)
    return _laid(_shaded(image, at_px, long_px, wide_px, turn_deg), lying, at_px, turn_deg)


def phone(image: Image, at_px: Pixel, size_px: Pixel, turn_deg: float = 12.0) -> Image:
    """A phone: a dark slab with a lighter rim."""
    slab = np.full((size_px[1], size_px[0], 3), (58, 54, 52), np.float64)
    rim = max(3, size_px[1] // 16)
    slab[rim:-rim, rim:-rim] = (26, 22, 20)
    return _laid(_shaded(image, at_px, *size_px, turn_deg), slab, at_px, turn_deg)


def _laid(image: Image, thing: Mask, at_px: Pixel, turn_deg: float) -> Image:
    deep, wide = thing.shape[:2]
    warp = cv2.getRotationMatrix2D((wide / 2, deep / 2), turn_deg, 1.0)
    warp[:, 2] += np.subtract(at_px, (wide / 2, deep / 2))
    size = image.shape[1::-1]
    above = cv2.warpAffine(thing, warp, size)
    mask = cv2.warpAffine(np.ones(thing.shape[:2]), warp, size)
    return np.asarray(np.clip(blend(image, np.asarray(above.clip(0, 255), np.uint8), mask), 0, 255), np.uint8)


def _shaded(image: Image, at_px: Pixel, long_px: int, wide_px: int, turn_deg: float) -> Image:
    shade = np.zeros(image.shape[:2], np.float32)
    box = cv2.boxPoints(((at_px[0] + 0.2 * wide_px, at_px[1] + 0.15 * wide_px), (long_px, wide_px), -turn_deg))
    cv2.fillConvexPoly(shade, np.rint(box).astype(np.int32), (0.3,))
    return np.asarray(image * (1.0 - cv2.GaussianBlur(shade, (0, 0), 0.12 * wide_px))[..., None], np.uint8)


def nudged(image: Image, shift_px: Point = (0.0, 0.0), turn_deg: float = 0.0) -> Image:
    """What the camera sees after somebody bumped into it."""
    height, width = image.shape[:2]
    warp = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1.0)
    warp[:, 2] += np.array(shift_px)
    return np.asarray(cv2.warpAffine(image, warp, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8)


def in_light(image: Image, gain: float, tint_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Image:
    """The picture in other light, which acts before the camera's curve, here a plain power."""
    linear = (image / 255.0) ** 2.2 * gain * np.asarray(tint_bgr)
    return np.asarray(255.0 * np.clip(linear, 0.0, 1.0) ** (1 / 2.2), np.uint8)


def glowing(image: Image, at_px: Pixel, wide_px: float, light_bgr: tuple[float, float, float]) -> Image:
    """An LED that shines on the table."""
    down, across = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    glow = np.exp(-((across - at_px[0]) ** 2 + (down - at_px[1]) ** 2) / (2 * wide_px**2))
    return np.asarray(np.clip(image + glow[..., None] * np.asarray(light_bgr), 0, 255), np.uint8)
