"""The light on the table, as the cards' white patches show it: exposure, and a white reference for colours.

A camera's tone curve is steeper than sRGB says, by another amount for each channel and exposure; the step from the
cards' white to their known grey gives the exponent that makes light linear again. The gain of each channel is then a
smooth function over the picture, `exp(a + b u + c v)`, fitted through the white patches. Later looks are fitted by how
each patch changed since the first look, so that one that is covered or shadowed for a while does not bend it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from companion.errors import Phrase, phrase
from companion.table.tag_card import GREY_AT_MM, MARKER_AT_MM, WHITE_AT_MM
from vision.fiducials.tag_corners import CORNERS_MM
from vision.fiducials.tag_bundle import THICK_MM
from vision.fiducials.tag_pose import Arrangement
from vision.imaging.arrays import Floats
from vision.imaging.camera import View, spin
from vision.imaging.frame import CardSeen, Image
from vision.imaging.least_squares import Reals, cauchy, reweighted
from vision.imaging.srgb import linear
from vision.photometry.unsharp import Lightness, sharpening

GREY = 0.184
"""What the grey patch, of L* 50, reflects."""

INNER_MM, GRID = 9.0, 9
"""A patch is looked at on its inner square of this width, at a grid of so many by so many points."""

PAPER = 0.8
"""How much of the light white paper is taken to reflect: bright things may shine a little more."""

BURNT, DARK = 252, 60
"""sRGB values: a white patch at `BURNT` has lost its colour, one below `DARK` is mostly noise."""

STRAY, GROSS = 0.06, 0.7
"""In log light: a patch farther off the plane than `STRAY` is rather shadowed than lit that way, one farther off the
others than `GROSS` hardly counts even to begin with."""

FIT_ROUNDS = 8

GAMMA = 2.2

ROWS_AT_ONCE = 64
"""So many rows are turned into colours at a time: what fits a processor's cache."""

OPPONENT = np.array([(0.114, 0.587, 0.299), (-0.0813, -0.4187, 0.5), (-0.5, 0.3313, 0.1687)],
                    np.float32) * np.array([(100,), (180,), (180,)], np.float32)
"""From gamma-coded B G R to lightness, red against green, yellow against blue, about as large as L*a*b*."""

MARGIN_PX = 7
"""So much around a marker is looked at to see how sharp its edges are."""

Reflectance = npt.NDArray[np.float32]
"""(h, w, 3) B G R linear, white paper at `PAPER`."""

