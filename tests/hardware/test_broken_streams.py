"""A camera in the network that stalls, answers with a page, comes back in another size and ends, over a board: what is
told each time, and that nothing is read but what stands there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import cv2

from companion.main.board_eyes import BoardEyes
from companion.main.eyes_watch import watch
from companion.main.messages import LookFor, Understood
from companion.main.progress import Progress
from companion.session.sighted import Sighted
from hardware.sources.network import NetworkCamera
from tests.hardware.network_cameras import CameraHandler, part, serving
from tests.vision.chequered import LAYOUT, START, moved
from tests.vision.drawn_board import STYLES, Camera
from vision.imaging.frame import Image

PATIENCE_S = 0.7
RATE = 20.0
CAMERA = Camera(STYLES["dim"], LAYOUT)
CORNERS = " ".join(f"{name}={x:.0f},{y:.0f}" for name, (x, y) in CAMERA.corners.items())
AFTER = moved(START, "e2e4")


@dataclass(frozen=True)
class Act:
    """What the camera gives: these pictures in a loop, so many; then it stays silent or ends. Without any, a page."""

    pictures: tuple[bytes, ...] = ()
    number: int = 0
    stalls: bool = False


@dataclass
class Play:
    """The acts of a camera; each is followed by the next when the eyes wait to try again."""

    acts: list[Act]
    over: Event = field(default_factory=Event)

    @contextmanager
    def shown(self) -> Iterator[str]:
        play = self

        class Handler(CameraHandler):
            def do_GET(self) -> None:
                act = play.acts[0]
                if act.pictures:
                    self.begin_stream()
                else:
                    self.answer(200, "text/html", b"")
                with suppress(OSError):
                    for n in range(act.number):
                        self.wfile.write(part(act.pictures[n % len(act.pictures)]))
                        play.over.wait(1.0 / RATE)
                    if act.stalls:
                        play.over.wait(20.0)

        with serving(Handler, self.over) as address:
            yield f"{address}/video"


class Waiting(Progress):
    """Does not wait before the camera is tried again; the next act begins instead. After the last it ends."""

    def __init__(self, play: Play) -> None:
        super().__init__()
        self._play = play

    def sleep(self, seconds: float) -> None:
        self._play.acts.pop(0)
        if not self._play.acts:
            raise EOFError


@dataclass
class Pipe:
    """Looks for a game, and hears what the eyes say of it."""

    to_say: list[Any]
    heard: list[Sighted] = field(default_factory=list)

    def send(self, said: Any) -> None:
        if isinstance(said, Sighted):
            self.heard.append(said)

    def recv(self) -> Any:
        return self.to_say.pop(0) if self.to_say else Understood()

    def poll(self, timeout_s: float = 0.0) -> bool:
        return bool(self.to_say)


def jpegs(images: list[Image], scale: float = 1.0) -> tuple[bytes, ...]:
    resized = [cv2.resize(each, None, fx=scale, fy=scale) for each in images]
    return tuple(cv2.imencode(".jpg", each)[1].tobytes() for each in resized)


def seen_on(play: Play) -> list[Sighted]:
    pipe = Pipe([LookFor(LAYOUT, 2, placement=START, pieces=frozenset({"man:white", "man:black"}))])
    with play.shown() as url, suppress(EOFError):
        watch(pipe, BoardEyes(CORNERS), lambda _: NetworkCamera(url, timeout_s=PATIENCE_S), progress=Waiting(play))
    return pipe.heard


def standing(look: Sighted) -> set[str]:
    assert look.observation is not None
    return {sight.spot for sight in look.observation.sights if max(sight.loglik, key=lambda n: sight.loglik[n])}


def test_a_stream_that_stalls_becomes_a_page_and_comes_back_larger_costs_no_game() -> None:
    before = jpegs([CAMERA.picture(START) for _ in range(4)])
    larger = jpegs([CAMERA.picture(AFTER) for _ in range(4)], scale=1.5)
    heard = seen_on(Play([Act(before, 16, stalls=True), Act(), Act(before, 16), Act(larger, 24)]))

    gone = [each.why.id for each in heard if each.state == "gone" and each.why is not None]
    assert gone == ["hw.net_lost", "hw.net_page", "hw.net_lost", "hw.net_lost"]
    read = [standing(each) for each in heard if each.observation is not None]
    assert len(read) >= 3
    assert read[0] == set(START)
    assert read[-1] == set(AFTER)
    assert all(each in (set(START), set(AFTER)) for each in read), "nothing else was ever read"


def test_a_stream_of_something_else_is_never_read() -> None:
    other = jpegs([CAMERA.picture(START)[n:n + 60, n:n + 80] for n in range(0, 120, 4)], scale=8.0)
    heard = seen_on(Play([Act(jpegs([CAMERA.picture(START)]), 16), Act(other, 30)]))

    assert [each.why.id for each in heard if each.state == "gone" and each.why is not None] == ["hw.net_lost"] * 2
    lost = next(n for n, each in enumerate(heard) if each.state == "gone")
    assert any(each.observation is not None for each in heard[:lost])
    assert all(each.observation is None for each in heard[lost:])
    assert heard[-2].why is not None
