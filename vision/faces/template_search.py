"""The coarse search: costs of faces of one outline in a window, at many centres and all turns.

Template matching by least squares, in a rotated basis (`turned_templates`). The light is solved for as well, but with
fewer basis functions than at registration, and the loss is not robust.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.faces.light_basis import GAIN_SD, PIXEL_SD
from vision.faces.templates import COARSE_BLUR_PX
from vision.faces.turned_templates import POINTS_PER_VOICE, ROUGH_FIELDS, Templates, quartered
from vision.imaging.arrays import Values

CENTRES_PX = 3
"""Spacing of the centres that are tried."""

GAIN_LIMITS = (0.5, 1.5)

_GAIN_RIDGE = np.float32((PIXEL_SD / GAIN_SD) ** 2 * POINTS_PER_VOICE)
"""Weight of the prior that the gain is 1."""


def match_costs(light: Values, templates: Templates, centres_px: npt.NDArray[np.intp]) -> tuple[Values, Values]:
    """Costs (centres, faces, turns) of values in linear light (side, side, 3) at centres (n, 2) in px right and up of
    the window's middle, and those (centres, turns) of a plain surface there. A cost is like `FaceRegistration.cost`,
    but not robust."""
    seen = _seen(light, templates, centres_px)
    own, both = _without_light(seen, templates)
    gain = np.clip((both + _GAIN_RIDGE) / (templates.squares + _GAIN_RIDGE), *GAIN_LIMITS)
    left = own[:, None, templates.outline] + gain * (gain * templates.squares - 2 * both)
    cost = left + _GAIN_RIDGE * (gain - 1) ** 2
    plain = own[:, templates.outline] / templates.count
    return np.asarray(np.maximum(cost, 0) / templates.count, np.float32), np.asarray(plain, np.float32)


def _seen(light: Values, templates: Templates, centres_px: npt.NDArray[np.intp]) -> Values:
    """The blurred values (centres, n, 3) of a window at the points of templates around some centres."""
    side = light.shape[0]
    middle = side // 2
    blurred = cv2.GaussianBlur(light, (0, 0), COARSE_BLUR_PX, borderType=cv2.BORDER_REPLICATE).reshape(-1, 3)
    at = (middle - centres_px[:, 1, None] - templates.points_px[:, 1]) * side + (
        middle + centres_px[:, 0, None] + templates.points_px[:, 0])
    return np.asarray(np.take(blurred, at, axis=0), np.float32)


def _without_light(seen: Values, templates: Templates) -> tuple[Values, Values]:
    """The squared norms (centres, outlines) of what is seen (centres, n, 3), and its inner products (centres, faces,
    turns) with the templates, both after projecting out the added light."""
    number, points = seen.shape[:2]
    channels = np.ascontiguousarray(seen.transpose(0, 2, 1))
    fields = (channels.reshape(number * 3, points) @ templates.light).reshape(number, 3 * ROUGH_FIELDS, -1)
    taken = fields * templates.taken
    own = np.square(channels).sum(axis=1) @ templates.there - (fields * taken).sum(axis=1)
    of_light = np.take(taken.transpose(2, 0, 1), templates.outline, axis=0) @ templates.fields
    return own, _products(seen, templates) - of_light.transpose(1, 2, 0)


def _products(seen: Values, templates: Templates) -> Values:
    """The inner products (centres, faces, turns) of what is seen (centres, n, 3) with each face at each turn. In the
    rotated basis they take three eighths of the multiplications."""
    number, faces = len(seen), len(templates.squares)
    whole, crossed, opposite = quartered(seen)
    along = opposite.reshape(number, 2, -1)
    across = np.stack([along[:, 1], -along[:, 0]], axis=1)
    even, odd = whole @ templates.whole, crossed @ templates.crossed
    half, next_half = (each.reshape(number, -1) @ templates.opposite for each in (along, across))
    quarters = (even + odd + half, even - odd + next_half, even + odd - half, even - odd - next_half)
    return np.stack([each.reshape(number, faces, -1) for each in quarters], axis=2).reshape(number, faces, -1)
