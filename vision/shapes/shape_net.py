"""What the network tells of a place: log-likelihoods of nothing and of the six shapes.

A small convolutional tower sees each plane by itself, with the same weights, and a layer compares what it found
(`tests/bench/shapes` makes it from rendered tables, with colours exchanged at random: it knows none).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from companion.table import EMPTY, SHAPES, Appearance
from vision.imaging.arrays import Floats, Values
from vision.photometry.white_reference import LitPicture
from vision.shapes.plane_sweep import slant, sweep

NETWORK = Path(__file__).with_name("shape_net.onnx")

KINDS_TOLD: tuple[Appearance, ...] = (EMPTY, *SHAPES)
"""What the network tells apart, in its order. An appearance without a colour is a shape."""

BOX_HEIGHTS_MM = dict(zip(SHAPES, (12.0, 16.0, 22.0, 24.0, 30.0, 36.0)))
"""The heights of the drinks that it has seen."""

SAME_HEIGHT_MM = 1.0
"""A drink whose height differs by less is one that it has seen."""

SURPRISE = 0.01
"""Probability that a place is none that resembles those of the training: then all kinds are as likely."""


def knows(heights_mm: Mapping[str, float]) -> bool:
    """Whether it was made for shapes of these heights."""
    return all(shape in BOX_HEIGHTS_MM and abs(height - BOX_HEIGHTS_MM[shape]) < SAME_HEIGHT_MM
               for shape, height in heights_mm.items())


def shape_nats(picture: LitPicture, foot_mm: Floats, in_slot: bool, mirrored: bool = True) -> dict[str, float]:
    """Log-likelihoods in nats by kind of what stands at a foot (3,), in the table frame: the mean of what the network
    tells of the place and, unless one look has to do, of its mirror image, where as much would stand."""
    planes = sweep(picture, foot_mm)
    seen_from = np.array([[slant(picture, foot_mm), float(in_slot)]], np.float32)
    seen = (planes, np.ascontiguousarray(planes[..., ::-1])) if mirrored else (planes,)
    nats = np.mean([_forward(each, seen_from) for each in seen], axis=0)
    likely = np.exp(nats - nats.max())
    likely = (1 - SURPRISE) * likely / likely.sum() + SURPRISE / len(KINDS_TOLD)
    return dict(zip(KINDS_TOLD, np.log(likely).tolist()))


def presence_nats(nats: Mapping[str, float]) -> float:
    """By how much any drink is likelier than none."""
    return float(np.logaddexp.reduce([nats[shape] for shape in SHAPES]) - nats[EMPTY])


def _forward(planes: Values, seen_from: Values) -> Values:
    """Planes (planes, 3, side, side), and (1, 2) their slant and whether they are in a slot, to nats (kinds,)."""
    network = _network()
    network.setInput(_in_fours(planes), "planes")
    network.setInput(seen_from, "seen_from")
    return np.asarray(network.forward(), np.float32).ravel()


def _in_fours(planes: Values) -> Values:
    """Planes (planes, 3, side, side) with the four pixels of each square as channels: (planes, 12, side / 2, side / 2).
    The first layer, whose steps are of two pixels, is computed nearly three times as fast from these."""
    number, channels, side, _ = planes.shape
    fours = planes.reshape(number, channels, side // 2, 2, side // 2, 2).transpose(0, 1, 3, 5, 2, 4)
    return np.ascontiguousarray(fours.reshape(number, 4 * channels, side // 2, side // 2))


@lru_cache(maxsize=1)
def _network() -> cv2.dnn.Net:
    if hasattr(cv2.dnn, "ENGINE_CLASSIC"):  # OpenCV 5 has two; the one there was before is quicker with small networks
        return cv2.dnn.readNetFromONNX(str(NETWORK), engine=cv2.dnn.ENGINE_CLASSIC)
    return cv2.dnn.readNetFromONNX(str(NETWORK))
