"""Faults of the picture as a whole, reported in a sentence instead of waiting for a hand that is none."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.errors import Phrase, phrase
from vision.imaging.arrays import Values
from vision.imaging.frame import Frame, Image

BLACK_GREY, BURNT_GREY = 8.0, 250.0
"""Grey values: a picture that is nowhere brighter than the first, or half of which is brighter than the second, shows
nothing."""

TINY_WH = (80, 45)
MIN_TURNED_CORRELATION, MIN_LEAD = 0.5, 0.15
"""A picture is turned or mirrored when it correlates by at least this with an earlier one so transformed, and by so
much more than with any as it is."""

AS_IT_IS = "as it is"
ORIENTATIONS = {AS_IT_IS: np.s_[:, :], "eyes.upside_down": np.s_[::-1, ::-1], "eyes.mirrored": np.s_[:, ::-1],
        "eyes.flipped": np.s_[::-1, :]}
"""The flips of rows and columns of an earlier picture, by the phrase that reports them."""

MIN_TINT, MAX_COLOURLESS_TINT = 5.0, 0.5
"""A table has a tint when red and blue differ by `MIN_TINT` grey values; there are no colours when they differ by less
than `MAX_COLOURLESS_TINT`."""

SWAPPED_CORRELATION, DARK_GREY, LOCAL_PX = -0.3, 8.0, 6.0
"""Red and blue are exchanged when the logarithm of their ratio, less what is about the same around (a Gaussian of
`LOCAL_PX` at the tiny size), correlates with the earlier one by less than this. Another lamp's light multiplies it by
nearly one factor, and changes no sign. `DARK_GREY` is added to both, so that noise in the dark does not count."""

FROZEN_S, FROZEN_FRAMES = 10.0, 20
"""No camera gives identical pictures for that long and for that many frames."""


class ImageHealth:
    """Compares small pictures (180, 320, 3) B G R with earlier ones without hands."""

    def __init__(self, references: Sequence[Image]) -> None:
        grays = [_gray(each) for each in references]
        self._turned = {name: [np.ascontiguousarray(each[way]) for each in grays] for name, way in ORIENTATIONS.items()}
        self._tint = _tint(references[0]) if references else None
        self._hues = _hues(references[0]) if references else None

    def useless(self, small: Image) -> Phrase | None:
        """Why a picture shows nothing: it is black, overexposed, or has no colours where there were some."""
        middle, brightest = np.percentile(small[::4, ::4], (50, 99))
        if brightest < BLACK_GREY:
            return phrase("eyes.black")
        if middle > BURNT_GREY:
            return phrase("eyes.too_bright")
        is_tinted = self._tint is not None and np.abs(self._tint).mean() > MIN_TINT
        return phrase("eyes.no_colours") if is_tinted and np.abs(_tint(small)).mean() < MAX_COLOURLESS_TINT else None

    def look(self, small: Image) -> Phrase | None:
        """What is wrong with a picture: useless, turned upside down, mirrored, or red and blue exchanged."""
        useless = self.useless(small)
        if useless is not None or self._hues is None:
            return useless
        now = _gray(small)
        likeness = {name: max(_cosine(now, each) for each in grays) for name, grays in self._turned.items()}
        best = max(likeness, key=likeness.__getitem__)
        if likeness[best] > MIN_TURNED_CORRELATION and likeness[best] > likeness[AS_IT_IS] + MIN_LEAD:
            return phrase(best)
        return phrase("eyes.colours_swapped") if _cosine(_hues(small), self._hues) < SWAPPED_CORRELATION else None


class FreezeDetector:
    """Notices a camera that repeats one picture."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._number, self._since_s, self._frames = -1, 0.0, 0

    def is_frozen(self, frame: Frame) -> bool:
        """Whether successive frames have been identical for at least `FROZEN_S` and `FROZEN_FRAMES`."""
        if self._last is None or not np.array_equal(self._last, frame.small):
            self._last, self._since_s, self._frames = frame.small, frame.at_s, 0
        elif frame.number != self._number:
            self._frames += 1
        self._number = frame.number
        return self._frames >= FROZEN_FRAMES and frame.at_s - self._since_s >= FROZEN_S


def _gray(small: Image) -> Values:
    """Grey values (45, 80) with their mean subtracted."""
    tiny = cv2.resize(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), TINY_WH, interpolation=cv2.INTER_AREA)
    return np.asarray(tiny.astype(np.float32) - tiny.mean(), np.float32)


def _tint(small: Image) -> Values:
    """Red less blue (45, 80), in grey values."""
    tiny = cv2.resize(small, TINY_WH, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(tiny[..., 2] - tiny[..., 0], np.float32)


def _hues(small: Image) -> Values:
    """The logarithm of red over blue (45, 80), less its surroundings."""
    tiny = cv2.resize(small, TINY_WH, interpolation=cv2.INTER_AREA).astype(np.float32) + np.float32(DARK_GREY)
    ratio = np.log(tiny[..., 2] / tiny[..., 0])
    return np.asarray(ratio - cv2.GaussianBlur(ratio, (0, 0), LOCAL_PX), np.float32)


def _cosine(one: Values, other: Values) -> float:
    """The normalised correlation of two pictures whose means were subtracted."""
    scale = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float((one * other).sum()) / scale if scale > 0 else 0.0
