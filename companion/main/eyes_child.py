"""The process of the eyes: `python -m companion.main.eyes_child FD`. Started by `companion.main.eyes`, never by people.

Frames come from the camera, looks go out through the pipe. It ends when the pipe closes, and on any error: the service
starts it anew.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import cv2

from companion.errors import CompanionError, Phrase
from companion.main.messages import FromEyes, LookFor, Open, Preview, Round, ToEyes, Trouble
from companion.main.table_reader import TableReader, open_table
from companion.session.commands import Sighted
from hardware.camera import camera_for, frames
from vision.frames import Frame, Look

PREVIEW_WIDTH = 800
PREVIEW_EVERY_S = 1.0
NICENESS = 5
"""Pages and lamps go first."""


@dataclass
class Child:
    """The loop from frame to look."""

    pipe: Connection[FromEyes, ToEyes]
    preview_s: float = -PREVIEW_EVERY_S
    state: str = ""

    def run(self) -> None:
        """Looks until the service closes the pipe."""
        opening = self.pipe.recv()
        assert isinstance(opening, Open)
        camera = camera_for(opening.source)
        table = open_table(opening)
        for frame in frames(camera, self.report):
            if table.begins(frame):
                self.pipe.send(Round(table.header))
                self.listen(table, wait=True)
            self.listen(table)
            self.tell(frame, table)

    def listen(self, table: TableReader, wait: bool = False) -> None:
        """Takes what the service says; with `wait`, until it has said what to look for."""
        while wait or self.pipe.poll(0):
            said = self.pipe.recv()
            if isinstance(said, LookFor):
                table.look_for(said)
                wait = False

    def tell(self, frame: Frame, table: TableReader) -> None:
        """Reads a frame and says what is new in it."""
        look = table.look(frame)
        self.pipe.send(Sighted(look.number, look.state, look.why, look.observation))
        self.state = look.state
        self.show(frame, look, table)

    def show(self, frame: Frame, look: Look, table: TableReader) -> None:
        """Sends a small picture, not too often."""
        now_s = time.monotonic()
        if now_s - self.preview_s < PREVIEW_EVERY_S:
            return
        self.preview_s = now_s
        good, jpeg = cv2.imencode(".jpg", table.drawn(frame, look, PREVIEW_WIDTH), [cv2.IMWRITE_JPEG_QUALITY, 75])
        if good:
            self.pipe.send(Preview(jpeg.tobytes()))

    def report(self, why: Phrase | None) -> None:
        """The camera is lost, or there again."""
        if why is not None:
            self.pipe.send(Sighted(-1, "gone", why))


def main(arguments: list[str]) -> int:
    """Exit code: 0 the service closed the pipe, 1 something went wrong and was told."""
    os.nice(NICENESS)
    cv2.setNumThreads(1)
    pipe: Connection[Any, Any] = Connection(int(arguments[0]))
    try:
        Child(pipe).run()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return 0
    except CompanionError as error:
        pipe.send(Trouble(error.phrase))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
