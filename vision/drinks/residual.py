"""Render and compare: how well drinks, painted with their enrolled colours, match a small part of the picture.

Many comparisons are made in one call: of several drinks, each at a place of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.drinks.pixel_coverage import Domain, Renderings, as_light, as_lightness
from vision.imaging.arrays import Mask, Values
from vision.photometry.background_model import Lab
from vision.photometry.difference import LOOKS_ALIKE, misfit

LIGHTER_LIMITS, RICHER_LIMITS = (-0.4, 0.5), (-0.4, 0.8)
"""Each part may be lit by so much less or more than when it was enrolled, and so much paler or richer in colour."""

LOSS_SCALE = 10.0
"""A pixel of a drink that is off by more than this is rather something else."""

BATCH_PX = 20_000
"""So many pixels are compared at a time: what fits a processor's cache."""

COARSE_FACTOR = 2
"""Drinks are searched in a picture so many times smaller: that shows as much of where they are as every pixel does."""

UNIT_PX = 0.25
STEPS_UNITS = (6, 3, 1)
"""Places are searched in units of `UNIT_PX`, from coarse steps to fine."""

CROSS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
SQUARE = (*CROSS, (-1, -1), (1, -1), (-1, 1), (1, 1))
NEIGHBOURHOODS = (SQUARE, CROSS, SQUARE)
"""The neighbours that are tried with each step."""

Offset = tuple[int, int]
ShiftTrial = tuple[int, Offset]
"""Which of some drinks, and at which offset from its nominal place."""


