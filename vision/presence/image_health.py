"""What may be wrong with the picture as a whole: told in a sentence instead of waiting for a hand that is none."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.errors import Phrase, phrase
from vision.imaging.frame import Frame, Image

BLACK = 8.0
"""Grey value: a picture that is nowhere brighter shows nothing."""

BURNT = 250.0
"""A picture half of which is brighter shows nothing either."""

TINY_WH = (80, 45)
ALIKE, MORE_ALIKE = 0.5, 0.15
"""A picture is turned or mirrored when it correlates with an earlier one turned so by this, and so much more than with
any as it is."""

AS_IT_IS = "as it is"
WAYS = {AS_IT_IS: np.s_[:, :], "eyes.upside_down": np.s_[::-1, ::-1], "eyes.mirrored": np.s_[:, ::-1],
        "eyes.flipped": np.s_[::-1, :]}
"""How rows and columns of an earlier picture may be turned, and what is said of it."""

COLOURED, SWAPPED, COLOURLESS = 5.0, -0.5, 0.5
"""A table has a tint when red and blue differ by so many grey values; red and blue changed places when this tint
correlates with the earlier one by less than the one, and there are no colours when they differ by less than the other.
"""

STUCK_S, STUCK_FRAMES = 10.0, 20
"""No camera shows exactly the same picture for so long, in so many frames."""

Values = npt.NDArray[np.float32]


class Doubts:
    """Holds small pictures (180, 320, 3) B G R against earlier ones without hands."""

    def __init__(self, references: Sequence[Image]) -> None:
        grays = [_gray(each) for each in references]
        self._turned = {name: [np.ascontiguousarray(each[way]) for each in grays] for name, way in WAYS.items()}
        self._tint = _tint(references[0]) if references else None

    def useless(self, small: Image) -> Phrase | None:
        """Why a picture shows nothing: it is black, burnt out, or has no colours where there were some."""
        middle, brightest = np.percentile(small[::4, ::4], (50, 99))
        if brightest < BLACK:
            return phrase("eyes.black")
        if middle > BURNT:
            return phrase("eyes.too_bright")
        is_tinted = self._tint is not None and np.abs(self._tint).mean() > COLOURED
        return phrase("eyes.no_colours") if is_tinted and np.abs(_tint(small)).mean() < COLOURLESS else None

    def look(self, small: Image) -> Phrase | None:
        """What is wrong with a picture: useless, turned upside down, mirrored, or red and blue exchanged."""
        useless = self.useless(small)
        if useless is not None or self._tint is None:
            return useless
        now = _gray(small)
        likeness = {name: max(_cosine(now, each) for each in grays) for name, grays in self._turned.items()}
        best = max(likeness, key=likeness.__getitem__)
        if likeness[best] > ALIKE and likeness[best] > likeness[AS_IT_IS] + MORE_ALIKE:
            return phrase(best)
        if np.abs(self._tint).mean() > COLOURED and _cosine(_tint(small), self._tint) < SWAPPED:
            return phrase("eyes.colours_swapped")
        return None


class Pulse:
    """Notices a camera that repeats one picture."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._number, self._since_s, self._frames = -1, 0.0, 0

    def is_stuck(self, frame: Frame) -> bool:
        """Whether new frames have shown exactly the same for long."""
        if self._last is None or not np.array_equal(self._last, frame.small):
            self._last, self._since_s, self._frames = frame.small, frame.at_s, 0
        elif frame.number != self._number:
            self._frames += 1
        self._number = frame.number
        return self._frames >= STUCK_FRAMES and frame.at_s - self._since_s >= STUCK_S


def _gray(small: Image) -> Values:
    tiny = cv2.resize(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), TINY_WH, interpolation=cv2.INTER_AREA)
    return np.asarray(tiny.astype(np.float32) - tiny.mean(), np.float32)


def _tint(small: Image) -> Values:
    tiny = cv2.resize(small, TINY_WH, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(tiny[..., 2] - tiny[..., 0], np.float32)


def _cosine(one: Values, other: Values) -> float:
    scale = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float((one * other).sum()) / scale if scale > 0 else 0.0
