"""Foreground of the small picture, as connected components of its difference from references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.imaging.frame import Image
from vision.presence.play_area import SmallMask
from vision.presence.relight import Region

SURE_CHANGE, FAINT_CHANGE = 12, 6
"""Upper and lower threshold of the difference, in grey values (thresholding with hysteresis)."""

FINGERTIP_PX, END_PX = 20, 5
"""A component at the border smaller than the first (px), some 120 square millimetres, is noise, unless as many pixels
as the second differ surely and show skin: the end of a fingertip."""

SAME_SHARE = 0.85
"""Two blobs show one thing when their masks have at least this intersection over union, and this share of the pixels in
common has the same colours."""

UNMOVED_SHARE = 0.95
"""The same of a thing that does not move at all, as an arm at rest still does."""

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

    @property
    def part(self) -> Region:
        """Rows and columns of its box."""
        left, top, width, height = self.box
        return slice(top, top + height), slice(left, left + width)


def shared_px(blob: Blob, part: SmallMask) -> int:
    """How many pixels of a blob lie on a part of the picture (180, 320)."""
    return cv2.countNonZero(cv2.bitwise_and(blob.mask[blob.part], part[blob.part]))


def clear_of(blob: Blob, part: SmallMask) -> Blob:
    """What of a blob lies clear of a part of the picture, as the cards."""
    return cut_to(blob, np.asarray(cv2.bitwise_not(part), np.uint8))


def cut_to(blob: Blob, part: SmallMask) -> Blob:
    """What of a blob lies on a part of the picture."""
    mask = np.asarray(cv2.bitwise_and(blob.mask, part), np.uint8)
    return replace(blob, mask=mask, area=cv2.countNonZero(mask))


def same_thing(old: Blob, new: Blob, least: float = SAME_SHARE) -> bool:
    """Whether both have about the same mask and colours."""
    if min(old.area, new.area) < least * max(old.area, new.area):
        return False
    both = cv2.bitwise_and(old.mask, new.mask)
    either = cv2.bitwise_or(old.mask, new.mask)
    shared = cv2.countNonZero(both)
    if shared < least * cv2.countNonZero(either):
        return False
    off = cv2.bitwise_and(most_of_channels(cv2.absdiff(old.image, new.image)), both)
    return bool(np.count_nonzero(off > 2 * SURE_CHANGE) < (1 - least) * shared)


def sights_kept(known: Sequence[Blob], blobs: Sequence[Blob]) -> list[Blob]:
    """The first sight of each blob, including those that something else occludes for a while; and its last one that
    does not move, if it is not as at first: beside an arm it may have been in another light."""
    for blob in blobs:
        same = [old for old in known if same_thing(old, blob)]
        if not any(same_thing(old, blob, UNMOVED_SHARE) for old in same):
            known = [old for old in known if old not in same[1:]] + [blob]
    return list(known)


def most_of_channels(image: cv2.typing.MatLike) -> SmallMask:
    """The largest value of each pixel's channels."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def change_since(references: Sequence[Image], small: Image) -> SmallMask:
    """The least difference (h, w), in grey values, of each pixel from any reference; all are in the same light.

    A pixel is compared with the range of values in its 3 x 3 neighbourhood: edges shift by a pixel.
    """
    least: SmallMask | None = None
    for same_light in references:
        above = cv2.subtract(small, cv2.dilate(same_light, CLOSE))
        below = cv2.subtract(cv2.erode(same_light, CLOSE), small)
        change = most_of_channels(cv2.max(above, below))
        least = np.asarray(change if least is None else cv2.min(least, change), np.uint8)
    assert least is not None
    return least


def connected(change: SmallMask, seen: tuple[Image, float], within: SmallMask, edge: SmallMask,
              least_px: int = FINGERTIP_PX // 2) -> list[Blob]:
    """Connected components of a difference, within a mask, by thresholding with hysteresis: at least so many pixels
    of each are sure. Those that touch the edge are at the border. `seen`: the small picture and when it was taken (s).
    """
    faint, certain = (cv2.bitwise_and(cv2.threshold(change, least, 255, cv2.THRESH_BINARY)[1], within)
                      for least in (FAINT_CHANGE, SURE_CHANGE))
    if cv2.countNonZero(certain) < least_px:
        return []
    joined = cv2.morphologyEx(faint, cv2.MORPH_CLOSE, CLOSE)
    opened = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    left, top, width, height = cv2.boundingRect(opened)
    if width == 0:
        return []
    box = np.s_[top:top + height, left:left + width]
    count, labels = cv2.connectedComponents(opened[box], connectivity=8, ltype=cv2.CV_16U)  # its statistics are slow
    sure = cv2.calcHist([labels], [0], certain[box], [count], (0, count)).ravel()
    blobs = []
    for label in np.flatnonzero(sure[1:] >= least_px) + 1:
        mask = np.zeros_like(edge)
        mask[box] = cv2.inRange(labels, int(label), int(label))
        at_border = cv2.countNonZero(cv2.bitwise_and(mask, edge)) > 0
        x, y, across, down = cv2.boundingRect(mask)
        blobs.append(Blob(mask, (x, y, across, down), cv2.countNonZero(mask), at_border, *seen))
    return blobs


def uncut(blob: Blob, before: Image) -> Blob | None:
    """All of what a blob is a part of, if it is wholly in the picture: what lies half over the play area was cut along
    it. `before` is the reference (180, 320, 3) in the same light."""
    everywhere = np.full(blob.mask.shape, 255, np.uint8)
    every = connected(change_since([before], blob.image), (blob.image, blob.at_s), everywhere,
                      picture_edge(np.zeros_like(everywhere)))
    whole = max(every, key=lambda each: shared_px(blob, each.mask), default=None)
    return None if whole is None or whole.at_border else whole


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
