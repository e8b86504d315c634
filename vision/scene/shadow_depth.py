"""How much light shadows leave of the table's beside drinks. Nothing darker there is the table: it is the drink itself,
and where it ends says how high it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.imaging.arrays import Floats, Values
from vision.imaging.box import box_around
from vision.photometry.background_model import nearest_table
from vision.photometry.difference import LOOKS_ALIKE, misfit
from vision.photometry.shadow_tint import DEEPEST_SHADOW, MIN_SHADOW_PIXELS
from vision.scene.scene import Scene
from vision.scene.surfaces import TABLE

NEAREST_PX, FARTHEST_PX = 3, 6
"""A ring beside a drink's outline in which nothing of its own is seen and its shadow is deep: from, and up to."""

DARKER_SHARE = 0.02
"""The share of what is seen there that may be darker than the shadow which is taken for the deepest: grain, a gloss."""

OTHER_LIGHT = 0.6
"""Shadows that leave less than this share of what they left at enrolment are those of another light."""


def light_beside(scene: Scene, outlines_px: Sequence[Floats]) -> Values:
    """How much (n,) is left of the bare table's lightness in pixels beside drinks with these outlines (n, 2)."""
    box = box_around(np.concatenate(outlines_px), FARTHEST_PX + 2)
    drinks = np.zeros((box.height, box.width), np.uint8)
    for outline in outlines_px:
        cv2.fillConvexPoly(drinks, np.rint(outline - (box.left, box.top)).astype(np.int32), 1)
    near, far = (cv2.dilate(drinks, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * px + 1, 2 * px + 1)))
                 for px in (NEAREST_PX - 1, FARTHEST_PX))
    beside = (far > near) & (scene.kinds(box) == TABLE)
    seen, bare = scene.plain(box)[beside], scene.plain_bare(box)[beside]
    table = nearest_table(seen[None], bare[None], shadow=scene.shadow)[0]
    is_table = misfit(seen.T, table.T) < LOOKS_ALIKE ** 2
    return np.asarray(seen[is_table, 0] / np.maximum(bare[is_table, 0], 1), np.float32)


def learn_deepest(light: Values) -> float:
    """How much light the deepest shadow leaves, of how much (n,) is left beside drinks."""
    if len(light) < MIN_SHADOW_PIXELS:
        return DEEPEST_SHADOW
    return max(float(np.quantile(light, DARKER_SHARE)), DEEPEST_SHADOW)


def expect_deeper(scene: Scene, outlines_px: Sequence[Floats]) -> bool:
    """Whether shadows beside drinks with these outlines (n, 2) are much deeper than at enrolment. Then such shadows are
    expected from now on."""
    if not outlines_px or scene.shadow.deepest <= DEEPEST_SHADOW:
        return False
    deepest = learn_deepest(light_beside(scene, outlines_px))
    if deepest >= OTHER_LIGHT * scene.shadow.deepest:
        return False
    scene.shadow = replace(scene.shadow, deepest=deepest)
    return True
