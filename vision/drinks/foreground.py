"""Foreground segmentation in a zone: connected components of pixels that differ from the bare table."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.box import Box
from vision.photometry.difference import misfit
from vision.scene.scene import Scene
from vision.scene.surfaces import TABLE
from vision.scene.zone_margins import FOREGROUND_MISFIT

STRIP_ROWS = 64
"""Rows of a zone that are compared with the bare table at a time."""

NOISE_QUANTILE, NOISE_TIMES = 0.25, 3.5
"""Foreground differs by more than so many times what a quarter of the zone differs by no more than: in a dim evening
noise alone goes beyond `FOREGROUND_MISFIT` in one pixel of fifty."""

MOST_MISFIT = 10.0
"""What differs by more is foreground however much else does, in a zone full of drinks too: residuals end at `WORST`."""

LEVELS_A_UNIT = 8
"""Misfits are kept in so many levels a unit, in a byte each."""

BinaryImage = npt.NDArray[np.uint8]
"""(h, w), 1 for foreground, else 0."""


def foreground_masks(scene: Scene, box: Box) -> tuple[BinaryImage, BinaryImage]:
    """The foreground (h, w), neither bare table nor crate, with specks removed and holes closed, and with all specks.
    Blotches of colour in a noisy picture are not told from things by channels that are trusted little."""
    trust = np.array(scene.trust, np.float32)
    levels, counts = np.zeros((box.height, box.width), np.uint8), np.zeros(256, np.intp)
    for strip in box.strips(STRIP_ROWS):  # a whole zone at once would need megabytes for a moment
        seen = scene.plain(strip)
        ground = scene.background(strip, seen)
        trusted = ground + trust * (seen - ground)
        far = np.sqrt(misfit(trusted.transpose(2, 0, 1), ground.transpose(2, 0, 1)))
        on_table, found = scene.kinds(strip) == TABLE, np.ceil(LEVELS_A_UNIT * far).clip(0, 255).astype(np.uint8)
        levels[box.overlap(strip)[0]][on_table] = found[on_table]
        counts += np.bincount(found[on_table], minlength=len(counts))
    noise = int(np.searchsorted(np.cumsum(counts), NOISE_QUANTILE * counts.sum()))
    least = np.clip(NOISE_TIMES * noise, LEVELS_A_UNIT * FOREGROUND_MISFIT, LEVELS_A_UNIT * MOST_MISFIT)
    mask = (levels > least).astype(np.uint8)
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(opened, outlines, -1, 1, -1)
    return np.asarray(opened, np.uint8), mask


def strewn_with(specks: BinaryImage, side_px: int, least_share: float) -> Iterator[tuple[int, int]]:
    """The columns and rows around which specks fill so large a share of a square: where they lie most densely first,
    and none within a square of another."""
    share = np.asarray(cv2.boxFilter(specks, cv2.CV_32F, (side_px, side_px), borderType=cv2.BORDER_CONSTANT))
    while True:
        _, most, _, (column, row) = cv2.minMaxLoc(share)
        if most < least_share:
            return
        yield column, row
        share[max(row - side_px, 0):row + side_px, max(column - side_px, 0):column + side_px] = 0


def largest_blob(mask: BinaryImage, min_px: float) -> BinaryImage | None:
    """The largest connected component; None when it has fewer pixels."""
    left, top, width, height = cv2.boundingRect(mask)
    if width == 0:
        return None
    part = np.s_[top:top + height, left:left + width]
    _, labels = cv2.connectedComponents(mask[part], ltype=cv2.CV_16U)  # its statistics take six times as long
    areas = np.bincount(labels.ravel())
    areas[0] = 0
    largest = int(areas.argmax())
    if areas[largest] < min_px:
        return None
    blob = np.zeros_like(mask)
    blob[part] = labels == largest
    return blob
