"""In the eyes' process: a lens is measured while people hold the sheet into one outline after the other."""

from __future__ import annotations

from collections import deque
from typing import Final

from companion.errors import Phrase, SightError, phrase
from companion.session.survey import LensMeasured, SheetOutline
from vision.fiducials.lens_outlines import HELD, fills, is_still, sheet_ends, sheet_outline
from vision.fiducials.lens_sheet import SheetSeen, calibrate, find_sheet, finding, verdict
from vision.imaging.arrays import Floats
from vision.imaging.frame import Image

NO_SIZE: Final = (0, 0)
"""Of no picture."""


class LensMeasuring:
    """Takes a picture of each outline that the sheet fills and in which it is held still."""

    def __init__(self) -> None:
        self._begin(NO_SIZE)

    def _begin(self, size: tuple[int, int]) -> None:
        self._size, self._taken = size, list[SheetSeen]()
        self._left = deque(range(len(HELD)))
        self._before: Floats | None = None
        self._done: LensMeasured | None = None

    def begin_anew(self) -> None:
        """Nothing is taken yet."""
        self._begin(self._size)

    def leave_for_later(self) -> None:
        """The outline that is asked for comes last."""
        self._left.rotate(-1)

    def look(self, image: Image) -> LensMeasured:
        """How far it is with this picture. Pictures of another size begin anew: they have another lens."""
        size = image.shape[1], image.shape[0]
        if self._size not in (size, NO_SIZE):
            self._begin(size)
        self._size = size
        if self._done is not None:
            return self._done
        seen = find_sheet(image)
        ends = None if seen is None else sheet_ends(seen, size)
        said = self._judged(seen, ends)
        self._before = ends
        if not self._left:
            self._done = self._measured()
            return self._done
        return LensMeasured(len(self._taken), len(HELD), said, self._shown(sheet_outline(self._left[0])),
                            () if ends is None else self._shown(ends))

    def _judged(self, seen: SheetSeen | None, ends: Floats | None) -> Phrase:
        if seen is None or ends is None:
            return phrase("calibrate.show")
        if not fills(ends, sheet_outline(self._left[0])):
            return phrase("calibrate.fill")
        if self._before is None or not is_still(ends, self._before):
            return phrase("calibrate.hold_still")
        self._taken.append(seen)
        self._left.popleft()
        return phrase("calibrate.taken")

    def _measured(self) -> LensMeasured:
        try:
            done = calibrate(self._taken, self._size)
        except SightError as error:  # what was seen fits no lens at all
            return LensMeasured(len(HELD), len(HELD), error.phrase)
        lens = done.lens.json if verdict(done) != "poor" else None
        return LensMeasured(len(HELD), len(HELD), finding(done), lens=lens)

    def _shown(self, ends: Floats) -> SheetOutline:
        """In shares of the picture's width and height, from its upper left."""
        width, height = self._size
        return tuple((0.5 + x, 0.5 + y * width / height) for x, y in ends.tolist())
