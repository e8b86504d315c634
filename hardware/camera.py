"""The protocol of a camera, and the loop that keeps one alive.

    >>> from companion.session.config import SourceConfig
    >>> camera = camera_for(SourceConfig("none"))
    >>> for frame in frames(camera, report=print):
    ...     print(frame.number, frame.image.shape)

A camera that is gone is a state that people see, never the end of a game: `frames` reports it and tries again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from companion.errors import HardwareError, Phrase, SightError
from companion.session.config import SourceConfig

if TYPE_CHECKING:  # numpy comes with pictures, and the service itself looks at none
    from vision.imaging.frame import Frame

RETRY_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Pauses between attempts to open a lost camera; the last one repeats."""


class Camera(Protocol):
    """Where pictures come from. Used by one thread; may be opened again after `close`."""

    def open(self) -> None:
        """Makes it ready. Raises `HardwareError` when it is not there or in use."""

    def read(self) -> Frame | None:
        """Waits for the next picture; None when there will be none.

        Raises `SightError` for one damaged picture (the next may be good), `HardwareError` when the camera is lost.
        """

    def expose(self, factor: float) -> bool:
        """Makes pictures brighter (above 1) or darker by about this factor of light; False where that cannot be set."""

    def close(self) -> None:
        """Gives the camera back; also after an error, also twice."""


@runtime_checkable
class ChoosyCamera(Protocol):
    """A camera that may refuse what it is asked for."""

    def refused(self) -> tuple[Phrase, ...]:
        """What it does not give or let be held, once it was asked for, each in a sentence."""


Report = Callable[[Phrase | None], object]
"""Called with what is wrong with the camera, and with None when pictures come again."""


def frames(camera: Camera, report: Report, sleep: Callable[[float], None] = time.sleep) -> Iterator[Frame]:
    """All pictures of a camera, which is opened here and closed when the iterator is.

    A damaged picture is reported and left out. A camera that is lost, or not there yet, is reported, closed and opened
    again, after pauses that grow.
    """
    attempt = 0
    try:
        while True:
            try:
                camera.open()
                for frame in _until_the_end(camera, report):
                    attempt = 0
                    yield frame
                    del frame
                return
            except HardwareError as error:
                report(error.phrase)
                camera.close()
                sleep(RETRY_S[min(attempt, len(RETRY_S) - 1)])
                attempt += 1
    finally:
        camera.close()


def _until_the_end(camera: Camera, report: Report) -> Iterator[Frame]:
    fine = False
    while True:
        try:
            frame = camera.read()
        except SightError as error:
            report(error.phrase)
            fine = False
            continue
        if frame is None:
            return
        if not fine:
            report(None)
            fine = True
        yield frame
        del frame  # nine megabytes that nobody needs while the next picture is waited for


def camera_for(
    source: SourceConfig, first: int = 0, sleep: Callable[[float], None] = time.sleep,
    holds: Callable[[], bool] = lambda: False, allow: Callable[[float], object] = lambda _: None,
) -> Camera:
    """The camera that the config asks for, not opened yet; a picture set begins with picture `first`
    and waits for its pace with `sleep`. A video shows its first frame while somebody `holds` it. `allow` hears how long
    a camera in the network may keep the caller waiting (s).

    Only the camera's own library is imported.
    """
    if source.kind == "folder" and source.folder is not None:
        from hardware.sources.folder import FolderCamera

        return FolderCamera(source.folder, source.pace_s, first=first, sleep=sleep)
    if source.kind == "video" and source.video is not None:
        from hardware.sources.video import VideoCamera

        return VideoCamera(str(source.video), speed=source.speed, holds=holds, sleep=sleep)
    if source.kind == "kept" and source.folder is not None:
        from hardware.sources.kept_table import KeptCamera

        return KeptCamera(source.folder, speed=source.speed, first=first, sleep=sleep)
    if source.kind == "camera" and source.camera == "picamera2":
        from hardware.sources.pi import PicameraCamera

        return PicameraCamera()
    if source.kind == "camera" and isinstance(source.camera, str):
        from hardware.sources.network import NetworkCamera

        return NetworkCamera(source.camera, allow=allow)
    if source.kind == "camera":
        from hardware.sources.opencv import OpenCVCamera

        return OpenCVCamera(source.camera)
    from hardware.sources.none import NoCamera

    return NoCamera()
