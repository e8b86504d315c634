"""Shadows that nothing throws which was found, drink or crate: beside each stands something, however much its lid looks
like the table."""

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

MIN_THROWER_MM = 5.0
"""What is lower, a card or a coin, throws no shadow to speak of."""

TOUCH_PX = 2
"""A shadow this near to a silhouette touches it: between them an edge is blurred."""


def clear_shades(scene: Scene, box: Box) -> BinaryImage:
    """Where (h, w) in a box the bare table lies in a clear shadow, specks removed."""
    shades = np.zeros((box.height, box.width), np.uint8)
    for strip in box.strips(STRIP_ROWS):
        darker = scene.plain(strip)[..., 0] < CLEAR_SHADE * scene.plain_bare(strip)[..., 0]
        shades[box.overlap(strip)[0]] = darker & (scene.kinds(strip) == TABLE)
    return np.asarray(cv2.morphologyEx(shades, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def lone_shadows(shades: BinaryImage, throwers: BinaryImage, drink_px: float) -> Iterator[BinaryImage]:
    """The shadows (h, w), the largest first, that touch none of the silhouettes of the crates and drinks that were
    found (`throwers`, h, w), are not cut by the box's edge, beyond which may stand what throws them, and are as
    large as a drink's. `drink_px`: the area of the lowest drink's silhouette."""
    throwers = np.asarray(cv2.dilate(throwers, np.ones((2 * TOUCH_PX + 1,) * 2, np.uint8)), np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(shades | throwers)
    areas = stats[:, cv2.CC_STAT_AREA]
    cut = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    areas[np.unique(np.concatenate([labels[throwers > 0], cut]))] = 0
    areas[0] = 0
    for label in np.argsort(-areas, kind="stable").tolist():
        if areas[label] < LEAST_SHADOW * drink_px:
            return
        if areas[label] <= MOST_SHADOW * drink_px:
            yield np.asarray(labels == label, np.uint8)
