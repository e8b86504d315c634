"""Games that are kept while eyes look at them, and played again: what the eyes said both times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.main.eyes_watch import WatchedTable, watch
from companion.main.keeper import Keeper
from companion.main.kept_eyes import open_kept
from companion.main.messages import LookFor, Round, Understood
from companion.session.keeping import Keeping
from companion.session.sighted import Sighted
from hardware.camera import Camera
from hardware.sources.kept_table import KeptCamera
from vision.imaging.frame import Frame


@dataclass
class Talk:
    """The eyes' end of a pipe: hears all they say, says one thing after the other when they ask, and then that what
    they read was understood."""

    to_say: list[Any]
    heard: list[Any] = field(default_factory=list)

    def send(self, said: Any) -> None:
        self.heard.append(said)
        if isinstance(said, Sighted) and said.state == "gone":
            raise EOFError

    def recv(self) -> Any:
        return self.to_say.pop(0) if self.to_say else Understood()

    def poll(self, timeout_s: float = 0.0) -> bool:
        return bool(self.to_say)

    @property
    def sighted(self) -> list[Sighted]:
        """Looks, but for that one is begun."""
        return [each for each in self.heard if isinstance(each, Sighted) and each.state != "reading"]


@dataclass
class Film:
    """A camera that gives these frames; its clock is that of the newest one."""

    frames: Sequence[Frame]
    now_s: float = 0.0

    def open(self) -> None:
        self._left: Iterator[Frame] = iter(self.frames)

    def read(self) -> Frame | None:
        frame = next(self._left, None)
        self.now_s = self.now_s if frame is None else frame.at_s
        return frame

    def expose(self, factor: float) -> bool:
        return False

    def close(self) -> None:
        pass


def watched(table: WatchedTable, film: Film, wanted: LookFor, keeper: Keeper | None = None, *more: Any) -> Talk:
    """What the eyes say of a film while this game is looked for."""
    talk = Talk([wanted, *more])
    with suppress(EOFError):
        watch(talk, table, lambda _: film, clock=lambda: film.now_s, keeper=keeper, every_look_counts=True)
    return talk


def played_again(folder: Path, wanted: LookFor, speed: float = 0.0) -> tuple[Talk, list[float]]:
    """What the eyes say of a kept table, and for how long its camera waited."""
    slept: list[float] = []

    def opened(first: int) -> Camera:
        return KeptCamera(folder, speed=speed, first=first, clock=lambda: sum(slept), sleep=slept.append)

    talk = Talk([wanted])
    with suppress(EOFError):
        watch(talk, open_kept(folder), opened, clock=lambda: 0.0, every_look_counts=True)
    assert isinstance(talk.heard[0], Round)
    return talk, slept


def kept_of(talk: Talk) -> list[Keeping]:
    """What was told of what is kept."""
    return [each for each in talk.heard if isinstance(each, Keeping)]


def as_said(talk: Talk) -> list[tuple[Any, ...]]:
    """Looks without their numbers, which begin anew."""
    return [(each.state, each.why, each.observation) for each in talk.sighted if each.number >= 0]
