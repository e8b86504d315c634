"""Fingers of which little is seen: over a card, at the picture's border, or in their own shade."""

from __future__ import annotations

import numpy as np

from vision.imaging.frame import Image
from vision.presence.blob_light import light_of
from vision.presence.blobs import END_PX, FINGERTIP_PX, Blob
from vision.presence.foreground import is_skin, patches_of, skin_of
from vision.presence.play_area import PlayArea, SmallMask

END_SHARE = 0.5
"""Of the end of a finger at the border so much shows skin at least; the rest is its edge."""

END_TINT = 1.0
"""What is the end of a finger, and not its shade, changed by more in one channel than in another, in logarithms of
light."""


def may_show_fingers(blob: Blob, before: Image, area: PlayArea) -> bool:
    """Whether a blob at the border may show a few fingers. `before` is the reference (180, 320, 3) in the same
    light."""
    return blob.at_border and blob.area > 0 and skin_of(blob, before, area).has_fingers


def is_fingers_end(blob: Blob, before: Image, area: PlayArea) -> bool:
    """Whether a blob that is smaller than a fingertip is the end of one: most of it may be skin. `before` as above."""
    return skin_of(blob, before, area).share >= END_SHARE


def is_end_in_its_shade(blob: Blob, before: Image, area: PlayArea, edge: SmallMask) -> bool:
    """Whether a blob at the border `edge` (h, w) is the end of a finger, smaller than a fingertip, and else mostly
    darker."""
    if not blob.at_border:
        return False
    now, then = light_of(blob, before, area)
    ratio = np.log(now / then)
    may_be = np.ptp(ratio, axis=0) > END_TINT
    if not END_PX <= np.count_nonzero(may_be) < FINGERTIP_PX:
        return False
    may_be[may_be] = is_skin(now[:, may_be], then[:, may_be])
    end = np.zeros_like(blob.mask)
    end[blob.part][blob.mask[blob.part] > 0] = may_be
    labels, areas = patches_of(end)
    at_border = np.unique(np.asarray(labels)[edge > 0])
    is_end = bool((areas[at_border[at_border > 0] - 1] >= END_PX).any())
    return is_end and float(np.median(ratio.max(axis=0))) < 0.0
