"""A picture set played like a game: its pictures one after the other, over and over."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.errors import HardwareError, InvalidError, phrase
from vision.enrolment.picture_set import PictureSet, read_set
from vision.imaging.frame import Frame


class FolderCamera:
    """Plays the set in `folder`, a picture every `pace_s` seconds.

    Frames are numbered on and on: picture `number % len(camera)` of round `number // len(camera)`.
    """

    def __init__(
        self,
        folder: Path,
        pace_s: float,
        *,
        loop: bool = True,
        first: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder, self._pace_s, self._loop = folder, pace_s, loop
        self._clock, self._sleep = clock, sleep
        self._set: PictureSet | None = None
        self._number = first
        self._due_s = 0.0

    def __len__(self) -> int:
        """How many pictures there are in one round; 0 before it is opened."""
        return len(self._set.pictures) if self._set else 0

    def open(self) -> None:
        """Reads what the set is. Raises `HardwareError` when it is none or has no pictures."""
        try:
            self._set = read_set(self._folder)
        except InvalidError as error:
            raise HardwareError(error.phrase) from error
        if not self._set.pictures:
            raise HardwareError(phrase("hw.no_frames", where=str(self._folder)))
        self._due_s = self._clock()

    def read(self) -> Frame | None:
        """The next picture when it is due; None after the last one of a set that is played once."""
        if self._set is None or (not self._loop and self._number >= len(self)):
            return None
        number, self._number = self._number, self._number + 1
        if (early_s := self._due_s - self._clock()) > 0:
            self._sleep(early_s)
        self._due_s = self._clock() + self._pace_s
        return replace(self._set.frame(number % len(self)), at_s=self._clock(), number=number)

    def expose(self, factor: float) -> bool:
        """Pictures that were taken cannot be taken again."""
        del factor
        return False

    def close(self) -> None:
        """There is nothing to give back; the numbers go on."""
