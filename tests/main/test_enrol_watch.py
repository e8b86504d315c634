"""Enrolment at a phone, in the eyes' process: pictures of an excerpt as what the camera sees."""

from __future__ import annotations

import errno
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.enrolling import kept_pictures, learning
from companion.enrolling.kept_pictures import KeptPictures
from companion.errors import InvalidError, phrase
from companion.games import registry
from companion.main import enrolment_process
from companion.main.enrol_watch import enrol_pieces
from companion.main.eyes_session import TableEyes, open_table
from companion.main.messages import EnrolSet, EyesConfig, LookFor, Preview
from companion.main.progress import Progress
from companion.session.config import SourceConfig
from companion.session.enrolled import (
    WhosePieces,
    alike_picture,
    keep_earlier,
    keep_whose,
    left_off,
    pictures_folder,
)
from companion.session.enrolment import EnrolmentShown, EnrolOrder
from companion.session.kept_pieces import kept_piece_files, piece_file
from hardware.camera import camera_for
from tests.main.enrol_camera import EXCERPT, HAND, TableWithCamera, enrolled
from vision.enrolment.picture_set import read_set, read_truth
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


def taken_until(table: TableWithCamera, keep: Path, number: int) -> FakeService:
    """An enrolment in which people leave at this picture."""
    return run(config_of(table, keep), People(table, until=number), most=40)


