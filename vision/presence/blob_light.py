"""The light of a blob's pixels, as a share of white's there, and what of it is merely shade.

Lamps of several colours light each corner of a table otherwise: white in the warm one is skin to a white that was
taken from the cold one. So white is what the cards show, each where it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from vision.imaging.arrays import Values
from vision.imaging.frame import Image
from vision.imaging.srgb import linear
from vision.presence.blobs import Blob
from vision.presence.play_area import PlayArea, SmallMask
from vision.presence.relight import Region

NOISE_LIGHT = 0.002
"""Added to numerator and denominator of a ratio of light."""

MIN_WHITE_LIGHT, WHITE_PERCENTILE = 0.02, 92
"""White is that percentile of the values on the tag cards, and at least that much light."""

LIGHT = linear(np.arange(256, dtype=np.uint8))
"""Of each grey value."""

COVERED_SHARE = 0.1
"""A card of which a blob covers more tells nothing."""

STEADY_PX2 = 2000.0
"""The ridge of the plane through the cards: they may all lie on one side."""

SHADE_TINT = 1.3
"""What is darker is merely shade if it lost no more than so many times as much light in one channel as in another."""


def light_of(blob: Blob, before: Image, area: PlayArea) -> tuple[Values, Values]:
    """The linear light (3, n: B G R) of a blob's pixels, in the order of its mask within its box, and of the same ones
    of the reference (180, 320, 3) in the same light; both as shares of white."""
    at, gains = np.flatnonzero(blob.mask[blob.part]), _gains(blob, area)

    def light(image: Image) -> Values:
        planes = cv2.split(cv2.LUT(image[blob.part], LIGHT))
        shares = [cv2.multiply(plane, gain).ravel()[at] for plane, gain in zip(planes, gains, strict=True)]
        return np.asarray(np.stack(shares), np.float32) + np.float32(NOISE_LIGHT)

    return light(blob.image), light(before)


def shade_tint(now: Values, then: Values) -> Values:
    """How many times as much light of one channel as of another was taken from each pixel (3, n: light of B G R), if it
    can be shade: if none became lighter. Else infinite (n,)."""
    ratio = now / then
    most = ratio.max(axis=0)
    return np.asarray(np.where(most < 1.05, most / ratio.min(axis=0), np.inf))


@lru_cache(maxsize=2)
def _cards_in(area: PlayArea) -> list[tuple[Region, SmallMask]]:
    """Where each card is seen: its box, and the card in it."""
    count, labels = cv2.connectedComponents(area.cards, ltype=cv2.CV_16U)
    cards = []
    for label in range(1, count):
        card = cv2.inRange(labels, label, label)
        left, top, width, height = cv2.boundingRect(card)
        box = (slice(top, top + height), slice(left, left + width))
        cards.append((box, np.asarray(card[box], np.uint8)))
    return cards


def _white_light(image: Image, box: Region, card: SmallMask) -> Values:
    """The light (3,) of white on a card of a small picture."""
    values = image[box][card > 0]
    which = WHITE_PERCENTILE * (len(values) - 1) // 100
    white = np.partition(values, which, axis=0)[which]
    return np.maximum(linear(white), MIN_WHITE_LIGHT)


def _gains(blob: Blob, area: PlayArea) -> Sequence[Values]:
    """By how much each pixel's light (h, w) in the box of a blob is to be multiplied to be a share of white's, for each
    channel: the logarithm is a plane through those of the cards, and nowhere out of their range."""
    (left, top, width, height), cards = blob.box, [
        (box, card) for box, card in _cards_in(area)
        if cv2.countNonZero(cv2.bitwise_and(card, blob.mask[box])) <= COVERED_SHARE * cv2.countNonZero(card)]
    if not cards:
        return [np.ones((height, width), np.float32)] * 3
    logs = -np.log(np.stack([_white_light(blob.image, *card) for card in cards]))
    at = np.array([((rows.start + rows.stop) / 2, (columns.start + columns.stop) / 2) for (rows, columns), _ in cards])
    middle, mean, least, most = at.mean(axis=0), *(np.exp(over(axis=0)) for over in (logs.mean, logs.min, logs.max))
    slopes = np.linalg.solve((at - middle).T @ (at - middle) + STEADY_PX2 * np.eye(2), (at - middle).T @ logs)
    down, across = (np.exp(np.outer(slope, start + np.arange(size) - centre)).astype(np.float32)
                    for slope, start, size, centre in zip(slopes, (top, left), (height, width), middle, strict=True))
    return [np.outer(mean[channel] * down[channel], across[channel]).clip(least[channel], most[channel])
            for channel in range(3)]
