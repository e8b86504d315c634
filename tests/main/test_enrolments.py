"""Enrolment as the service has it: begun, gone on with after a restart, broken off, dropped; late touches."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from companion.errors import InvalidError
from companion.main.enrolments import Enrolments
from companion.main.messages import EyesConfig
from companion.session.config import SourceConfig
from companion.session.enrolled import WhosePieces, keep_whose, pictures_folder
from companion.session.kept_pieces import piece_file
from companion.session.enrolment import EnrolmentShown, EnrolOrder
from companion.session.eyes_side import EyesSide

DATA = Path(__file__).parents[1] / "data"


@dataclass
class FakeEyes:
    """A supervisor without a process."""

    enrolling: EyesConfig | None = None

    def enrol(self, config: EyesConfig | None) -> None:
        self.enrolling = config


@dataclass
class Table:
    enrolments: Enrolments
    eyes: FakeEyes
    side: EyesSide
    keep: Path


@pytest.fixture
def table(tmp_path: Path) -> Table:
    keep, eyes, side = tmp_path / "state", FakeEyes(), EyesSide(cast(Any, None))
    own = EyesConfig(SourceConfig("camera"), keep)
    return Table(Enrolments(lambda: own, cast(Any, eyes), side, (DATA,)), eyes, side, keep)


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(InvalidError) as told:
        act()
    return told.value.phrase.id


def broken_off(table: Table, taken: int = 2) -> None:
    """Some pictures of an enrolment are kept."""
    folder = pictures_folder(table.keep)
    keep_whose(folder, WhosePieces("kamikaze-1", "kamikaze-cans"))
    (folder / "enrol.json").write_text(json.dumps([{}] * taken), encoding="utf-8")
    (folder / "plan.json").write_text(json.dumps([{}] * 5), encoding="utf-8")


def test_the_pieces_of_every_game_that_comes_along_are_offered(table: Table) -> None:
    offers = {each.name: each for each in table.enrolments.offers}
    assert {each.game for each in offers.values()} == {
        "kamikaze-cans", "crate-wars", "yuzu-twist", "pick-and-pack", "war-chest"}
    assert (offers["kamikaze-1"].pieces, offers["kamikaze-1"].is_known) == (37, False)
    file = piece_file(table.keep, "kamikaze-cans")
    file.parent.mkdir(parents=True)
    file.write_bytes(b"pieces")
    assert {each.name for each in table.enrolments.offers if each.is_known} == {"kamikaze-1"}


def test_the_eyes_enrol_with_the_tables_own_camera_and_the_list_of_the_example(table: Table) -> None:
    table.enrolments.begin("kamikaze-1")
    config = table.eyes.enrolling
    assert config is not None
    assert config.enrol is not None
    assert (config.source.kind, config.enrol.game, config.enrol.is_example) == ("camera", "kamikaze-cans", True)
    shown = table.enrolments.shown()
    assert shown is not None
    assert (shown.stage, shown.game) == ("opening", "kamikaze-cans")
    assert refused(lambda: table.enrolments.begin("yuzu-1")) == "enrol.going_on"


def test_what_was_broken_off_is_gone_on_with_and_beginning_drops_it(table: Table) -> None:
    assert table.enrolments.shown() is None
    assert refused(table.enrolments.go_on) == "enrol.nothing_begun"
    broken_off(table)
    shown = table.enrolments.shown()
    assert shown is not None
    assert (shown.stage, shown.number, shown.count) == ("stopped", 2, 5)
    table.enrolments.go_on()
    going_on = table.eyes.enrolling
    table.enrolments.stop()
    assert (going_on is not None, table.eyes.enrolling) == (True, None)
    table.enrolments.begin("yuzu-1")
    assert not pictures_folder(table.keep).exists()
    table.enrolments.drop()
    assert table.enrolments.shown() is None


def test_of_two_phones_that_touch_the_second_is_told_so(table: Table) -> None:
    assert refused(lambda: table.enrolments.order(EnrolOrder("take", 0))) == "enrol.nothing_begun"
    table.enrolments.begin("kamikaze-1")
    table.side.enrolment = EnrolmentShown("laying", "kamikaze-1", "kamikaze-cans", 2, 5, (0, 1))
    assert refused(lambda: table.enrolments.order(EnrolOrder("take", 1))) == "enrol.too_late"
    assert refused(lambda: table.enrolments.order(EnrolOrder("again", 3))) == "enrol.too_late"
    table.enrolments.order(EnrolOrder("take", 2))
    table.enrolments.order(EnrolOrder("again", 0))
    assert [table.side.take_order(), table.side.take_order(), table.side.take_order()] == [
        EnrolOrder("take", 2), EnrolOrder("again", 0), None]


def test_after_the_verdict_a_picture_may_be_taken_again(table: Table) -> None:
    broken_off(table, taken=5)
    (pictures_folder(table.keep) / "learned").touch()
    shown = table.enrolments.shown()
    assert shown is not None
    assert (shown.stage, shown.taken) == ("learned", (0, 1, 2, 3, 4))
    table.enrolments.order(EnrolOrder("again", 3))
    config = table.eyes.enrolling
    assert config is not None
    assert config.enrol is not None
    assert config.enrol.again == 3


def test_without_a_camera_nothing_is_offered(table: Table) -> None:
    none = Enrolments(lambda: None, cast(Any, table.eyes), table.side, (DATA,))
    assert (none.has_camera, none.offers, none.shown(), none.picture("x-0")) == (False, (), None, None)
    assert refused(lambda: none.begin("kamikaze-1")) == "enrol.no_camera"
    assert refused(lambda: table.enrolments.begin("../x")) == "enrol.no_set"


def test_the_folder_beside_the_camera_lists_pieces_of_its_own(table: Table) -> None:
    own = EyesConfig(replace(SourceConfig("camera"), folder=DATA / "war-chest-1"), table.keep)
    beside = Enrolments(lambda: own, cast(Any, table.eyes), table.side, (DATA,))
    assert (beside.offers[0].name, beside.offers[0].game) == ("own", "war-chest")
    beside.begin("own")
    config = table.eyes.enrolling
    assert config is not None
    assert config.enrol is not None
    assert not config.enrol.is_example
