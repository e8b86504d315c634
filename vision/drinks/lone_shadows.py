"""Shadows that no drink which was found throws: beside each stands something, however much its lid looks like the
table."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.drinks.foreground import STRIP_ROWS, BinaryImage
from vision.imaging.box import Box
from vision.scene.scene import Scene
from vision.scene.surfaces import TABLE

CLEAR_SHADE = 0.65
"""In a clear shadow at most this share of the table's lightness is left."""

LEAST_SHADOW, MOST_SHADOW = 0.3, 5.0
"""How large a drink's shadow is, as a multiple of the lowest drink's silhouette: a smaller one may lie under any edge,
a larger one is that of a crate or of a thing."""


def clear_shades(scene: Scene, box: Box) -> BinaryImage:
    """Where (h, w) in a box the bare table lies in a clear shadow, specks removed."""
    shades = np.zeros((box.height, box.width), np.uint8)
    for strip in box.strips(STRIP_ROWS):
        darker = scene.plain(strip)[..., 0] < CLEAR_SHADE * scene.plain_bare(strip)[..., 0]
        shades[box.overlap(strip)[0]] = darker & (scene.kinds(strip) == TABLE)
    return np.asarray(cv2.morphologyEx(shades, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def lone_shadows(shades: BinaryImage, drinks: BinaryImage, drink_px: float) -> Iterator[BinaryImage]:
    """The shadows (h, w), the largest first, that touch none of the silhouettes of the `drinks` (h, w) that were found
    and are as large as a drink's. `drink_px`: the area of the lowest drink's silhouette."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(shades | drinks)
    areas = stats[:, cv2.CC_STAT_AREA]
    areas[np.unique(labels[drinks > 0])] = 0
    areas[0] = 0
    for label in np.argsort(-areas, kind="stable").tolist():
        if areas[label] < LEAST_SHADOW * drink_px:
            return
        if areas[label] <= MOST_SHADOW * drink_px:
            yield np.asarray(labels == label, np.uint8)
