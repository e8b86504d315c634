"""The process of the eyes: `python -m companion.main.eyes_process FD`. Started by their supervisor, never by people.

Frames come from the camera, looks go out through the pipe. It ends when the pipe closes, and on any error: the service
starts it anew.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Protocol

import cv2

from companion.errors import CompanionError, Phrase
from companion.main.messages import (
    CloseUp,
    CloseUpRequest,
    EyesConfig,
    EyesTrouble,
    LookFor,
    Pieces,
    Preview,
    Round,
    Teach,
)
from companion.session.commands import Sighted
from companion.table import Placement
from hardware.camera import Camera, camera_for, frames
from vision.imaging.frame import Frame, Image, Look

PREVIEW_WIDTH = 1280
PREVIEW_EVERY_S = 1.0
REST_AFTER_READ_S = 0.3
"""After a free table was read, a camera's pictures are passed over for so long. Hands take longer."""
EXPOSE_EVERY_S = 1.0
EXPOSURE_FACTORS = {"dark": 1.4, "bright": 0.7}
"""What to do about the light, for looks that could not be read for it: times the exposure."""
NICENESS = 5
"""Pages and lamps go first."""

Pipe = Connection


class WatchedTable(Protocol):
    """What the loop asks of the eyes that look at one table."""

    header: dict[str, Any] | None
    """The game that a picture set begins with; None for a real table."""
    pictures: int
    """How many pictures the set has; 1 for a real table."""
    draft: bool
    """Whether the set-up is still being read."""

    def look_for(self, wanted: LookFor) -> None:
        """A game stands on the table."""

    def look(self, frame: Frame, begins: Callable[[], object]) -> Look:
        """What the frame shows; `begins` is called when the table is free and is now read."""

    def learn(self, told: Placement) -> None:
        """People said what stands at some spots of the newest look."""

    def close_up(self, wanted: CloseUpRequest) -> Image | None:
        """What lies there in the newest picture, while a set-up is being read."""

    def drawn(self, frame: Frame, look: Look, width: int) -> Image:
        """The frame with the reading drawn over it, so many pixels wide."""


def watch(
    pipe: Pipe, table: WatchedTable, open_camera: Callable[[int], Camera], clock: Callable[[], float] = time.monotonic
) -> None:
    """The loop from frame to look; ends with the pictures, raises `EOFError` or `OSError` when the pipe closes.

    `open_camera` gives the camera, from the picture with this number on.
    """
    first = _next_round(pipe, table) if table.header is not None else 0
    camera = open_camera(first)
    played, read_s, shown_s, exposed_s = 0, -REST_AFTER_READ_S, -PREVIEW_EVERY_S, -EXPOSE_EVERY_S
    state = ""

    def report(why: Phrase | None) -> None:
        if why is not None:
            pipe.send(Sighted(-1, "gone", why))

    def tell_reading(number: int) -> None:
        pipe.send(Sighted(number, "reading"))

    for frame in frames(camera, report):
        while pipe.poll(0):
            _listen(pipe, table)
        if table.header is None and clock() - read_s < REST_AFTER_READ_S:
            continue
        if table.header is not None and frame.number // table.pictures != played:
            played = frame.number // table.pictures
            _next_round(pipe, table)
        look = table.look(frame, partial(tell_reading, frame.number) if state != "free" else _nothing)
        state = look.state
        pipe.send(Sighted(look.number, look.state, look.why, look.observation))
        if table.header is not None and table.draft and look.observation is not None:
            _show(pipe, table.drawn(frame, look, PREVIEW_WIDTH))
            look = _stay(pipe, table, frame)  # the next picture would show the first ply
        if look.observation is not None:
            read_s = clock()
        if look.state in EXPOSURE_FACTORS and clock() - exposed_s >= EXPOSE_EVERY_S:
            exposed_s = clock()
            camera.expose(EXPOSURE_FACTORS[look.state])
        if clock() - shown_s >= PREVIEW_EVERY_S:
            shown_s = clock()
            _show(pipe, table.drawn(frame, look, PREVIEW_WIDTH))
        del frame, look  # nine megabytes that would lie about until the next picture
        give_back()


def give_back() -> None:
    """Returns to the system what reading needed for a moment; glibc would keep most of it."""
    with suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def _nothing() -> None:
    """A table that stays free is read again and again; saying so each time would make lamps and pages restless."""


def _show(pipe: Pipe, picture: Image) -> None:
    pipe.send(Preview(_jpeg(picture)))


def _jpeg(picture: Image) -> bytes:
    good, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 75])
    assert good
    return jpeg.tobytes()


def _next_round(pipe: Pipe, table: WatchedTable) -> int:
    """Says that the set's game begins, and waits until it has; gives the number of the picture to go on with."""
    assert table.header is not None
    pipe.send(Round(table.header))
    while (wanted := _listen(pipe, table)) is None:
        pass
    return 0 if wanted.after is None else wanted.after % table.pictures + 1  # may be the next round's first


def _stay(pipe: Pipe, table: WatchedTable, frame: Frame) -> Look:
    """Looks at this picture, as often as people want, until its set-up is known; gives the last look."""
    while True:
        if _listen(pipe, table) is None:
            continue
        look = table.look(frame, _nothing)
        pipe.send(Sighted(look.number, look.state, look.why, look.observation))
        if not table.draft:
            return look


def _listen(pipe: Pipe, table: WatchedTable) -> LookFor | None:
    """Does what the service says next; gives the game that is to be looked for, if it is that."""
    said = pipe.recv()
    if isinstance(said, CloseUpRequest):
        picture = table.close_up(said)
        if picture is not None:
            pipe.send(CloseUp(said.name, _jpeg(picture)))
        return None
    if isinstance(said, Teach):
        table.learn(said.told)
        return None
    assert isinstance(said, LookFor)
    table.look_for(said)
    return said


def main(arguments: list[str]) -> int:
    """Exit code: 0 the service closed the pipe, 1 something went wrong and was told."""
    from companion.main.eyes_session import open_table

    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the service, which ends this process
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that a process that learns is ended too
    cv2.setNumThreads(1)
    pipe = Connection(int(arguments[0]))
    try:
        config = pipe.recv()
        assert isinstance(config, EyesConfig)
        table = open_table(config, lambda why: pipe.send(Sighted(-1, "starting", why)))
        if table.colours:
            pipe.send(Pieces(table.colours))
        watch(pipe, table, partial(camera_for, config.source))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return 0
    except CompanionError as error:
        with suppress(OSError):
            pipe.send(EyesTrouble(error.phrase))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