class Crop:
    """A part of the picture to explain, `shrunk` so many times: `seen` and `background` (h, w, 3) Lab, the pixels that
    are compared, and where (h, w) nothing nearer hides what may stand here."""

    def __init__(self, seen: Lab, background: Lab, mask: Mask, shown: Mask, shrunk: int = 1) -> None:
        self.domain, self.seen, self.background, self.shown, self.shrunk = Domain(mask), seen, background, shown, shrunk
        self._numbers: dict[Offset, int] = {}
        self._moved = np.empty((8, 0, len(self.domain.flat)), np.float32)

    @cached_property
    def halved(self) -> Crop:
        """The same, `HALF` the size, of pixels that are all compared; height and width must be even."""
        every, shown = (_whole_blocks(each) for each in (self.domain.mask, self.shown))
        seen, background = (cv2.resize(layer, every.shape[::-1], interpolation=cv2.INTER_AREA)
                            for layer in (self.seen, self.background))
        return Crop(np.asarray(seen, np.float32), np.asarray(background, np.float32), every, shown, COARSE_FACTOR)

    @cached_property
    def empty(self) -> float:
        """How badly the background alone explains the crop."""
        mask = self.domain.mask
        return float(cauchy_loss(self.seen[mask].T, self.background[mask].T).sum())

    @cached_property
    def _layers(self) -> Values:
        return np.concatenate([self.seen, self.background, self.shown[..., None]], axis=2, dtype=np.float32)

    def moved(self, offsets: Sequence[Offset]) -> tuple[npt.NDArray[np.intp], Values]:
        """Which (offsets,) of some layers (8, n, pixels) over the domain are of each offset, with the point there moved
        to where 0, 0 was: L, a and b as seen; light, a and b of the background; how much of each pixel is shown; and
        how badly the background explains it."""
        new = [offset for offset in dict.fromkeys(offsets) if offset not in self._numbers]
        if new:
            by = np.array(new, np.float32) * np.float32(UNIT_PX / self.shrunk)
            down, across = (at.astype(np.float32) + by[:, way:way + 1] for at, way in zip(self.domain.at, (1, 0)))
            self._keep(new, cv2.remap(self._layers, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
        return np.array([self._numbers[offset] for offset in offsets], np.intp), self._moved

    def _keep(self, offsets: Sequence[Offset], values: cv2.typing.MatLike) -> None:
        """Keep the values (offsets, pixels, 7) of new offsets."""
        first, last = len(self._numbers), len(self._numbers) + len(offsets)
        if last > self._moved.shape[1]:
            before = self._moved
            self._moved = np.empty((8, 2 * last, values.shape[1]), np.float32)
            self._moved[:, :first] = before[:, :first]
        new = self._moved[:, first:last]
        new[:7] = values.transpose(2, 0, 1)
        new[7] = cauchy_loss(new[:3], new[3:6])
        new[3] = as_light(new[3])
        self._numbers |= zip(offsets, range(first, last))


def _whole_blocks(mask: Mask) -> Mask:
    """Which pixels (h / 2, w / 2) of the picture half as large are made of pixels that all count."""
    return np.asarray(mask[::2, ::2] & mask[1::2, ::2] & mask[::2, 1::2] & mask[1::2, 1::2], np.bool_)


def background_share(crop: Crop, core: Mask) -> float:
    """The share of a core (h, w) that looks like the background."""
    seen, background = crop.seen[core].T, crop.background[core].T
    return float((misfit(seen, background) < LOOKS_ALIKE * LOOKS_ALIKE).mean()) if seen.size else 0.0


def render_costs(crop: Crop, drawings: Renderings, rows: Sequence[int], offsets: Sequence[Offset]) -> Values:
    """How badly some of the drawings, each at an offset of its own, explain the crop: what the background alone leaves,
    less what the drink saves where it is seen. So drinks at different places are held against the same pixels."""
    numbers, layers = crop.moved(offsets)
    pixels = layers.shape[2]
    costs = np.empty(len(offsets), np.float32)
    for some, trials in _batches(rows, pixels):
        at = numbers[trials]
        seen, shown, saved = np.take(layers[:3], at, axis=1), layers[6, at], layers[7, at]
        drawn = drawings.some(some)
        beside = drawn.beside[:, None] + pixels * at[..., None]
        behind = np.take(layers[3:6].reshape(3, -1), beside, axis=1)
        saved -= cauchy_loss(seen, relight(seen, behind, drawn))
        costs[trials] = crop.empty - np.einsum("dtp,dtp->dt", saved, shown)
    return costs


def _batches(rows: Sequence[int], pixels: int) -> Iterator[tuple[list[int], npt.NDArray[np.intp]]]:
    """Rows that follow themselves equally often, and the places (rows, trials) at which they do."""
    runs: dict[int, list[int]] = {}
    starts = [at for at in range(len(rows)) if at == 0 or rows[at] != rows[at - 1]]
    for start, end in zip(starts, [*starts[1:], len(rows)]):
        runs.setdefault(end - start, []).append(start)
    for trials, firsts in runs.items():
        size = max(BATCH_PX // max(trials * pixels, 1), 1)
        for some in (firsts[first:first + size] for first in range(0, len(firsts), size)):
            yield [rows[first] for first in some], np.array(some)[:, None] + np.arange(trials)


def relight(seen: Values, behind: Values, drawn: Renderings) -> Values:
    """What would be seen (3, drinks, trials, pixels), with each part as light and as rich in colour as fits best.
    `behind`: the light, a and b of the background beside each pixel; it is overwritten."""
    painted, parts = drawn.painted, drawn.light.shape[1]
    behind *= drawn.clear[:, :, None]
    now = behind + drawn.enrolled[:, :, None]
    now[0] = as_lightness(now[0])
    off, *hues = (seen - now) @ painted.swapaxes(2, 3)
    hue = hues[0] + hues[1]
    changes = np.concatenate([off + hue, hue], axis=2) @ drawn.solve
    lighter = np.clip(changes[..., :parts], *LIGHTER_LIMITS)
    richer = np.clip(changes[..., :parts] + changes[..., parts:], *RICHER_LIMITS)
    now[0] = as_lightness(behind[0] + np.square(1 + lighter) @ drawn.light)
    now[1:] += richer @ painted[1:]
    return np.asarray(now, np.float32)


def cauchy_loss(seen: Values, predicted: Values) -> Values:
    """How badly the prediction of a drink (3, ...) explains each pixel (...): what is far off hardly counts more than
    what is off, for something lies there that is not modelled."""
    off = seen - predicted
    off *= off
    total, a, b = off
    total += a
    total += b
    total *= np.float32(1 / LOSS_SCALE ** 2)
    total += np.float32(1)
    total = cv2.log(total.reshape(-1)).reshape(total.shape)
    total *= np.float32(LOSS_SCALE ** 2)
    return np.asarray(total, np.float32)


Costs = Callable[[Sequence[ShiftTrial]], npt.NDArray[np.floating]]
"""What each of some trials costs."""


def descend(costs: Costs, start: Mapping[int, Offset], step: int, around: Mapping[int, Offset], reach: int,
            ways: Sequence[Offset] = SQUARE) -> dict[int, tuple[float, Offset]]:
    """From where each drink starts, go to its lowest neighbour until there is none, at most `reach` units away from
    the place itself, from where it is `around`, or from what lies between: the lowest cost of each, with its offset.
    All take their steps together."""
    known: dict[int, dict[Offset, float]] = {number: {} for number in start}
    best, walking = dict(start), list(start)
    while walking:
        trials = [(number, at) for number in walking for at in _near(best[number], step, ways)
                  if at not in known[number] and (at == best[number] or _within(at, around[number], reach))]
        for (number, at), cost in zip(trials, costs(trials).tolist() if trials else ()):
            known[number][at] = cost
        lowest = {number: min(known[number], key=known[number].__getitem__) for number in walking}
        walking = [number for number in walking if lowest[number] != best[number]]
        best |= lowest
    return {number: (known[number][at], at) for number, at in best.items()}


def _near(at: Offset, step: int, ways: Sequence[Offset]) -> list[Offset]:
    return [(at[0] + right * step, at[1] + down * step) for right, down in ways]


def _within(at: Offset, around: Offset, reach: int) -> bool:
    return all(min(there, 0) - reach <= here <= max(there, 0) + reach for here, there in zip(at, around))
