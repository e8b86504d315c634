"""Enrolment at a phone, in the eyes' process: pictures of an excerpt as what the camera sees."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.main.enrol_watch import enrol_pieces
from companion.main.messages import EnrolSet, EyesConfig, Preview
from companion.main.progress import Progress
from companion.session.config import SourceConfig
from companion.session.enrolled import left_off, piece_file
from companion.session.enrolment import EnrolmentShown, EnrolOrder
from hardware.camera import camera_for
from tests.main.enrol_camera import TableWithCamera, enrolled
from vision.pieces.piece_set_file import load_piece_set


@dataclass
class FakeService:
    """The service's end of the pipe: after everything that the eyes say, `people` may do something."""

    people: Callable[[EnrolmentShown], EnrolOrder | None]
    told: list[EnrolmentShown] = field(default_factory=list)
    pictures: int = 0
    waits: deque[EnrolOrder] = field(default_factory=deque)

    def send(self, said: Any) -> None:
        if isinstance(said, Preview):
            self.pictures += 1
        if isinstance(said, EnrolmentShown):
            self.told.append(said)
            if (order := self.people(said)) is not None:
                self.waits.append(order)

    def poll(self, timeout_s: float = 0.0) -> bool:
        return bool(self.waits)

    def recv(self) -> EnrolOrder:
        if not self.waits:
            raise EOFError
        return self.waits.popleft()


@pytest.fixture
def table(tmp_path: Path) -> TableWithCamera:
    return TableWithCamera(tmp_path / "camera")


def config_of(table: TableWithCamera, keep: Path, again: int | None = None) -> EyesConfig:
    source = SourceConfig("folder", table.folder, pace_s=0.0)
    return EyesConfig(source, keep, EnrolSet("own", "war-chest", table.folder, False, again))


def run(config: EyesConfig, people: Callable[[EnrolmentShown], EnrolOrder | None], most: int = 400) -> FakeService:
    """Until the pieces are known, or people have seen enough (EOFError)."""
    service = FakeService(people)
    reads = iter(range(most))

    def opened() -> Any:
        camera = camera_for(config.source, sleep=lambda _: None)
        read = camera.read

        def read_some() -> Any:
            if next(reads, None) is None:
                raise EOFError
            return read()

        camera.read = read_some  # type: ignore[method-assign]
        return camera

    with pytest.raises(EOFError):
        enrol_pieces(service, config, opened, Progress())
    return service


class People:
    """They lay what is asked for and touch the page as soon as they may."""

    def __init__(self, table: TableWithCamera, until: int = 3) -> None:
        self.table, self.until, self.asked = table, until, -1

    def __call__(self, shown: EnrolmentShown) -> EnrolOrder | None:
        if shown.number != self.asked and shown.stage == "laying":
            self.asked = shown.number
            self.table.shows(self.lays(shown.number))
            return EnrolOrder("take", shown.number) if shown.number < self.until else None
        if shown.stage == "ready" and shown.share == 0.0 and shown.trouble is None and self.asked < 99:
            self.asked = 99
            return EnrolOrder("learn", shown.number)
        return None

    def lays(self, number: int) -> Path:
        return self.table.layings[number]


@pytest.mark.wide
def test_from_the_first_picture_to_pieces_that_read_a_look_rightly(table: TableWithCamera, tmp_path: Path) -> None:
    keep = tmp_path / "state"
    service = run(config_of(table, keep), People(table))
    stages = [each.stage for each in service.told]
    assert list(dict.fromkeys(stages)) == ["laying", "ready", "learning", "learned"]
    assert service.pictures > 0
    assert [each.count for each in service.told if each.stage == "ready"][-1] == 3
    pieces = load_piece_set(piece_file(keep, "war-chest"))
    assert pieces.faces.keys() == enrolled().faces.keys()
    done = left_off(keep)
    assert done is not None
    assert (done.stage, [each.is_good for each in done.alike], len(done.alike[0].pictures)) == ("learned", [True], 2)
