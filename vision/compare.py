"""Render and compare: how well a drink, painted with its enrolled colours, matches a small part of the picture.

Only the pixels of a domain are compared; arrays over them have one entry a pixel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

BLUR_PX, COLOUR_BLUR_PX = 0.6, 1.4
"""The lens and the sensor spread a point by about this (standard deviation); pictures keep colour at half their size,
which spreads it farther than lightness."""

SPREAD_PX = 4
"""Blurred, nothing is seen farther away."""

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

CROSS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
AROUND = (*CROSS, (-1, -1), (1, -1), (-1, 1), (1, 1))

Values = npt.NDArray[np.float32]
Offset = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A solid as it covers the domain: `cover` (2, bands, pixels) is the share of each pixel's lightness and of its
    colour that comes from each band, `shade` (pixels,) how brightly the pixel is lit."""

    cover: Values
    shade: Values

    def thinned(self) -> Form:
        """The same for every `THIN`th pixel alone."""
        return Form(np.ascontiguousarray(self.cover[..., ::THIN]), self.shade[::THIN])


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """Drinks of one form ready to be compared.

    `painted` (3, drinks, 2, pixels): L, a, b of body and cap times the share of the pixel that they cover; `core`: the
    same where they cover a pixel whole. `light`, `chroma`, `known` (drinks, 1, 2): the core's sums of squares in L and
    in a and b, and what its pixels count as known of their colour; `missing`: 1 for a part without a core, which is
    taken to be as enrolled. `clear` (3, 1, pixels): the share of L, a, b not covered.
    """

    painted: Values
    core: Values
    light: Values
    chroma: Values
    known: Values
    missing: Values
    clear: Values


def sectors_of(numbers: npt.NDArray[np.uint8], at_px: Floats, rings_px: Floats, to_table: Floats) -> Values:
    """For pixels at (n, 2) that show the rings of these numbers (n,), from 1 and 0 for none, in which direction from
    the axis they lie, in sectors of the table from 0 to SECTORS. `to_table` (2, 2) turns directions in the picture into
    directions on the table."""
    centres = np.vstack([np.zeros(2), rings_px.mean(axis=1)])[numbers]
    off = ((at_px - centres) @ to_table.T).astype(np.float32)
    return np.asarray(np.arctan2(off[:, 1], off[:, 0]) * np.float32(SECTORS / (2 * np.pi)) % np.float32(SECTORS))


