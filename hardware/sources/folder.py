"""A picture set played like a game: its `frames/` one after the other, over and over."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from companion.errors import HardwareError, phrase
from hardware.sources.picture import decode, small
from vision.frames import Frame


class FolderCamera:
    """Plays the pictures in `folder/frames`, one every `pace_s` seconds.

    Frames are numbered on and on: picture `number % len(camera)` of round `number // len(camera)`.
    """

    def __init__(
        self,
        folder: Path,
        pace_s: float,
        *,
        loop: bool = True,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder, self._pace_s, self._loop = folder, pace_s, loop
        self._clock, self._sleep = clock, sleep
        self._files: list[Path] = []
        self._number = 0
        self._due_s = 0.0

    def __len__(self) -> int:
        """How many pictures there are in one round."""
        return len(self._files)

    def open(self) -> None:
        """Finds the pictures. Raises `HardwareError` when there are none."""
        self._files = sorted((self._folder / "frames").glob("*.jpg"))
        if not self._files:
            raise HardwareError(phrase("hw.no_frames", folder=str(self._folder)))
        self._due_s = self._clock()

    def read(self) -> Frame | None:
        """The next picture when it is due; None after the last one of a set that is played once."""
        if not self._loop and self._number >= len(self._files):
            return None
        number, self._number = self._number, self._number + 1
        file = self._files[number % len(self._files)]
        if (early_s := self._due_s - self._clock()) > 0:
            self._sleep(early_s)
        self._due_s = self._clock() + self._pace_s
        try:
            data = file.read_bytes()
        except OSError as error:
            raise HardwareError(phrase("hw.no_frames", folder=str(self._folder))) from error
        image = decode(data, file.name)
        return Frame(image, small(image), self._clock(), number)

    def expose(self, factor: float) -> bool:
        """Pictures that were taken cannot be taken again."""
        del factor
        return False

    def close(self) -> None:
        """Forgets the pictures; the numbers go on."""
        self._files = []
