"""The white and grey patches of the tag cards as measured in a picture, and its exposure judged by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.errors import Phrase, phrase
from companion.table import ExposureFault
from companion.table.tag_card import GREY_AT_MM, MARKER_AT_MM, WHITE_AT_MM
from vision.fiducials.tag_bundle import THICK_MM
from vision.fiducials.tag_pose import Arrangement
from vision.imaging.arrays import Floats
from vision.imaging.camera import View, spin
from vision.imaging.frame import CardSeen, Image
from vision.imaging.srgb import linear

INNER_MM, GRID = 9.0, 9
"""A patch is sampled on its inner square of this width, by a grid of so many points along each side."""

CLIPPED_SRGB, NOISY_SRGB = 252, 60
"""A white patch at `CLIPPED_SRGB` is clipped, one below `NOISY_SRGB` is mostly noise."""

_STEPS_MM = np.linspace(-INNER_MM / 2, INNER_MM / 2, GRID)
_GRID_MM = np.stack(np.meshgrid(_STEPS_MM, _STEPS_MM), axis=-1).reshape(-1, 2)
"""The sampling points (n, 2) in mm of a patch, about its centre."""

MAX_SPREAD, SPREAD_NOISE_SRGB = 0.2, 4
"""The spread of the values of an unobstructed patch: at most this share of them, and noise."""

MIN_PATCH_LIGHT = 1e-4

PatchId = tuple[int, int]
"""Card, and which of its patches: 0 and 1 are white, 2 is grey."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenPatch:
    """One patch as measured: its position (px), its value (3,) B G R in sRGB, and the logarithm (3,) of its linear
    light."""

    at_px: tuple[float, float]
    value: tuple[float, float, float]
    log_light: Floats


def judge_exposure(patches: Mapping[PatchId, SeenPatch]) -> tuple[ExposureFault, Phrase] | None:
    """The fault of the exposure by the white patches, and its phrase; None when the picture can be read."""
    values = np.array([patch.value for (_, number), patch in patches.items() if number < 2])
    if not len(values):
        return None
    if are_burnt(patches):
        return "bright", phrase("eyes.too_bright")
    if np.median(values[:, 1]) < NOISY_SRGB:
        return "dark", phrase("eyes.too_dark")
    return None


def are_burnt(patches: Mapping[PatchId, SeenPatch]) -> bool:
    """Whether most white patches are as bright as a picture can be, and brighter than it tells."""
    return are_clipped([patch.value for (_, number), patch in patches.items() if number < 2])


def are_clipped(values: Sequence[tuple[float, float, float]]) -> bool:
    """The same of the values (B G R in sRGB) of white patches."""
    return sum(max(each) >= CLIPPED_SRGB for each in values) > 0.5 * len(values)


def see_patches(image: Image, arrangement: Arrangement) -> dict[PatchId, SeenPatch]:
    """The white and grey patches of all cards that are seen, without those that are obstructed."""
    found: dict[PatchId, SeenPatch] = {}
    for card in arrangement.cards:
        if card.card not in arrangement.seen:
            continue
        for number, centre in enumerate((*WHITE_AT_MM, GREY_AT_MM)):
            patch = _patch_at(image, np.rint(on_card(arrangement.view, card, _GRID_MM + np.subtract(
                centre, MARKER_AT_MM))).astype(int))
            if patch is not None:
                found[card.card, number] = patch
    return found


def on_card(view: View, card: CardSeen, own_mm: Floats) -> Floats:
    """Points (n, 2) in mm about the marker in the card's own frame, projected to px of the picture."""
    return view.project_at(own_mm @ spin(card.turn_deg).T + card.at_mm, THICK_MM)


def _patch_at(image: Image, px: npt.NDArray[np.int_]) -> SeenPatch | None:
    """A patch from its pixels (n, 2: column, row); None when it is not wholly in the picture or not of one brightness.
    """
    height, width = image.shape[:2]
    if px.min() < 0 or px[:, 0].max() >= width or px[:, 1].max() >= height:
        return None
    values, at = image[px[:, 1], px[:, 0]], px.mean(axis=0)
    ordered = np.sort(values, axis=0).astype(np.float64)
    low, middle, high = ordered[[len(values) // 10, len(values) // 2, len(values) * 9 // 10]]
    if high[1] - low[1] > MAX_SPREAD * middle[1] + SPREAD_NOISE_SRGB:
        return None
    light = np.maximum(linear(values).mean(axis=0), MIN_PATCH_LIGHT)
    return SeenPatch((float(at[0]), float(at[1])), (float(middle[0]), float(middle[1]), float(middle[2])),
                      np.log(light).astype(np.float64))
