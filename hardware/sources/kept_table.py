"""A kept table (`companion/session/keeping.py` says what is in its folder), which plays again like a camera.

The eyes are shown what is kept, decoded: so they see the very same when it is played again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.errors import HardwareError, InvalidError, Phrase, SightError, phrase
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
WIDEST_PX: Final = 10_000
"""No camera's pictures are wider or higher."""


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
        """All frames in order, numbered on from 0, but for those whose small picture is damaged. Raises `SightError`
        where nothing more can be told, and at the end if frames were left out."""
        number = lost = 0
        try:
            with (self.folder / SMALL).open("rb") as small:
                for said in self.lines():
                    if "frame" in said:
                        small.seek(said["small"][0])
                        frame = self._frame(said, small.read(said["small"][1]), number)
                        number += 1
                        if frame is None:
                            lost += 1
                        else:
                            yield frame
        except (OSError, LookupError, TypeError, ValueError) as error:
            raise SightError(phrase("hw.kept_damaged", where=str(self.folder))) from error
        if lost:
            raise SightError(phrase("hw.kept_lost", where=str(self.folder), number=lost))

    @property
    def length(self) -> int:
        """How many frames there are, up to a damaged line."""
        return sum("frame" in said for said in self._sound_lines())

    def lessons(self) -> Mapping[int, Sequence[Placement]]:
        """What people taught the eyes, by the number of the frame that came after it, up to a damaged line."""
        number, found = 0, dict[int, list[Placement]]()
        for said in self._sound_lines():
            if "taught" in said:
                found.setdefault(number, []).append(kept_placement(said["taught"]))
            number += "frame" in said
        return found

    def _sound_lines(self) -> Iterator[Mapping[str, Any]]:
        with suppress(SightError):  # it is told when the frames come to it
            yield from self.lines()

    def lines(self) -> Iterator[Mapping[str, Any]]:
        """The lines of the frames. One that a power cut left half written is the last. Raises `SightError` for one that
        is damaged."""
        with (self.folder / FRAMES).open(encoding="utf-8", errors="replace") as lines:
            is_over = False
            for line in lines:
                said = _line_of(line)
                if is_over or not (isinstance(said, dict) or said is None):
                    raise SightError(phrase("hw.kept_damaged", where=str(self.folder)))
                is_over = said is None
                if said is not None:
                    yield said

    def _frame(self, said: Mapping[str, Any], small_jpeg: bytes, number: int) -> Frame | None:
        """A frame; None where its small picture is damaged."""
        small = _image_of(small_jpeg)
        if small is None:
            return None
        height, width = self.shape[:2]

        def shown() -> Image:
            return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)

        make = partial(kept_look, self.folder / LOOKS / f"{said['frame']}.jpg") if said["picture"] else shown
        return LazyFrame(make, self.shape, small, float(said["at"]), number, shown)


def read_kept(folder: Path) -> KeptTable:
    """The table that is kept in a folder, or of several games there the newest. Raises `InvalidError`."""
    folder = newest_kept(folder)
    try:
        said = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        if said["format"] != KEPT_FORMAT or said["version"] != KEPT_VERSION:
            raise ValueError
        height, width, channels = (int(each) for each in said["shape"])
        if not (0 < height <= WIDEST_PX and 0 < width <= WIDEST_PX and channels == 3):
            raise ValueError
        return KeptTable(folder, dict(said["header"]), kept_placement(said["placement"]), dict(said["eyes"]),
                         (height, width, channels))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise InvalidError(phrase("hw.no_kept", where=str(folder))) from error


def kept_look(file: Path) -> Image:
    """A picture (h, w, 3) B G R that the eyes looked at. Raises `SightError` for one that is missing or cut off."""
    try:
        return decoded(file.read_bytes())
    except (OSError, SightError) as error:
        where = str(file.relative_to(file.parents[2]))
        raise SightError(phrase("hw.kept_look", where=where)) from error


def decoded(jpeg: bytes) -> Image:
    """A picture (h, w, 3) B G R. Raises `SightError` for one that is cut off."""
    image = _image_of(jpeg)
    if image is None:
        raise SightError(phrase("hw.kept_picture"))
    return image


def _image_of(jpeg: bytes) -> Image | None:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    return None if image is None else np.asarray(image, np.uint8)


def _line_of(text: str) -> Any:
    """What a line says; None where it is not whole."""
    try:
        return json.loads(text)
    except ValueError:
        return None


class KeptCamera:
    """Plays a kept table from frame `first` on, `speed` times as fast as it was; 0: as fast as can be."""

    def __init__(
        self, folder: Path, *, speed: float = 1.0, first: int = 0,
        clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder, self._speed, self._first, self._clock, self._sleep = folder, speed, first, clock, sleep
        self._frames: Iterator[Frame] | None = None
        self._due: tuple[float, float] | None = None  # the time of the last frame, and when it was given
        self._over: Phrase | None = None
        """Why no more frames come."""

    def open(self) -> None:
        """Opens the folder. Raises `HardwareError`."""
        if self._over is not None or self._frames is not None:
            return
        try:
            self._frames = read_kept(self._folder).frames()
        except InvalidError as error:
            raise HardwareError(error.phrase) from error

    def read(self) -> Frame | None:
        """The next frame when it is due. Raises `HardwareError` at the end, and every few seconds after it."""
        if self._over is not None:
            self._sleep(AFTER_END_S)
            raise HardwareError(self._over)
        try:
            for frame in self._frames or ():
                if frame.number >= self._first:
                    self._wait_for(frame.at_s)
                    return frame
            self._over = phrase("hw.kept_ended", where=self._folder.name)
        except SightError as error:
            self._over = error.phrase
        self._frames = None
        raise HardwareError(self._over)

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