Patch = tuple[int, int]
"""Card, and which of its patches: 0 and 1 are white, 2 is grey."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenPatch:
    """One patch as seen: where (px), its value (3,) B G R in sRGB and in log linear light."""

    at_px: tuple[float, float]
    value: tuple[float, float, float]
    log_light: Floats


@dataclass(frozen=True, slots=True, eq=False)
class White:
    """The white reference of one look. `gains` (3 channels B G R, 3): a, b, c of `exp(a + b u + c v)` for pixel u, v;
    `steepness` (3,) is the exponent of the tone curve over sRGB's.

    `patches` are what was seen of the cards; `first` is the look that later ones are compared with. `sharpened`: by
    how much the camera made lightness stand out from its surroundings (`vision/photometry/unsharp.py`).
    """

    gains: Floats
    steepness: Floats
    patches: Mapping[Patch, SeenPatch]
    first: White | None = None
    sharpened: float = 0.0

    def normalise(self, crop: Image, left: int = 0, top: int = 0) -> Reflectance:
        """A part of the picture (h, w, 3) uint8 B G R whose upper left pixel is `left`, `top`, as reflectance."""
        height, width = crop.shape[:2]
        across = np.exp(-self.gains[:, :1] - self.gains[:, 1:2] * np.arange(left, left + width))
        down = PAPER * np.exp(-self.gains[:, 2:] * np.arange(top, top + height))
        table = linear(np.arange(256, dtype=np.uint8))[:, None] ** (1 / self.steepness)
        light = cv2.LUT(crop, table.astype(np.float32)[None])
        return np.asarray(light * (down.T.astype(np.float32) @ _spread(across)).reshape(crop.shape), np.float32)


def _spread(across: Floats) -> npt.NDArray[np.float32]:
    """By how much light is multiplied at columns (3, w), spread out (3, w * 3) so that its product with what it is
    multiplied by at rows (h, 3) is that of each pixel: BLAS is quick at that."""
    spread = np.zeros((3, across.shape[1], 3), np.float32)
    spread[0, :, 0], spread[1, :, 1], spread[2, :, 2] = across
    return spread.reshape(3, -1)


def to_lab(reflectance: Reflectance) -> npt.NDArray[np.float32]:
    """Linear B G R (h, w, 3) to CIE L*a*b* (h, w, 3), L from 0 to 100."""
    return np.asarray(cv2.cvtColor(reflectance, cv2.COLOR_LBGR2Lab), np.float32)


def to_opponent(white: White, crop: Image, left: int = 0, top: int = 0) -> npt.NDArray[np.float32]:
    """A part of the picture as lightness (0 to 100) and two opponent colours (red, yellow; h, w, 3), white-referenced.

    These are sums of gamma-coded channels as in a JPEG: where two colours meet, a picture that keeps colour at half
    size mixes them evenly, and dimmed light shrinks all three alike. L*a*b* has neither.
    """
    height, width = crop.shape[:2]
    across = np.exp((-white.gains[:, :1] - white.gains[:, 1:2] * np.arange(left, left + width)) / GAMMA)
    down = PAPER ** (1 / GAMMA) * np.exp(-white.gains[:, 2:] * np.arange(top, top + height) / GAMMA)
    rows_down, spread = down.T.astype(np.float32), _spread(across)
    found = np.empty(crop.shape, np.float32)
    for rows in (slice(first, first + ROWS_AT_ONCE) for first in range(0, height, ROWS_AT_ONCE)):
        coded = np.asarray(cv2.LUT(crop[rows], _coded(white)), np.float32)
        coded *= (rows_down[rows] @ spread).reshape(coded.shape)
        cv2.transform(coded, OPPONENT, dst=found[rows])
    return found


@lru_cache(maxsize=4)
def _coded(white: White) -> npt.NDArray[np.float32]:
    """The gamma-coded light (1, 256, 3) that each value of a channel stands for, before the gain."""
    table = linear(np.arange(256, dtype=np.uint8))[:, None] ** (1 / white.steepness / GAMMA)
    return np.asarray(table, np.float32)[None]


def judge_exposure(patches: Mapping[Patch, SeenPatch]) -> tuple[Literal["dark", "bright"], Phrase] | None:
    """What is wrong with the exposure, and how to say it; None when the picture can be read."""
    values = np.array([patch.value for (_, number), patch in patches.items() if number < 2])
    if not len(values):
        return None
    if np.mean(values.max(axis=1) >= BURNT) > 0.5:
        return "bright", phrase("eyes.too_bright")
    if np.median(values[:, 1]) < DARK:
        return "dark", phrase("eyes.too_dark")
    return None


def fit_white(image: Image, arrangement: Arrangement, first: White | None = None) -> White:
    """The white reference of a picture whose cards are known; with `first`, as a change since that look."""
    patches = see_patches(image, arrangement)
    steepness = _steepness(patches, np.ones(3) if first is None else first.steepness)
    whites = {key: patch for key, patch in patches.items() if key[1] < 2}
    if first is None:
        at = np.array([patch.at_px for patch in whites.values()]).reshape(-1, 2)
        light = np.array([patch.log_light / steepness for patch in whites.values()]).reshape(-1, 3)
        white = White(_plane(at, light), steepness, patches)
        return replace(white, sharpened=sharpening(_markers(image, arrangement, white)))
    both = [key for key in whites if key in first.patches and _near(whites[key], first.patches[key])]
    if len(both) < 2:
        return replace(first, patches=patches, first=first)
    at = np.array([whites[key].at_px for key in both])
    drift = np.array([whites[key].log_light / steepness - first.patches[key].log_light / first.steepness
                      for key in both])
    return White(first.gains + _plane(at, drift), steepness, patches, first, first.sharpened)


def _markers(image: Image, arrangement: Arrangement, white: White) -> Iterator[tuple[Lightness, Floats]]:
    """The lightness around the marker of each card that is seen whole, and its corners (4, 2) there in px."""
    height, width = image.shape[:2]
    for card in arrangement.cards:
        px = _on_card(arrangement.view, card, CORNERS_MM)
        left, top = (int(low) - MARGIN_PX for low in px.min(axis=0))
        right, bottom = (int(high) + MARGIN_PX for high in px.max(axis=0))
        if card.card in arrangement.seen and min(left, top) >= 0 and right <= width and bottom <= height:
            crop = image[top:bottom, left:right]
            yield to_opponent(white, crop, left, top)[..., 0], px - (left, top)


def _on_card(view: View, card: CardSeen, own_mm: Floats) -> Floats:
    """Points (n, 2) about the marker of a card that is not turned, in px of the picture."""
    return view.project_at(own_mm @ spin(card.turn_deg).T + card.at_mm, THICK_MM)


def _steepness(patches: Mapping[Patch, SeenPatch], before: Floats) -> Floats:
    """The exponent (3,) of each channel from the steps between white and grey; as before when no card shows both."""
    steps = []
    for card in {card for card, _ in patches}:
        whites = [patches[card, number].log_light for number in (0, 1) if (card, number) in patches]
        if whites and (card, 2) in patches:
            steps.append(np.max(whites, axis=0) - patches[card, 2].log_light)  # a shadowed one is darker
    if not steps:
        return before
    return np.asarray((np.median(steps, axis=0) / np.log(PAPER / GREY)).clip(0.6, 2.0), np.float64)


def see_patches(image: Image, arrangement: Arrangement) -> dict[Patch, SeenPatch]:
    """The white and grey patches of all cards that are seen, without those that something lies on."""
    step = np.linspace(-INNER_MM / 2, INNER_MM / 2, GRID)
    grid = np.stack(np.meshgrid(step, step), axis=-1).reshape(-1, 2)
    height, width = image.shape[:2]
    found: dict[Patch, SeenPatch] = {}
    for card in arrangement.cards:
        if card.card not in arrangement.seen:
            continue
        for number, centre in enumerate((*WHITE_AT_MM, GREY_AT_MM)):
            px = np.rint(_on_card(arrangement.view, card, grid + np.subtract(centre, MARKER_AT_MM))).astype(int)
            if px.min() < 0 or px[:, 0].max() >= width or px[:, 1].max() >= height:
                continue
            patch = _patch(image[px[:, 1], px[:, 0]], px.mean(axis=0))
            if patch is not None:
                found[card.card, number] = patch
    return found


def _patch(values: npt.NDArray[np.uint8], at: Floats) -> SeenPatch | None:
    """A patch from its pixels (n, 3); None when they are not of one brightness."""
    ordered = np.sort(values, axis=0).astype(np.float64)
    low, middle, high = ordered[[len(values) // 10, len(values) // 2, len(values) * 9 // 10]]
    if high[1] - low[1] > 0.2 * middle[1] + 4:
        return None
    light = np.maximum(linear(values).mean(axis=0), 1e-4)
    return SeenPatch((float(at[0]), float(at[1])), (float(middle[0]), float(middle[1]), float(middle[2])),
                      np.log(light).astype(np.float64))


def _near(now: SeenPatch, then: SeenPatch) -> bool:
    return bool(np.hypot(now.at_px[0] - then.at_px[0], now.at_px[1] - then.at_px[1]) < 40)


def _plane(at_px: Floats, log_light: Floats) -> Floats:
    """a, b, c (3 channels, 3) of the planes through values (n, 3) at pixels (n, 2); iteratively
    reweighted least squares with Cauchy's loss, for a shadowed patch is far off.

    Fewer than four patches give a level plane: too little to say how light falls off.
    """
    if not len(at_px):
        return np.zeros((3, 3))
    if len(at_px) < 4:
        return np.column_stack([np.median(log_light, axis=0), np.zeros((3, 2))])
    middle = at_px.mean(axis=0)
    columns = np.column_stack([np.ones(len(at_px)), (at_px - middle) / 1000])
    start = 1 / (1 + (np.abs(log_light - np.median(log_light, axis=0)).mean(axis=1) / GROSS) ** 4)

    def solve(weights: Reals) -> Reals:
        root = np.sqrt(weights)[:, None]
        return np.asarray(np.linalg.lstsq(columns * root, log_light * root, rcond=None)[0], np.float64)

    plane = reweighted(solve, lambda found: np.abs(log_light - columns @ found).mean(axis=1),
                       lambda off: cauchy(off, STRAY), start, FIT_ROUNDS).solution
    slopes = plane[1:] / 1000
    return np.column_stack([plane[0] - middle @ slopes, slopes.T])
