"""The white reference of a picture, fitted to the white and grey patches of the tag cards.

A camera's tone curve is steeper than sRGB's, by an exponent that depends on channel and exposure; the step from the
cards' white to their known grey determines it. The gain of each channel is then a smooth function over the picture,
`exp(a + b u + c v)`, fitted to the white patches; where these are burnt out, the grey ones tell how bright they are.
Later looks are fitted to the change of each patch since the first look, so that one that is covered or shadowed for a
while does not bias the fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from vision.fiducials.tag_corners import CORNERS_MM
from vision.fiducials.tag_pose import Arrangement
from vision.imaging.arrays import Floats
from vision.imaging.frame import Image
from vision.imaging.least_squares import Reals, cauchy, reweighted
from vision.photometry.card_patches import PatchId, SeenPatch, are_burnt, on_card, see_patches
from vision.photometry.unsharp import Lightness, sharpening
from vision.photometry.white_reference import PAPER_REFLECTANCE, White, to_opponent

GREY_REFLECTANCE = 0.184
"""Reflectance of the grey patch (L* 50)."""

MIN_STEEPNESS, MAX_STEEPNESS = 0.6, 2.0
BRIGHT_STEEPNESS = np.ones(3)
"""Where none is measured: the brighter a picture, the flatter the curve: 1.4 where paper is at 190, 1.0 at 235."""

STRAY_LOG_LIGHT, GROSS_LOG_LIGHT = 0.06, 0.7
"""Scale of the Cauchy weights of residuals from the plane, and that of the initial weights, by the difference from the
median of all patches."""

BRIGHTER_LOG_LIGHT = 0.3
"""How much brighter than at enrolment a picture may be whose white patches are burnt out."""

PLANE_ROUNDS = 8
MIN_PLANE_PATCHES = 4

SAME_PLACE_PX = 40
"""A patch that moved by less is compared with its value at the first look."""

MARKER_MARGIN_PX = 7
"""The margin around a marker for the profiles of its edges."""


def fit_white(image: Image, arrangement: Arrangement, first: White | None = None) -> White:
    """The white reference of a picture whose cards were measured; with `first`, fitted as a change since that look."""
    patches, before = see_patches(image, arrangement), BRIGHT_STEEPNESS if first is None else first.steepness
    if are_burnt(patches):
        steepness, patches = before, _told_by_grey(patches, before)
    else:
        steepness = _steepness(patches, before)
    whites = {key: patch for key, patch in patches.items() if key[1] < 2}
    if first is None:
        at = np.array([patch.at_px for patch in whites.values()]).reshape(-1, 2)
        light = np.array([patch.log_light / steepness for patch in whites.values()]).reshape(-1, 3)
        white = White(_plane(at, light), steepness, patches)
        return replace(white, sharpened=sharpening(_markers(image, arrangement, white)))
    both = [key for key in whites if key in first.patches and _is_near(whites[key], first.patches[key])]
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
        px = on_card(arrangement.view, card, CORNERS_MM)
        left, top = (int(low) - MARKER_MARGIN_PX for low in px.min(axis=0))
        right, bottom = (int(high) + MARKER_MARGIN_PX for high in px.max(axis=0))
        if card.card in arrangement.seen and min(left, top) >= 0 and right <= width and bottom <= height:
            crop = image[top:bottom, left:right]
            yield to_opponent(white, crop, left, top)[..., 0], px - (left, top)


def is_as_bright(white: White, enrolled: White) -> bool:
    """Whether a picture is hardly brighter than the one in which pieces were learned, though that one shows paper as
    burnt out as well: what is too bright to tell its colour was so when it was learned."""
    at = np.array([(1.0, *patch.at_px) for (_, number), patch in white.patches.items() if number < 2])
    light, learned = (float((at @ each.gains.T).mean()) for each in (white, enrolled))
    return learned > 0 and light < learned + BRIGHTER_LOG_LIGHT


def _told_by_grey(patches: Mapping[PatchId, SeenPatch], steepness: Floats) -> dict[PatchId, SeenPatch]:
    """The patches with the light of white ones as the grey one of the same card tells it."""
    step = steepness * np.log(PAPER_REFLECTANCE / GREY_REFLECTANCE)
    return {(card, number): replace(patch, log_light=patches[card, 2].log_light + step)
            if number < 2 and (card, 2) in patches else patch for (card, number), patch in patches.items()}


def _steepness(patches: Mapping[PatchId, SeenPatch], before: Floats) -> Floats:
    """The exponent (3,) of each channel from the steps between white and grey; `before` when no card shows both."""
    steps = []
    for card in {card for card, _ in patches}:
        whites = [patches[card, number].log_light for number in (0, 1) if (card, number) in patches]
        if whites and (card, 2) in patches:
            steps.append(np.max(whites, axis=0) - patches[card, 2].log_light)  # a shadowed one is darker
    if not steps:
        return before
    return np.asarray((np.median(steps, axis=0) / np.log(PAPER_REFLECTANCE / GREY_REFLECTANCE))
                      .clip(MIN_STEEPNESS, MAX_STEEPNESS), np.float64)


def _is_near(now: SeenPatch, then: SeenPatch) -> bool:
    return bool(np.hypot(now.at_px[0] - then.at_px[0], now.at_px[1] - then.at_px[1]) < SAME_PLACE_PX)


def _plane(at_px: Floats, log_light: Floats) -> Floats:
    """a, b, c (3 channels, 3) of the planes through values (n, 3) at pixels (n, 2). IRLS with Cauchy weights: a
    shadowed patch is an outlier.

    Fewer than four patches give a constant: too few to estimate a gradient.
    """
    if not len(at_px):
        return np.zeros((3, 3))
    if len(at_px) < MIN_PLANE_PATCHES:
        return np.column_stack([np.median(log_light, axis=0), np.zeros((3, 2))])
    middle = at_px.mean(axis=0)
    columns = np.column_stack([np.ones(len(at_px)), (at_px - middle) / 1000])
    start = 1 / (1 + (np.abs(log_light - np.median(log_light, axis=0)).mean(axis=1) / GROSS_LOG_LIGHT) ** 4)

    def solve(weights: Reals) -> Reals:
        root = np.sqrt(weights)[:, None]
        return np.asarray(np.linalg.lstsq(columns * root, log_light * root, rcond=None)[0], np.float64)

    plane = reweighted(solve, lambda found: np.abs(log_light - columns @ found).mean(axis=1),
                       lambda off: cauchy(off, STRAY_LOG_LIGHT), start, PLANE_ROUNDS).solution
    slopes = plane[1:] / 1000
    return np.column_stack([plane[0] - middle @ slopes, slopes.T])
