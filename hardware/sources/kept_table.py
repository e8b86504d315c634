"""A kept table (`companion/session/keeping.py` says what is in its folder), which plays again like a camera.

The eyes are shown what is kept, decoded: so they see the very same when it is played again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.errors import HardwareError, InvalidError, SightError, phrase
from companion.session.keeping import (
    ABOUT,
    FRAMES,
    KEPT_FORMAT,
    KEPT_VERSION,
    LOOKS,
    SMALL,
    kept_placement,
    newest_kept,
)
from companion.table import Placement
from hardware.sources.video import AFTER_END_S
from vision.imaging.frame import Frame, Image
from vision.imaging.lazy_frame import LazyFrame

LONGEST_GAP_S: Final = 10.0
"""Where the eyes were away for longer, nobody waits as long."""


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A kept table. `header` is that of the game's record, `placement` what stood there, `eyes` what the eyes knew,
    and `shape` that of the camera's pictures."""

    folder: Path
    header: Mapping[str, Any]
    placement: Placement
    eyes: Mapping[str, Any]
    shape: tuple[int, ...]

    def frames(self) -> Iterator[Frame]:
        """All frames in order, numbered on from 0. Raises `SightError` for pictures that are missing."""
        number = 0
        try:
            with (self.folder / SMALL).open("rb") as small:
                for said in self.lines():
                    if "frame" in said:
                        small.seek(said["small"][0])
                        yield self._frame(said, small.read(said["small"][1]), number)
                        number += 1
        except (OSError, LookupError, TypeError) as error:
            raise SightError(phrase("hw.kept_damaged", where=str(self.folder))) from error

    def lessons(self) -> Mapping[int, Sequence[Placement]]:
        """What people taught the eyes, by the number of the frame that came after it."""
        number, found = 0, dict[int, list[Placement]]()
        for said in self.lines():
            if "taught" in said:
                found.setdefault(number, []).append(kept_placement(said["taught"]))
            number += "frame" in said
        return found

    def lines(self) -> Iterator[Mapping[str, Any]]:
        """The lines of the frames. One that a power cut left half written is the last."""
        with suppress(ValueError), (self.folder / FRAMES).open(encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines)

    def _frame(self, said: Mapping[str, Any], small_jpeg: bytes, number: int) -> Frame:
        small, picture = decoded(small_jpeg), self.folder / LOOKS / f"{said['frame']}.jpg"
        height, width = self.shape[:2]

        def shown() -> Image:
            return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)

        make = (lambda: decoded(picture.read_bytes())) if said["picture"] else shown
        return LazyFrame(make, self.shape, small, float(said["at"]), number, shown)


def read_kept(folder: Path) -> KeptTable:
    """The table that is kept in a folder, or of several games there the newest. Raises `InvalidError`."""
    folder = newest_kept(folder)
    try:
        said = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        if said["format"] != KEPT_FORMAT or said["version"] != KEPT_VERSION:
            raise ValueError
        height, width, channels = said["shape"]
        return KeptTable(folder, dict(said["header"]), kept_placement(said["placement"]), dict(said["eyes"]),
                         (int(height), int(width), int(channels)))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise InvalidError(phrase("hw.no_kept", where=str(folder))) from error


def decoded(jpeg: bytes) -> Image:
    """A picture (h, w, 3) B G R. Raises `SightError` for one that is cut off."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    if image is None:
        raise SightError(phrase("hw.kept_picture"))
    return np.asarray(image, np.uint8)


class KeptCamera:
    """Plays a kept table from frame `first` on, `speed` times as fast as it was; 0: as fast as can be."""

    def __init__(
        self, folder: Path, *, speed: float = 1.0, first: int = 0,
        clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder, self._speed, self._first, self._clock, self._sleep = folder, speed, first, clock, sleep
        self._frames: Iterator[Frame] | None = None
        self._due: tuple[float, float] | None = None  # the time of the last frame, and when it was given
        self._has_ended = False

    def open(self) -> None:
        """Opens the folder. Raises `HardwareError`."""
        if self._has_ended or self._frames is not None:
            return
        try:
            self._frames = read_kept(self._folder).frames()
        except InvalidError as error:
            raise HardwareError(error.phrase) from error

    def read(self) -> Frame | None:
        """The next frame when it is due. Raises `HardwareError` at the end, and every few seconds after it."""
        for frame in self._frames or ():
            if frame.number >= self._first:
                self._wait_for(frame.at_s)
                return frame
        if self._has_ended:
            self._sleep(AFTER_END_S)
        self._has_ended, self._frames = True, None
        raise HardwareError(phrase("hw.kept_ended", where=self._folder.name))

    def _wait_for(self, at_s: float) -> None:
        if self._speed > 0 and self._due is not None:
            before_s, given_s = self._due
            wait_s = min(max(0.0, at_s - before_s), LONGEST_GAP_S) / self._speed
            if (left_s := given_s + wait_s - self._clock()) > 0:
                self._sleep(left_s)
        self._due = at_s, self._clock()

    def expose(self, factor: float) -> bool:
        """What was seen cannot be seen again in another light."""
        del factor
        return False

    def close(self) -> None:
        """Nothing to give back; what has ended is not begun again."""
