"""A picture set as a camera in the network streams it: MJPEG at 10 pictures a second with the noise of a sensor, a hand
over the table between two looks."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Final

import cv2
import numpy as np

from tests.hardware.network_cameras import CameraHandler, part, serving
from vision.enrolment.picture_set import read_set, read_truth
from vision.imaging.frame import Image

RATE: Final = 10.0
NOISE_SD: Final = 1.5
VARIANTS: Final = 3
"""So many pictures with other noise are shown in turn."""
QUALITY: Final = 92


@dataclass(frozen=True)
class Take:
    """A picture of a set as JPEGs with other noise. `ply` is the number of plies that were played by then."""

    jpegs: tuple[bytes, ...]
    is_free: bool
    ply: int


def takes_of(folder: Path) -> list[Take]:
    """All pictures of a set; between two looks that follow each other the hand of the nearest picture that has one."""
    known, rng, takes = read_set(folder), np.random.default_rng(7), list[Take]()
    truth = list(read_truth(folder))
    busy = [number for number, line in enumerate(truth) if not line["free"]]
    every = [Take(_jpegs(known.frame(line["frame"]).image, rng), bool(line["free"]), int(line["ply"]))
             for line in truth]
    for number, take in enumerate(every):
        if takes and take.is_free and takes[-1].is_free and take.ply != takes[-1].ply:
            takes.append(every[_nearest(busy, number)])
        takes.append(take)
    return takes


def _nearest(numbers: Sequence[int], wanted: int) -> int:
    return min(numbers, key=lambda each: abs(each - wanted))


def _jpegs(picture: Image, rng: np.random.Generator) -> tuple[bytes, ...]:
    made = []
    for _ in range(VARIANTS):
        noise = np.zeros(picture.shape, np.int16)
        cv2.setRNGSeed(int(rng.integers(1 << 30)))
        cv2.randn(noise, np.zeros(3), np.full(3, NOISE_SD))
        noisy = cv2.add(picture, noise, dtype=cv2.CV_8U)
        _, jpeg = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        made.append(jpeg.tobytes())
    return tuple(made)


@dataclass
class Stream:
    """What is streamed now. `shown` is set once a picture of it was sent, at `since_s` (time since the epoch)."""

    take: Take
    since_s: float = 0.0
    shown: Event = field(default_factory=Event)
    over: Event = field(default_factory=Event)

    def show(self, take: Take) -> float:
        """Streams this from now on; gives when its first picture was sent."""
        self.shown.clear()
        self.take = take
        self.shown.wait()
        return self.since_s

    def pictures(self) -> Iterator[bytes]:
        """The JPEGs, each when it is due."""
        due_s, number, before = time.monotonic(), 0, None
        while not self.over.wait(max(0.0, due_s - time.monotonic())):
            take = self.take
            if take is not before:
                self.since_s, before = time.time(), take
            yield take.jpegs[number % VARIANTS]
            if take is self.take:
                self.shown.set()
            due_s, number = due_s + 1 / RATE, number + 1


@contextmanager
def streaming(stream: Stream) -> Iterator[str]:
    """Its address."""

    class Handler(CameraHandler):
        def do_GET(self) -> None:
            self.begin_stream()
            with suppress(OSError):  # whoever looked has gone
                for jpeg in stream.pictures():
                    self.wfile.write(part(jpeg))

    with serving(Handler, stream.over) as address:
        yield f"{address}/video"
