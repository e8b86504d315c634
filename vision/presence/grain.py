"""Whether the table itself is seen in a blob: its grain or weave, darker or brighter than before.

A shadow takes the same share of light from neighbouring pixels, however deep it is and however sharp its edge. So what
the logarithms of their light differ by stays; under a hand, a sleeve or a thing it does not. On a table without any
grain nothing is told.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.arrays import Values
from vision.imaging.frame import Image
from vision.presence.blobs import FINGERTIP_PX, Blob, picture_edge
from vision.presence.play_area import SmallMask

DARK_GREY = 8.0
LOGARITHMS = np.log(np.arange(256) + DARK_GREY).astype(np.float32)
"""Of each grey value, to which `DARK_GREY` is added for the noise in the dark."""

GRAIN_PX = 5
"""Grain is compared in squares of this side, about a finger's breadth."""

SAME_GRAIN, SEEN_SHARE = 0.5, 0.85
"""The table is seen where its grain correlates with that of before by more than the first; and in a blob, if it is
seen in the second share of the squares."""

OTHER_GRAIN = 0.02
"""Something else is seen where it does not, and where what is not the table's grain has this standard deviation, in
logarithms of light."""

ROUGH_PX, INNER_SHARE = 1, 0.4
"""At least this share of a blob is compared: that which has the whole square around it within the blob, with a margin,
for its edge is not told to the pixel; or, if that is less, what has that margin."""


def shows_table(blob: Blob, before: Image, play: SmallMask | None = None) -> bool:
    """Whether the table is seen in all of a blob: nothing else is, not even on a patch as large as a fingertip.
    `before` is the reference (180, 320, 3) in the same light. What lies wholly in the play area (180, 320), if that is
    given, with the table around it, is a piece that was played: no arm leads there."""
    grown = _grown(blob)
    inner = _inner(blob.mask[grown], blob.area) > 0
    like, other = _compare(blob, before, grown)
    hidden = inner & (like <= SAME_GRAIN) & (other > OTHER_GRAIN)
    count, labels = cv2.connectedComponents(hidden.astype(np.uint8), ltype=cv2.CV_16U)
    if play is not None:
        outside = cv2.bitwise_or(cv2.bitwise_not(play), picture_edge(np.zeros_like(play)))[grown] > 0
        pieces = np.setdiff1d(np.arange(1, count), labels[outside])
        inner &= ~np.isin(labels, pieces)
        labels[~inner] = 0
    squares = np.count_nonzero(inner)
    if (squares < max(INNER_SHARE * blob.area, FINGERTIP_PX)
            or np.count_nonzero(inner & (like > SAME_GRAIN)) < SEEN_SHARE * squares):
        return False
    return bool(np.bincount(labels.ravel(), minlength=2)[1:].max() < FINGERTIP_PX)


def hides_table(blob: Blob, before: Image) -> SmallMask:
    """The part (180, 320) of a blob that is not the table in light or shade, coloured light that a thing throws on it
    too: what is in none of the squares in which its grain is seen, on a patch as wide as a finger. `before` as above.
    """
    grown, square = _grown(blob), np.ones((GRAIN_PX,) * 2, np.uint8)
    like, _ = _compare(blob, before, grown)
    seen = cv2.dilate(cv2.morphologyEx((like > SAME_GRAIN).astype(np.uint8), cv2.MORPH_OPEN, square), square)
    hides = blob.mask.copy()
    hides[grown][seen > 0] = 0
    return hides


def _inner(mask: SmallMask, area: int) -> SmallMask:
    """The pixels (h, w) of a blob's mask around which squares are compared: those well within it; nearly all, if it has
    too few, as a faint shade that noise frays: what hides the table has an edge there, and that is not the table's."""
    for across in (GRAIN_PX + 2 * ROUGH_PX, 1 + 2 * ROUGH_PX):
        inner = np.asarray(cv2.erode(mask, np.ones((across, across), np.uint8)), np.uint8)
        if cv2.countNonZero(inner) >= INNER_SHARE * area:
            break
    return inner


def _grown(blob: Blob) -> tuple[slice, slice]:
    """Rows and columns of a blob's box with a window around it, as far as the picture reaches."""
    left, top, width, height = blob.box
    return (slice(max(top - GRAIN_PX, 0), top + height + GRAIN_PX),
            slice(max(left - GRAIN_PX, 0), left + width + GRAIN_PX))


def log_light(image: Image) -> Values:
    """The mean of each pixel's logarithms (h, w)."""
    return np.asarray(cv2.transform(cv2.LUT(image, LOGARITHMS), np.full((1, 3), 1 / 3)), np.float32)


def _compare(blob: Blob, before: Image, part: tuple[slice, slice]) -> tuple[Values, Values]:
    """Of the square around each pixel (h, w) of a part of the picture: how the logarithms of light now and before
    correlate, and the standard deviation of what is left now when what they share is taken away."""
    def mean(values: Values) -> Values:
        return np.asarray(cv2.blur(values, (GRAIN_PX, GRAIN_PX)))

    now, then = (light - mean(light) for light in (log_light(image[part]) for image in (blob.image, before)))
    varies_now, varies_then, shared = mean(now * now), mean(then * then), mean(now * then)
    like = shared / np.sqrt(np.maximum(varies_now * varies_then, 1e-12))
    return like, np.sqrt(np.maximum(varies_now * (1 - like * like), 0.0))
