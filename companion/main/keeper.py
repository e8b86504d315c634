"""In the eyes' process: what they are shown is kept on the disk, so that a game plays again as it was seen.

    keeper = Keeper(folder, quota_mb=2000, tell=pipe.send)
    keeper.begin(wanted, table)                     # a game is looked for
    for shown in keeper.given(frame):               # what the eyes are to see of a frame
        keeper.saw(shown, table.look(shown, begins))

The eyes are shown what is kept, as it comes back from JPEG, and the large picture is written only if they looked at it.
While a table that was read several times stays as it is they are shown nothing, but for a frame now and then; as soon
as something changes, first the frame before it. `hardware/sources/kept_table.py` plays it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from companion.errors import Phrase, phrase
from companion.main.messages import LookFor
from companion.session.keeping import ABOUT, KEPT_FORMAT, FRAMES, LOOKS, SMALL, KEPT_VERSION, Keeping, numbered_tables
from companion.table import Placement
from companion.table.spot_words import seat_letter
from hardware.sources.kept_table import decoded
from vision.imaging.frame import Frame, Image, Look
from vision.imaging.lazy_frame import LazyFrame

if TYPE_CHECKING:
    from companion.main.eyes_watch import WatchedTable

SMALL_JPEG: Final = (cv2.IMWRITE_JPEG_QUALITY, 95, cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
                     cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444)
LARGE_JPEG: Final = (cv2.IMWRITE_JPEG_QUALITY, 95)
READ_OFTEN: Final = 4
"""After so many readings of a table that stays as it is another one tells nothing new."""
STILL_EVERY_S: Final = 5.0
"""So often a table that stays as it is is shown all the same."""
CHANGE, CHANGED_PX = 10, 6
"""It changed where so many pixels of the small picture differ by so many grey values."""
MB: Final = 1_000_000
TOLD_EVERY: Final = 10 * MB


@dataclass(frozen=True, slots=True)
class _Encoded:
    """The JPEGs of a frame: the small one, and the large one once somebody has looked at it."""

    small: bytes
    large: list[bytes] = field(default_factory=list)


class Keeper:
    """Keeps in `folder` at most `quota_mb`; the oldest games make room. `tell` hears how much it is, and why no more
    is kept. A disk that takes nothing costs what is kept alone."""

    def __init__(self, folder: Path, quota_mb: int, tell: Callable[[Keeping], object]) -> None:
        self._folder, self._quota, self._tell = folder, quota_mb * MB, tell
        self._begun: tuple[LookFor, WatchedTable] | None = None  # the game, until its first frame
        self._part: Path | None = None
        self._encoded: dict[int, _Encoded] = {}
        self._held: Frame | None = None  # the newest frame that was not shown, as nothing changed
        self._seen: Frame | None = None
        self._readings = 0
        self._bytes = self._told = 0

    def begin(self, wanted: LookFor, table: WatchedTable) -> None:
        """A game is looked for from now on; while its set-up is still being read, nothing is kept."""
        self._begun = None if wanted.draft or not wanted.header else (wanted, table)
        self._part = self._held = self._seen = None
        self._readings = 0

    def given(self, frame: Frame) -> Sequence[Frame]:
        """What the eyes are to see now that this frame has come."""
        shown, held = self._encode(frame), self._held
        is_still = self._readings >= READ_OFTEN and self._seen is not None and not _differ(self._seen, shown)
        if self._seen is not None and is_still and frame.at_s - self._seen.at_s < STILL_EVERY_S:
            self._held = shown
            return ()
        self._held = None
        return (shown,) if held is None or is_still else (held, shown)

    def saw(self, frame: Frame, look: Look) -> None:
        """The eyes have seen a frame that was given to them."""
        stays = self._seen is not None and not _differ(self._seen, frame)
        self._readings = 0 if look.observation is None else self._readings + 1 if stays else 1
        self._seen, encoded = frame, self._encoded.pop(frame.number, None)
        self._encoded = {number: each for number, each in self._encoded.items() if number > frame.number}
        if encoded is None:
            return
        try:
            self._begin_part(frame)
            if self._part is not None:
                self._write(self._part, frame, look, encoded)
        except OSError as error:
            self._fail(error)

    def taught(self, labels: Placement) -> None:
        """People said what stands at some spots of the newest free look."""
        if self._part is None:
            return
        try:
            self._append(FRAMES, _line({"taught": {spot: list(pieces) for spot, pieces in labels.items()}}))
        except OSError as error:
            self._fail(error)

    def _encode(self, frame: Frame) -> Frame:
        encoded = self._encoded[frame.number] = _Encoded(_jpeg(frame.small, SMALL_JPEG))

        def make() -> Image:
            encoded.large[:] = [_jpeg(frame.image, LARGE_JPEG)]
            return decoded(encoded.large[0])

        return LazyFrame(make, frame.shape, decoded(encoded.small), frame.at_s, frame.number, lambda: frame.image)

    # --- on the disk --------------------------------------------------------------------------------------------------

    def _begin_part(self, frame: Frame) -> None:
        """The folder of the game that was begun."""
        if self._begun is None:
            return
        (wanted, table), self._begun = self._begun, None
        numbers = [int(each.name[:4]) for each in numbered_tables(self._folder)]
        part = self._folder / f"{max(numbers, default=0) + 1:04d}-{wanted.game}"
        part.mkdir(mode=0o700, parents=True)
        (part / LOOKS).mkdir(mode=0o700)
        eyes = table.put_by(part)
        if eyes is None:
            shutil.rmtree(part)
            return
        about = {
            "format": KEPT_FORMAT, "version": KEPT_VERSION, "header": without_names(wanted.header), "eyes": eyes,
            "plies": None if wanted.plies is None else list(wanted.plies),
            "placement": {spot: list(pieces) for spot, pieces in wanted.placement.items()}, "shape": list(frame.shape),
        }
        self._part = part
        self._append(ABOUT, _line(about))
        self._bytes, self._told = sum(map(_size, numbered_tables(self._folder))), -TOLD_EVERY

    def _write(self, part: Path, frame: Frame, look: Look, encoded: _Encoded) -> None:
        if encoded.large:
            self._append(f"{LOOKS}/{frame.number}.jpg", encoded.large[0])
        at = self._append(SMALL, encoded.small)
        self._append(FRAMES, _line({
            "frame": frame.number, "at": frame.at_s, "small": [at, len(encoded.small)], "state": look.state,
            "picture": bool(encoded.large)}))
        if self._bytes > self._quota:
            self._make_room(part)
        if self._bytes - self._told >= TOLD_EVERY:
            self._told = self._bytes
            self._tell(Keeping(str(self._folder), self._bytes / MB))

    def _append(self, name: str, given: bytes) -> int:
        """Writes at the end of a file, for this user's eyes alone; gives where it begins."""
        assert self._part is not None
        file = os.open(self._part / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(file, "ab") as opened:
            at = opened.tell()
            opened.write(given)
        self._bytes += len(given)
        return at

    def _make_room(self, current: Path) -> None:
        for part in numbered_tables(self._folder):
            if part == current or self._bytes <= self._quota:
                break
            self._bytes -= _size(part)
            shutil.rmtree(part)
        if self._bytes > self._quota:
            self._stop(phrase("keep.full", where=str(self._folder), number=self._quota // MB))

    def _fail(self, error: OSError) -> None:
        given = error.strerror or type(error).__name__
        self._stop(phrase("keep.failed", where=str(self._folder), given=given))

    def _stop(self, why: Phrase) -> None:
        self._part = self._begun = None
        self._tell(Keeping(str(self._folder), self._bytes / MB, why))


def without_names(header: dict[str, Any]) -> dict[str, Any]:
    """A game's header that says nobody's name."""
    players = [{**each, "name": seat_letter(seat)} for seat, each in enumerate(header["players"])]
    return {**header, "players": players}


def _differ(one: Frame, other: Frame) -> bool:
    """Whether more than noise differs between two small pictures."""
    off = cv2.absdiff(cv2.blur(one.small, (3, 3)), cv2.blur(other.small, (3, 3)))
    return int((off.max(axis=2) > CHANGE).sum()) >= CHANGED_PX


def _jpeg(image: Image, how: tuple[int, ...]) -> bytes:
    good, jpeg = cv2.imencode(".jpg", np.ascontiguousarray(image), how)
    assert good
    return jpeg.tobytes()


def _line(said: dict[str, Any]) -> bytes:
    return json.dumps(said, ensure_ascii=False).encode() + b"\n"


def _size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