def make_form(painted: Painted, solid: Solid, domain: npt.NDArray[np.bool_], shading: Values | None, rings_px: Floats,
              to_table: Floats) -> Form:
    """What a painted solid covers. `shading` (bands, SECTORS) is how brightly each band is lit from each side;
    `rings_px` and `to_table` are as in `sectors_of`, from the upper left of the domain."""
    number = np.zeros(domain.shape, np.intp)
    rows, columns = np.nonzero(domain)
    number[rows, columns] = np.arange(len(rows))
    left, top, right, bottom = _around(painted)
    part = (slice(top, bottom), slice(left, right))
    bands = np.zeros(256, np.uint8)
    bands[1:len(solid) + 1] = solid.bands + 1
    shown = cv2.LUT(painted[top * OVERSAMPLING:bottom * OVERSAMPLING, left * OVERSAMPLING:right * OVERSAMPLING], bands)
    inside, at = domain[part], number[part][domain[part]]
    cover = np.zeros((2, solid.bands.max() + 1, len(rows)), np.float32)
    for here in range(cover.shape[1]):
        small = cv2.resize((shown == here + 1).astype(np.float32), (right - left, bottom - top),
                           interpolation=cv2.INTER_AREA)
        for share, blur in zip(cover, (BLUR_PX, COLOUR_BLUR_PX)):
            share[here, at] = cv2.GaussianBlur(small, (0, 0), blur)[inside]
    shade = np.ones(len(rows), np.float32)
    numbers = painted[OVERSAMPLING // 2::OVERSAMPLING, OVERSAMPLING // 2::OVERSAMPLING][rows, columns]
    lit = np.flatnonzero(numbers)
    if shading is not None:
        sectors = sectors_of(numbers[lit], np.column_stack([columns[lit], rows[lit]]), rings_px, to_table)
        low = sectors.astype(np.intp) % SECTORS
        between, band = sectors - np.floor(sectors), solid.bands[numbers[lit].astype(np.intp) - 1]
        shade[lit] = shading[band, low] * (1 - between) + shading[band, (low + 1) % SECTORS] * between
    return Form(cover, shade)


def _around(painted: Painted) -> tuple[int, int, int, int]:
    """Left, top, right and bottom, in pixels, of where a painted solid may be seen once it is blurred."""
    left, top, width, height = cv2.boundingRect(painted)
    rows, columns = (size // OVERSAMPLING for size in painted.shape)
    return (max(left // OVERSAMPLING - SPREAD_PX, 0), max(top // OVERSAMPLING - SPREAD_PX, 0),
            min((left + width) // OVERSAMPLING + 1 + SPREAD_PX, columns),
            min((top + height) // OVERSAMPLING + 1 + SPREAD_PX, rows))


def make_template(form: Form, colours: Values, cap: npt.NDArray[np.bool_]) -> Template:
    """Paint a form: `colours` (drinks, bands, 3) Lab, `cap` (bands,) which bands belong to the cap."""
    lit = (form.cover * form.shade)[[0, 1, 1]]
    lab = np.ascontiguousarray(colours.transpose(2, 0, 1))
    parts = (np.flatnonzero(~cap), np.flatnonzero(cap))
    painted = np.stack([lab[..., part] @ lit[:, part] for part in parts], axis=2)
    whole = np.stack([form.cover[0, part].sum(axis=0) > 0.9 for part in parts])
    core = painted * whole
    light, a, b = np.einsum("cdkp,cdkp->cdk", core, core)[:, :, None]
    known = np.float32(NEUTRAL * NEUTRAL) * np.count_nonzero(core[0], axis=-1)[:, None].astype(np.float32)
    clear = (1 - form.cover.sum(axis=1))[[0, 1, 1], None]
    return Template(painted, core, light, a + b, known, (light < 1e-3).astype(np.float32), clear)


def blend(painted: Painted, texture: Values) -> tuple[Lab, Lab]:
    """A painted solid with a texture by rings (rings + 1, 3) as it is seen: its colours (h, w, 3) times the share of
    each pixel's lightness and colours that it covers, and that share (h, w, 3)."""
    table = np.zeros((256, 4), np.float32)
    table[1:len(texture), :3], table[1:len(texture), 3] = texture[1:], 1.0
    size = (painted.shape[1] // OVERSAMPLING, painted.shape[0] // OVERSAMPLING)
    small = cv2.resize(table[painted], size, interpolation=cv2.INTER_AREA)
    light, colour = (cv2.GaussianBlur(small, (0, 0), blur) for blur in (BLUR_PX, COLOUR_BLUR_PX))
    return np.dstack([light[..., :1], colour[..., 1:3]]), np.dstack([light[..., 3:], colour[..., 3:], colour[..., 3:]])


class Crop:
    """A part of the picture to explain: `seen` and `background` (h, w, 3) Lab, `domain` (h, w): the pixels that are
    compared."""

    def __init__(self, seen: Lab, background: Lab, domain: npt.NDArray[np.bool_]) -> None:
        self.domain, self.seen, self.background = domain, seen, background
        self._points = np.stack(np.nonzero(domain)[::-1]).astype(np.float32)
        self._moved: dict[tuple[Offset, int], Values] = {}

    def moved(self, offsets: Sequence[Offset], thin: int = 1) -> tuple[Values, Values]:
        """Seen and background (3, offsets, pixels) over the domain, with the point at each offset moved to where 0, 0
        was."""
        new = [offset for offset in offsets if (offset, thin) not in self._moved]
        if new:
            by = np.array(new, np.float32) * np.float32(UNIT_PX)
            across, down = (self._points[way, ::thin] + by[:, way:way + 1] for way in (0, 1))
            layers = [cv2.remap(layer, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
                      for layer in (self.seen, self.background)]
            for offset, *values in zip(new, *layers):
                self._moved[offset, thin] = np.concatenate([layer.T for layer in values])
        both = (np.stack([self._moved[offset, thin] for offset in offsets], axis=1) if len(offsets) > 1
                else self._moved[offsets[0], thin][:, None])
        return both[:3], both[3:]


def cost_empty(crop: Crop) -> float:
    """How badly the background alone explains the crop."""
    seen, background = crop.moved([(0, 0)])
    return float(misfit(seen, background).sum())


def empty_share(crop: Crop, core: npt.NDArray[np.bool_]) -> float:
    """The share of a core (h, w) that looks like the background."""
    seen, background = crop.seen[core].T, crop.background[core].T
    return float((misfit(seen, background) < LOOKS_ALIKE * LOOKS_ALIKE).mean()) if seen.size else 0.0


def costs_at(crop: Crop, template: Template, offsets: Sequence[Offset]) -> Values:
    """How badly (drinks, offsets) each drink at each of some offsets from its nominal place explains the crop."""
    seen, background = crop.moved(offsets)
    return np.asarray(misfit(seen[:, None], predict(seen, background, template)).sum(axis=-1), np.float32)


def costs_thinned(crop: Crop, thinned: Template, offsets: Sequence[Offset]) -> Values:
    """The same, roughly, from a thinned template."""
    seen, background = crop.moved(offsets, THIN)
    return np.asarray(THIN * misfit(seen[:, None], predict(seen, background, thinned)).sum(axis=-1), np.float32)


def predict(seen: Values, background: Values, template: Template) -> Values:
    """What would be seen (3, drinks, offsets, pixels), with body and cap as bright as fits best."""
    prediction = _gain(seen, template) @ template.painted
    prediction += (background * template.clear)[:, None]
    return np.asarray(prediction, np.float32)


def _gain(seen: Values, template: Template) -> Values:
    """How much lighter and richer (3, drinks, offsets, 2) body and cap are than enrolled, from their cores."""
    light, a, b = seen[:, None] @ template.core.swapaxes(-1, -2)
    light += template.missing
    light /= template.light + template.missing
    known = template.known + template.missing
    richer = (a + b + known) / (template.chroma + known)
    light = np.minimum(np.maximum(light, np.float32(GAIN[0])), np.float32(GAIN[1]))
    richer = np.minimum(np.maximum(richer, np.float32(RICHER[0])), np.float32(RICHER[1]))
    return np.stack([light, richer, richer])


def misfit(seen: Values, predicted: Values) -> Values:
    """How badly a prediction (3, ...) explains each pixel (...).

    Shading and reflections make one surface lighter, darker, paler or richer; its hue they leave as it is.
    """
    light, a, b = seen - predicted
    _, predicted_a, predicted_b = predicted
    along = a * predicted_a
    along += b * predicted_b
    along *= along
    chroma = predicted_a * predicted_a
    chroma += predicted_b * predicted_b
    chroma += np.float32(NEUTRAL * NEUTRAL)
    along /= chroma
    along *= np.float32(1 - SHADING * SHADING)
    light *= light
    light *= np.float32(SHADING * SHADING)
    a *= a
    b *= b
    light += a
    light += b
    light -= along
    trust = (predicted[0] + np.float32(DARK_L)) / np.float32(BRIGHT_L)
    light *= np.clip(trust, 0, 1, out=trust)
    return np.asarray(np.minimum(light, np.float32(WORST * WORST), out=light), np.float32)


Penalty = Callable[[Sequence[Offset]], npt.NDArray[np.floating]]
"""What each of some offsets costs by itself."""


def no_penalty(offsets: Sequence[Offset]) -> npt.NDArray[np.floating]:
    """All offsets are as good."""
    return np.zeros(len(offsets), np.float32)


def search(crop: Crop, thinned: Template, start: Offset, reach: int, penalty: Penalty = no_penalty
           ) -> tuple[float, Offset]:
    """The lowest cost, with its offset, found from `start` by ever finer steps, at most `reach` units away."""
    def costs(offsets: Sequence[Offset]) -> npt.NDArray[np.floating]:
        return np.asarray(costs_thinned(crop, thinned, offsets)[0] + penalty(offsets))

    best = rough_search(crop, thinned, start, reach, penalty)[1]
    return _descend(costs, _descend(costs, best, STEPS[1], start, reach, CROSS)[1], STEPS[2], start, reach)


def rough_search(crop: Crop, thinned: Template, start: Offset, reach: int, penalty: Penalty = no_penalty
                 ) -> tuple[float, Offset]:
    """The same with the coarsest step alone."""
    return _descend(lambda at: costs_thinned(crop, thinned, at)[0] + penalty(at), start, STEPS[0], start, reach)


def _descend(costs: Penalty, best: Offset, step: int, start: Offset, reach: int,
             ways: Sequence[Offset] = AROUND) -> tuple[float, Offset]:
    """Go to the lowest neighbour until there is none."""
    known: dict[Offset, float] = {}
    while True:
        near = [(best[0] + right * step, best[1] + down * step) for right, down in ways]
        new = [at for at in near if at not in known
               and (at == best or max(abs(at[0] - start[0]), abs(at[1] - start[1])) <= reach)]
        if new:
            known.update(zip(new, costs(new).tolist()))
        lowest = min(known, key=lambda at: known[at])
        if lowest == best:
            return known[best], best
        best = lowest
