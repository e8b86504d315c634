"""Render and compare: how well a drink, painted with its enrolled colours, matches a small part of the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.background import Lab
from vision.solids import OVERSAMPLING, Painted

METRIC = np.array([0.6, 1.0, 1.0], np.float32)
"""Weights of L, a and b: light and shadow change lightness more than colour."""

WORST = 14.0
"""A pixel off by more than this counts as off by this: something lies there that is not modelled."""

BLUR_PX = 0.7
"""The lens and the sensor spread a point by about this (standard deviation)."""

GAIN = (0.6, 1.5)
"""Body and cap may each be lit by so much less or more than when they were enrolled."""

UNIT_PX = 0.25
STEPS = (6, 3, 1)
"""Places are searched in units of `UNIT_PX`, from coarse steps to fine."""

Offset = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A drink ready to be compared: `body` and `cap` (h, w, 4): L, a, b times the share of the pixel that it covers,
    and that share."""

    body: npt.NDArray[np.float32]
    cap: npt.NDArray[np.float32]


def make_template(painted: Painted, texture: npt.NDArray[np.float32], cap: npt.NDArray[np.bool_]) -> Template:
    """Paint with colours: `texture` (rings + 1, 3), row 0 unused."""
    table = np.zeros((2, 256, 4), np.float32)
    for number in range(1, len(texture)):
        table[int(cap[number - 1]), number] = (*texture[number], 1.0)
    size = (painted.shape[1] // OVERSAMPLING, painted.shape[0] // OVERSAMPLING)
    body, top = (cv2.GaussianBlur(cv2.resize(part[painted], size, interpolation=cv2.INTER_AREA), (0, 0), BLUR_PX)
                 for part in table)
    return Template(np.asarray(body, np.float32), np.asarray(top, np.float32))


@dataclass(slots=True, eq=False)
class Crop:
    """A part of the picture to explain: `seen` and `background` (h, w, 3) Lab, `weight` (h, w) from 0 to 1: how much a
    pixel counts."""

    seen: Lab
    background: Lab
    weight: npt.NDArray[np.float32]
    _moved: dict[Offset, tuple[Lab, Lab, npt.NDArray[np.float32]]] = field(default_factory=dict)

    def moved(self, offset: Offset) -> tuple[Lab, Lab, npt.NDArray[np.float32]]:
        """Seen, background and weight with the point at `offset` moved to where 0, 0 was."""
        if offset not in self._moved:
            matrix = np.array([(1, 0, offset[0] * UNIT_PX), (0, 1, offset[1] * UNIT_PX)], np.float32)
            size = (self.seen.shape[1], self.seen.shape[0])
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            seen, background, weight = (cv2.warpAffine(each, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
                                        for each in (self.seen, self.background, self.weight))
            self._moved[offset] = (np.asarray(seen, np.float32), np.asarray(background, np.float32),
                                   np.asarray(weight, np.float32))
        return self._moved[offset]


def cost_empty(crop: Crop) -> float:
    """How badly the background alone explains the crop."""
    return _cost(crop.seen - crop.background, crop.weight)


def cost_at(crop: Crop, template: Template, offset: Offset) -> float:
    """How badly a drink at `offset` from its nominal place explains the crop."""
    seen, background, weight = crop.moved(offset)
    return _cost(seen - predict(seen, background, weight, template), weight)


def predict(seen: Lab, background: Lab, weight: npt.NDArray[np.float32], template: Template) -> Lab:
    """What would be seen, with body and cap as bright as fits best."""
    prediction = background * (1 - template.body[..., 3:] - template.cap[..., 3:])
    for part in (template.body, template.cap):
        prediction += part[..., :3] * _gain(seen, weight, part)
    return np.asarray(prediction, np.float32)


def _gain(seen: Lab, weight: npt.NDArray[np.float32], part: npt.NDArray[np.float32]) -> float:
    """How much brighter the part is than enrolled, from the pixels that it covers whole."""
    inner = weight * (part[..., 3] > 0.9)
    expected = float((inner * part[..., 0] * part[..., 0]).sum())
    if expected < 1e-3:
        return 1.0
    return float(np.clip((inner * seen[..., 0] * part[..., 0]).sum() / expected, *GAIN))


def _cost(error: Lab, weight: npt.NDArray[np.float32]) -> float:
    squares = error * METRIC
    total = np.einsum("ijk,ijk->ij", squares, squares)
    return float((np.minimum(total, WORST * WORST) * weight).sum())


def search(crop: Crop, template: Template, start: Offset = (0, 0), reach: int = 8,
           penalty: Callable[[Offset], float] | None = None) -> tuple[float, Offset]:
    """The lowest cost, with its offset, found from `start` by ever finer steps, at most `reach` units away."""
    known: dict[Offset, float] = {}

    def cost(offset: Offset) -> float:
        if offset not in known:
            known[offset] = cost_at(crop, template, offset) + (penalty(offset) if penalty else 0.0)
        return known[offset]

    best = start
    for step in STEPS:
        while True:
            around = [(best[0] + right * step, best[1] + down * step) for right in (-1, 0, 1) for down in (-1, 0, 1)]
            inside = [at for at in around if max(abs(at[0] - start[0]), abs(at[1] - start[1])) <= reach]
            lowest = min(inside, key=cost)
            if lowest == best:
                break
            best = lowest
    return cost(best), best
