"""Things that lie over the play area: what they cover, told from how the table looked before they came."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.frame import SMALL_WH, Image
from vision.presence.blobs import CLOSE, FAINT_CHANGE, Blob, change_since, connected, most_of_channels, picture_edge
from vision.presence.foreground import is_light
from vision.presence.outline import blob_outline, blob_thick_mm
from vision.presence.play_area import PlayArea, SmallMask
from vision.presence.relight import match_lamps, match_light

COVERING_MM = 60.0
"""What covers places is thicker than this; pieces that come, go and are moved together are not."""

LEAST_CONTRAST, FAINT_SHARE = 30.0, 0.3
"""A tenth of a thing's pixels differ from the table by at least so many grey values, and hardly any by less than this
share of that."""

EDGE_PX = 2
"""The margin around a thing within which its edge may be seen."""


class Coverings:
    """Remembers how the play area looked before things were put on it. A thing that was there from the beginning is
    not told from the table."""

    def __init__(self) -> None:
        self._clear: Image | None = None

    def remembers(self, image: Image | None) -> bool:
        """Whether this very picture is what is remembered."""
        return image is not None and image is self._clear

    def find(self, small: Image, area: PlayArea, relit: Image | None = None) -> SmallMask | None:
        """Where (180, 320) things cover the play area in a picture without hands; None where nothing does. `relit`:
        what is remembered in this picture's light, where that was computed already."""
        if self._clear is None:
            self._clear = small
            return None
        relit = match_light(self._clear, small) if relit is None else relit
        things = _things(relit, small, area)
        if things is not None:  # or was a lamp switched on?
            relit = match_lamps(self._clear, small)
            things = _things(relit, small, area)
        self._clear = small if things is None else np.where(things[..., None] > 0, relit, small)
        return None if things is None else np.asarray(cv2.bitwise_and(things, area.play), np.uint8)

    def turn(self, warp: cv2.typing.MatLike) -> None:
        """The camera was bumped: warp what is remembered to the new view by a homography."""
        if self._clear is not None:
            self._clear = np.asarray(cv2.warpPerspective(self._clear, warp, SMALL_WH, borderMode=cv2.BORDER_REPLICATE),
                                     np.uint8)


def _things(before: Image, small: Image, area: PlayArea) -> SmallMask | None:
    """The outlines of all things that reach over the play area."""
    change = change_since([before], small)
    change[area.cards > 0] = 0
    if not _is_thick(change, area):
        return None
    everywhere = np.full(change.shape, 255, np.uint8)
    things = np.zeros(change.shape, np.uint8)
    for blob in connected(change, (small, 0.0), everywhere, picture_edge(np.zeros_like(everywhere))):
        if _covers(blob, before, area):
            cv2.fillConvexPoly(things, cv2.convexHull(blob_outline(blob, before, FAINT_SHARE)), (255,))
    if not things.any():
        return None
    return np.asarray(cv2.dilate(things, CLOSE, iterations=EDGE_PX), np.uint8)


def _is_thick(change: SmallMask, area: PlayArea) -> bool:
    """Whether there may be a covering at all: whether a square that fits into one fits into the change."""
    side = max(round(0.7 * COVERING_MM * area.px_per_mm), 1)
    changed = cv2.threshold(change, FAINT_CHANGE, 255, cv2.THRESH_BINARY)[1]
    closed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, CLOSE)
    return bool(cv2.erode(closed, np.ones((side, side), np.uint8)).any())


def _covers(blob: Blob, before: Image, area: PlayArea) -> bool:
    if blob.area < (COVERING_MM * area.px_per_mm) ** 2 / 2 or not cv2.bitwise_and(blob.mask, area.play).any():
        return False
    part = blob.part
    off = most_of_channels(cv2.absdiff(blob.image[part], before[part]))[blob.mask[part] > 0]
    if np.percentile(off, 90) < LEAST_CONTRAST or is_light(blob, before):
        return False
    return blob_thick_mm(blob, before, area.px_per_mm) >= COVERING_MM
