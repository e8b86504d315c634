"""The depth of shadows beside drinks, as the share of the table's lightness that they leave. A darker pixel is not the
table but the drink itself, whose upper end determines its height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.imaging.arrays import Floats, Values
from vision.imaging.box import box_around
from vision.imaging.polygons import mask_within
from vision.photometry.background_model import nearest_table
from vision.photometry.difference import LOOKS_ALIKE, misfit
from vision.photometry.shadow_tint import DEEPEST_SHADOW, MIN_SHADOW_PIXELS
from vision.scene.scene import Scene
from vision.scene.surfaces import TABLE

NEAREST_PX, FARTHEST_PX = 3, 6
"""Inner and outer distance from a drink's outline of a ring in which the drink is not seen and its shadow is deep."""

DARKER_SHARE = 0.02
"""The quantile of the lightness in the ring that is taken for the deepest shadow; below are noise and texture."""

OTHER_LIGHT = 0.6
"""The light has changed when the deepest shadow leaves less than this share of what it left at enrolment."""


def light_beside(scene: Scene, outlines_px: Sequence[Floats]) -> Values:
    """The share (n,) of the bare table's lightness that is left in pixels beside drinks with these outlines (n, 2)."""
    box = box_around(np.concatenate(outlines_px), FARTHEST_PX + 2)
    drinks = mask_within(box, outlines_px)
    near, far = (cv2.dilate(drinks, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * px + 1, 2 * px + 1)))
                 for px in (NEAREST_PX - 1, FARTHEST_PX))
    beside = (far > near) & (scene.kinds(box) == TABLE)
    seen, bare = scene.plain(box)[beside], scene.plain_bare(box)[beside]
    table = nearest_table(seen[None], bare[None], shadow=scene.shadow)[0]
    is_table = misfit(seen.T, table.T) < LOOKS_ALIKE ** 2
    return np.asarray(seen[is_table, 0] / np.maximum(bare[is_table, 0], 1), np.float32)


def learn_deepest(light: Values) -> float:
    """The share of the lightness that the deepest shadow leaves, from the shares (n,) beside drinks."""
    if len(light) < MIN_SHADOW_PIXELS:
        return DEEPEST_SHADOW
    return max(float(np.quantile(light, DARKER_SHARE)), DEEPEST_SHADOW)


def expect_deeper(scene: Scene, outlines_px: Sequence[Floats]) -> bool:
    """Whether shadows beside drinks with these outlines (n, 2) are much deeper than at enrolment. If so, the scene's
    depth is set to theirs."""
    if not outlines_px or scene.shadow.deepest <= DEEPEST_SHADOW:
        return False
    deepest = learn_deepest(light_beside(scene, outlines_px))
    if deepest >= OTHER_LIGHT * scene.shadow.deepest:
        return False
    scene.shadow = replace(scene.shadow, deepest=deepest)
    return True