@pytest.fixture
def keep(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.mark.wide
def test_from_the_first_picture_to_pieces_that_read_a_look_rightly(table: TableWithCamera, keep: Path) -> None:
    service = run(config_of(table, keep), People(table))
    assert list(dict.fromkeys(each.stage for each in service.told)) == ["laying", "ready", "learning", "learned"]
    assert service.pictures > 0
    pieces = load_piece_set(piece_file(keep, "war-chest"))
    assert pieces.faces.keys() == enrolled().faces.keys()
    done = left_off(keep)
    assert done is not None
    assert (done.stage, [each.is_good for each in done.alike], len(done.alike[0].pictures)) == ("learned", [True], 2)
    assert [alike_picture(keep, name) is not None for name in done.alike[0].pictures] == [True, True]
    opened = open_table(EyesConfig(SourceConfig("camera", EXCERPT), keep), lambda _: None)
    assert opened.enrolment == piece_file(keep, "war-chest")
    assert read_rightly(opened) > 0.95


def read_rightly(opened: TableEyes) -> float:
    """The share of the pieces that is read rightly in the first look of the excerpt's game, as its truth says."""
    known, first = read_set(EXCERPT), read_truth(EXCERPT)[0]
    header = json.loads((EXCERPT / "record.jsonl").read_text(encoding="utf-8").splitlines()[0])
    game = registry.game("war-chest")
    count = len(header["players"])
    options = game.read_options(header.get("options", {}), count)
    layout = game.layout(game.read_setup(header["setup"], options, count))
    opened.look_for(LookFor(layout, count, game="war-chest"))
    look = opened.look(known.frame(0), lambda: None)
    look = opened.look(known.frame(0), lambda: None) if look.observation is None else look
    assert look.observation is not None
    best = {sight.spot: max(sight.loglik, key=lambda name: sight.loglik[name]) for sight in look.observation.sights}
    there = {each["spot"]: each["appearance"] for each in first["pieces"] if each["spot"] in best}
    assert there
    return sum(bool(best[spot] == name) for spot, name in there.items()) / len(there)


@pytest.mark.wide
def test_a_hand_is_told_and_the_picture_is_taken_once_it_is_away(table: TableWithCamera, keep: Path) -> None:
    taken_until(table, keep, 1)
    looks = iter(range(100))

    def does(shown: EnrolmentShown) -> EnrolOrder | None:
        if shown.why is None and not shown.is_checked and shown.number == 1 and not shown.is_taking:
            table.shows(HAND)
        if shown.why == phrase("eyes.hand") and not shown.is_taking and next(looks) == 0:
            return EnrolOrder("take", 1)
        if shown.is_taking and shown.why == phrase("eyes.hand"):
            table.shows(table.layings[1])
        return None

    service = run(config_of(table, keep), does, most=30)
    assert [each.number for each in service.told if each.is_taking] != []
    assert service.told[-1].taken == (0, 1)


@pytest.mark.wide
def test_what_is_missing_is_told_twice_until_people_go_on_without_it(table: TableWithCamera, keep: Path) -> None:
    taken_until(table, keep, 1)
    table.shows(table.bare)
    touches = iter((EnrolOrder("take", 1), EnrolOrder("take", 1), EnrolOrder("go_on", 1)))
    missing: list[int] = []

    def does(shown: EnrolmentShown) -> EnrolOrder | None:
        if shown.number == 1 and shown.is_checked and not shown.is_taking and shown.lacks:
            missing.append(shown.lacks[0].number)
            return next(touches, None)
        return None

    service = run(config_of(table, keep), does, most=30)
    assert missing[:3] == [1, 1, 1]
    assert service.told[-1].taken == (0, 1)
    assert read_set(pictures_folder(keep)).enrolments[1].pieces == ()


@pytest.mark.wide
def test_a_restart_goes_on_with_the_picture_that_was_asked_for_and_with_the_same_plan(
    table: TableWithCamera, keep: Path
) -> None:
    before = taken_until(table, keep, 2).told[-1]
    stopped = left_off(keep)
    assert stopped is not None
    assert (stopped.stage, stopped.name, stopped.taken, stopped.count) == ("stopped", "own", (0, 1), 3)
    after = run(config_of(table, keep), lambda shown: None, most=4).told[-1]
    assert (after.number, after.taken, after.count) == (2, (0, 1), 3)
    assert [(thing.number, thing.appearance) for thing in after.laying.things] == [
        (thing.number, thing.appearance) for thing in before.laying.things]
    assert [thing.at_mm for thing in after.laying.things] == [
        pytest.approx(thing.at_mm, abs=0.01) for thing in before.laying.things]


@pytest.mark.wide
def test_a_picture_is_taken_again_and_then_the_next_that_is_missing(table: TableWithCamera, keep: Path) -> None:
    taken_until(table, keep, 2)
    first = (pictures_folder(keep) / "enrol" / "1.jpg").read_bytes()
    table.shows(table.layings[1])
    asked: list[int] = []

    def does(shown: EnrolmentShown) -> EnrolOrder | None:
        if not asked or shown.number != asked[-1]:
            asked.append(shown.number)
            if asked == [2]:
                return EnrolOrder("again", 1)
            return EnrolOrder("take", 1) if shown.number == 1 else None
        return None

    run(config_of(table, keep), does, most=14)
    assert asked == [2, 1, 2]
    assert (pictures_folder(keep) / "enrol" / "1.jpg").read_bytes() == first  # of the same table


@pytest.mark.wide
def test_a_board_that_still_lies_under_everything_is_not_taken_for_the_pieces(
    table: TableWithCamera, keep: Path
) -> None:
    taken_until(table, keep, 2)
    table.shows(table.layings[1])
    shown = run(config_of(table, keep), lambda shown: None, most=6).told[-1]
    assert (shown.number, shown.is_checked, len(shown.lacks)) == (2, True, 15)


@pytest.mark.wide
def test_a_touch_for_another_picture_comes_too_late(table: TableWithCamera, keep: Path) -> None:
    taken_until(table, keep, 1)
    sent = iter((EnrolOrder("take", 0), EnrolOrder("learn", 0), EnrolOrder("again", 7)))
    service = run(config_of(table, keep), lambda shown: next(sent, None), most=8)
    assert service.told[-1].taken == (0,)


def test_a_picture_that_cannot_be_kept_is_told_and_asked_for_again(
    table: TableWithCamera, keep: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, bytes_: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(kept_pictures, "write_whole", full)
    monkeypatch.setattr(KeptPictures, "_describe", lambda *_: None)
    told = run(config_of(table, keep), People(table, until=1), most=8).told
    trouble = [each for each in told if each.trouble is not None]
    assert trouble[-1].trouble == phrase("enrol.picture_not_kept", given="No space left on device")
    assert (told[-1].number, told[-1].taken) == (0, ())


def test_a_disk_that_is_full_at_the_end_leaves_the_earlier_pieces(
    table: TableWithCamera, keep: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = piece_file(keep, "war-chest")
    before.parent.mkdir(parents=True)
    before.write_bytes(b"earlier pieces")
    keep_whose(pictures_folder(keep), WhosePieces("own", "war-chest"))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(learning, "read_set", lambda _: read_set(EXCERPT))
    monkeypatch.setattr(learning, "enrol_set", lambda *_: enrolled())
    monkeypatch.setattr(learning, "most_alike", lambda *_: ())
    monkeypatch.setattr(learning, "save_piece_set", full)
    monkeypatch.setattr(enrolment_process, "may_go", lambda _: None)  # not this process: other tests go on in it
    assert enrolment_process.main([str(keep)]) == 1
    assert [each.name for each in before.parent.iterdir()] == [before.name]
    assert (before.read_bytes(), (pictures_folder(keep) / "whose.json").exists()) == (b"earlier pieces", True)


def test_earlier_pieces_are_put_aside_by_number(keep: Path) -> None:
    file = piece_file(keep, "war-chest")
    file.parent.mkdir(parents=True)
    assert keep_earlier(file) is None
    for pieces in (b"first", b"second"):
        file.write_bytes(pieces)
        keep_earlier(file)
    assert {each.name: each.read_bytes() for each in file.parent.iterdir()} == {
        "war-chest.pieces": b"second", "war-chest.pieces.1": b"first", "war-chest.pieces.2": b"second"}
    assert kept_piece_files(keep) == {"war-chest": file}


def test_what_was_kept_and_is_damaged_is_told(table: TableWithCamera, keep: Path) -> None:
    taken_until(table, keep, 1)
    (pictures_folder(keep) / "plan.json").write_text('[{"what": "bare"')
    with pytest.raises(InvalidError) as told:
        enrol_pieces(FakeService(lambda _: None), config_of(table, keep), lambda: camera_for(SourceConfig()),
                     Progress())
    assert told.value.phrase.id == "enrol.damaged"
    for damaged in ("", "[]", '{"name": 3, "game": "x"}', '{"name": "own"}'):
        (pictures_folder(keep) / "whose.json").write_text(damaged)
        assert left_off(keep) is None


@pytest.mark.parametrize("name", ["", "../war-chest-0", "war-chest", "war-chest-0.jpg", "a" * 70 + "-0", "W-0"])
def test_only_pictures_of_alike_pieces_are_given_out(keep: Path, name: str) -> None:
    (keep / "pieces").mkdir(parents=True)
    (keep / "war-chest-0.jpg").write_bytes(b"not this")
    assert alike_picture(keep, name) is None
