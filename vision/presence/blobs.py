"""Foreground of the small picture, as connected components of its difference from references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.imaging.frame import Image
from vision.presence.play_area import SmallMask
from vision.presence.relight import Region

SURE_CHANGE, FAINT_CHANGE = 12, 6
"""Upper and lower threshold of the difference, in grey values (thresholding with hysteresis)."""

FINGERTIP_PX = 20
"""A component at the border smaller than this (px), some 120 square millimetres, is noise."""

SAME_SHARE = 0.85
"""Two blobs show one thing when their masks have at least this intersection over union, and this share of the pixels in
common has the same colours."""

BORDER_PX = 3

CLOSE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Blob:
    """A connected component of the foreground: its `mask` (180, 320), bounding `box` (left, top, width, height) and
    `area` in px, and the small picture it was seen in."""

    mask: SmallMask
    box: tuple[int, int, int, int]
    area: int
    at_border: bool
    image: Image
    at_s: float


def same_thing(old: Blob, new: Blob) -> bool:
    """Whether both have about the same mask and colours."""
    both = cv2.bitwise_and(old.mask, new.mask)
    either = cv2.bitwise_or(old.mask, new.mask)
    shared = cv2.countNonZero(both)
    if shared < SAME_SHARE * cv2.countNonZero(either):
        return False
    off = np.abs(old.image[both > 0].astype(np.int16) - new.image[both > 0]).max(axis=1)
    return bool(np.mean(off > 2 * SURE_CHANGE) < 1 - SAME_SHARE)


def change_since(references: Sequence[Image], small: Image) -> SmallMask:
    """The least difference (h, w), in grey values, of each pixel from any reference; all are in the same light.

    A pixel is compared with the range of values in its 3 x 3 neighbourhood: edges shift by a pixel.
    """
    least: SmallMask | None = None
    for same_light in references:
        above = cv2.subtract(small, cv2.dilate(same_light, CLOSE))
        below = cv2.subtract(cv2.erode(same_light, CLOSE), small)
        blue, green, red = cv2.split(cv2.max(above, below))
        change = cv2.max(cv2.max(blue, green), red)
        least = np.asarray(change if least is None else cv2.min(least, change), np.uint8)
    assert least is not None
    return least


def connected(change: SmallMask, seen: tuple[Image, float], within: SmallMask, edge: SmallMask) -> list[Blob]:
    """Connected components of a difference, within a mask, by thresholding with hysteresis; those that touch the edge
    are at the border. `seen`: the small picture and when it was taken (s)."""
    faint, certain = (cv2.bitwise_and(cv2.threshold(change, least, 255, cv2.THRESH_BINARY)[1], within)
                      for least in (FAINT_CHANGE, SURE_CHANGE))
    if cv2.countNonZero(certain) < FINGERTIP_PX // 2:
        return []
    joined = cv2.morphologyEx(faint, cv2.MORPH_CLOSE, CLOSE)
    opened = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(opened, np.uint8), connectivity=8)
    sure = np.bincount(labels[np.asarray(certain) > 0], minlength=count)
    blobs = []
    for label in range(1, count):
        if sure[label] < FINGERTIP_PX // 2:
            continue
        x, y, across, down, area = (int(value) for value in stats[label])
        part = (slice(y, y + down), slice(x, x + across))
        mask = np.zeros_like(edge)
        mask[part] = cv2.inRange(labels[part], label, label)
        at_border = cv2.countNonZero(cv2.bitwise_and(mask[part], edge[part])) > 0
        blobs.append(Blob(mask, (x, y, across, down), area, at_border, *seen))
    return blobs


def picture_edge(unseen: SmallMask) -> SmallMask:
    """The border (h, w) of the small picture, and of the part that was never seen before."""
    edge = np.asarray(cv2.dilate(unseen, np.ones((2 * BORDER_PX + 1,) * 2, np.uint8)), np.uint8)
    edge[:BORDER_PX], edge[-BORDER_PX:], edge[:, :BORDER_PX], edge[:, -BORDER_PX:] = 255, 255, 255, 255
    return edge


def region_around(blobs: Sequence[Blob]) -> Region:
    """The part of the small picture that contains all blobs, with a margin."""
    left, top, width, height = np.array([blob.box for blob in blobs]).T
    return (slice(max(int(top.min()) - BORDER_PX, 0), int((top + height).max()) + BORDER_PX),
            slice(max(int(left.min()) - BORDER_PX, 0), int((left + width).max()) + BORDER_PX))
