"""Render and compare: how well a drink, painted with its enrolled colours, matches a small part of the picture.

Only the pixels of a domain are compared; arrays over them have one entry a pixel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.background import Lab
from vision.camera import Floats
from vision.solids import OVERSAMPLING, Painted, Solid

METRIC = np.array([0.6, 1.0, 1.0], np.float32)
"""Weights of L, a and b where two pictures are compared: light and shadow change lightness more than colour."""

SHADING = 0.4
"""How much a difference counts that is only one of light or of richness of colour."""

NEUTRAL = 15.0
"""Colours with less chroma than about this have no hue to keep."""

DARK_L, BRIGHT_L = 10.0, 50.0
"""Colours darker than about `BRIGHT_L` are ever less certain."""

WORST = 14.0
"""A pixel off by more than this counts as off by this: something lies there that is not modelled."""

BLUR_PX = 0.7
"""The lens and the sensor spread a point by about this (standard deviation)."""

GAIN = (0.6, 1.5)
"""Body and cap may each be lit by so much less or more than when they were enrolled."""

THIN = 3
"""A rough comparison takes every third pixel."""

LOOKS_ALIKE = 7.0
"""A pixel no farther than this from the background shows nothing else."""

RICHER = (0.6, 1.8)
"""Reflections may make it so much paler or richer in colour."""

SECTORS = 12
"""Light falls on a drink from one side; its shading is learned by so many directions."""

UNIT_PX = 0.25
STEPS = (6, 3, 1)
"""Places are searched in units of `UNIT_PX`, from coarse steps to fine."""

Values = npt.NDArray[np.float32]
Offset = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A solid as it covers the domain: `cover` (bands, pixels) is the share of each pixel that each band covers,
    `shade` (pixels,) how brightly the pixel is lit."""

    cover: Values
    shade: Values


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A drink ready to be compared: `body` and `cap` (3, pixels): L, a, b times the share of the pixel covered;
    `clear` (pixels,): the share not covered; `body_core`, `cap_core`: the same where the part covers a pixel whole."""

    body: Values
    cap: Values
    clear: Values
    body_core: Values
    cap_core: Values

    def thinned(self) -> Template:
        """The same for every `THIN`th pixel alone."""
        return Template(*(np.ascontiguousarray(each[..., ::THIN]) for each in (
            self.body, self.cap, self.clear, self.body_core, self.cap_core)))


def sectors_of(painted: Painted, rings_px: Floats, to_table: Floats) -> Values:
    """For each pixel (h, w) in which direction from the axis it lies, in sectors of the table from 0 to SECTORS.
    `to_table` (2, 2) turns directions in the picture into directions on the table."""
    middle = OVERSAMPLING // 2
    numbers = painted[middle::OVERSAMPLING, middle::OVERSAMPLING]
    centres = np.vstack([np.zeros(2), rings_px.mean(axis=1)])[numbers]
    rows, columns = np.indices(numbers.shape)
    off = (np.stack([columns, rows], axis=-1) - centres) @ to_table.T
    return np.asarray(np.arctan2(off[..., 1], off[..., 0]) * (SECTORS / (2 * np.pi)) % SECTORS, np.float32)


def make_form(painted: Painted, solid: Solid, domain: npt.NDArray[np.bool_], sectors: Values | None,
              shading: Values | None) -> Form:
    """What a painted solid covers. `shading` (bands, SECTORS) is how brightly each band is lit from each side."""
    size = (domain.shape[1], domain.shape[0])
    table = np.zeros(256, np.uint8)
    table[1:len(solid) + 1] = solid.bands + 1
    bands = cv2.LUT(painted, table)
    cover = np.stack([cv2.GaussianBlur(cv2.resize((bands == band + 1).astype(np.float32), size,
                                                  interpolation=cv2.INTER_AREA), (0, 0), BLUR_PX)[domain]
                      for band in range(solid.bands.max() + 1)])
    if shading is None or sectors is None:
        return Form(cover, np.ones(cover.shape[1], np.float32))
    middle = OVERSAMPLING // 2
    band = bands[middle::OVERSAMPLING, middle::OVERSAMPLING][domain].astype(int)
    at = sectors[domain]
    low = at.astype(int) % SECTORS
    share = at - np.floor(at)
    padded = np.vstack([np.ones((1, SECTORS), np.float32), shading])
    shade = padded[band, low] * (1 - share) + padded[band, (low + 1) % SECTORS] * share
    return Form(cover, shade.astype(np.float32))


def make_template(form: Form, colours: Values, cap: npt.NDArray[np.bool_]) -> Template:
    """Paint a form: `colours` (bands, 3) Lab, `cap` (bands,) which bands belong to the cap."""
    body, top = form.cover[~cap], form.cover[cap]
    body_cover, top_cover = body.sum(axis=0), top.sum(axis=0)
    painted_body, painted_top = colours[~cap].T @ body * form.shade, colours[cap].T @ top * form.shade
    return Template(painted_body, painted_top, 1 - body_cover - top_cover,
                    painted_body * (body_cover > 0.9), painted_top * (top_cover > 0.9))


class Crop:
    """A part of the picture to explain: `seen` and `background` (h, w, 3) Lab, `domain` (h, w): the pixels that are
    compared."""

    def __init__(self, seen: Lab, background: Lab, domain: npt.NDArray[np.bool_]) -> None:
        self.domain, self.seen, self.background = domain, seen, background
        self._points = np.argwhere(domain)[:, ::-1].astype(np.float32)[:, None]
        self._moved: dict[tuple[Offset, int], tuple[Values, Values]] = {}

    def moved(self, offset: Offset, thin: int = 1) -> tuple[Values, Values]:
        """Seen and background (3, pixels) over the domain, with the point at `offset` moved to where 0, 0 was."""
        key = (offset, thin)
        if key not in self._moved:
            at = self._points[::thin] + np.array(offset, np.float32) * np.float32(UNIT_PX)
            seen, background = (np.ascontiguousarray(
                cv2.remap(layer, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0].T,
                np.float32) for layer in (self.seen, self.background))
            self._moved[key] = seen, background
        return self._moved[key]


def cost_empty(crop: Crop) -> float:
    """How badly the background alone explains the crop."""
    seen, background = crop.moved((0, 0))
    return float(misfit(seen, background).sum())


def empty_share(crop: Crop, core: npt.NDArray[np.bool_]) -> float:
    """The share of a core (h, w) that looks like the background."""
    seen, background = crop.seen[core].T, crop.background[core].T
    return float((misfit(seen, background) < LOOKS_ALIKE * LOOKS_ALIKE).mean()) if seen.size else 0.0


def cost_at(crop: Crop, template: Template, offset: Offset) -> float:
    """How badly a drink at `offset` from its nominal place explains the crop."""
    seen, background = crop.moved(offset)
    return float(misfit(seen, predict(seen, background, template)).sum())


def cost_thinned(crop: Crop, thinned: Template, offset: Offset) -> float:
    """The same, roughly, from a thinned template."""
    seen, background = crop.moved(offset, THIN)
    return THIN * float(misfit(seen, predict(seen, background, thinned)).sum())


def predict(seen: Values, background: Values, template: Template) -> Values:
    """What would be seen (3, pixels), with body and cap as bright as fits best."""
    prediction = background * template.clear
    prediction += template.body * _gain(seen, template.body_core)
    prediction += template.cap * _gain(seen, template.cap_core)
    return prediction


def _gain(seen: Values, core: Values) -> Values:
    """How much lighter and richer (3, 1) a part is than enrolled, from the pixels that it covers whole."""
    light, chroma = float(core[0] @ core[0]), float(core[1] @ core[1] + core[2] @ core[2])
    if light < 1e-3:
        return np.ones((3, 1), np.float32)
    lighter = float(seen[0] @ core[0]) / light
    known = float(NEUTRAL * NEUTRAL * np.count_nonzero(core[0]))
    richer = (float(seen[1] @ core[1] + seen[2] @ core[2]) + known) / (chroma + known)
    light_gain, chroma_gain = min(max(lighter, GAIN[0]), GAIN[1]), min(max(richer, RICHER[0]), RICHER[1])
    return np.array([[light_gain], [chroma_gain], [chroma_gain]], np.float32)


def misfit(seen: Values, predicted: Values) -> Values:
    """How badly a prediction (3, ...) explains each pixel (...).

    Shading and reflections make one surface lighter, darker, paler or richer; its hue they leave as it is.
    """
    light, a, b = seen - predicted
    chroma = predicted[1] * predicted[1] + predicted[2] * predicted[2]
    along = a * predicted[1] + b * predicted[2]
    squares = np.float32(SHADING * SHADING) * light * light + a * a + b * b
    squares -= np.float32(1 - SHADING * SHADING) * along * along / (chroma + np.float32(NEUTRAL * NEUTRAL))
    squares *= np.minimum(np.maximum((predicted[0] + np.float32(DARK_L)) / np.float32(BRIGHT_L), 0), 1)
    return np.asarray(np.minimum(squares, np.float32(WORST * WORST)), np.float32)


def search(crop: Crop, template: Template, start: Offset = (0, 0), reach: int = 8,
           penalty: Callable[[Offset], float] = lambda _: 0.0) -> tuple[float, Offset]:
    """The lowest cost, with its offset, found from `start` by ever finer steps, at most `reach` units away."""
    _, best = rough_search(crop, template, start, reach, penalty)
    for step in STEPS[1:]:
        best = _descend(lambda at: cost_at(crop, template, at) + penalty(at), best, step, start, reach)[1]
    return cost_at(crop, template, best) + penalty(best), best


def rough_search(crop: Crop, template: Template, start: Offset, reach: int,
                 penalty: Callable[[Offset], float] = lambda _: 0.0) -> tuple[float, Offset]:
    """The same with the coarsest step, from a part of the pixels."""
    thinned = template.thinned()
    return _descend(lambda at: cost_thinned(crop, thinned, at) + penalty(at), start, STEPS[0], start, reach)


def _descend(cost: Callable[[Offset], float], best: Offset, step: int, start: Offset, reach: int
             ) -> tuple[float, Offset]:
    """Go to the lowest neighbour until there is none."""
    known = {best: cost(best)}
    while True:
        for right, down in ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)):
            at = (best[0] + right * step, best[1] + down * step)
            if at not in known and max(abs(at[0] - start[0]), abs(at[1] - start[1])) <= reach:
                known[at] = cost(at)
        lowest = min(known, key=lambda at: known[at])
        if lowest == best:
            return known[best], best
        best = lowest
