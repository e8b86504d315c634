"""Measuring the lens on the pages: how far it is, what is asked, and what is refused."""

from __future__ import annotations

import pytest

from companion.errors import phrase
from companion.session.survey import LensMeasured
from tests.web.own_tables import FakeOwnTable, room_of
from tests.web.rooms import Room
from tests.web.test_openapi import check, post

CAMERA = {"source.kind": "camera", "source.camera": 0}
STATE, PAGE = "/setup/lens/measure.json", "/setup/lens/measure"
DONE = LensMeasured(12, 12, phrase("calibrate.good", error=0.14, number=12), lens={"width": 2304})


@pytest.fixture
def own() -> FakeOwnTable:
    return FakeOwnTable()


@pytest.fixture
def room(own: FakeOwnTable) -> Room:
    own.keep(CAMERA)
    return room_of(own)


def test_the_outline_is_told_in_thousandths_of_the_picture(room: Room, own: FakeOwnTable) -> None:
    told = check(room.host.get(STATE), "get", STATE)
    assert (told["said"], told["wanted"], told["is_done"]) == ("I wait for the camera’s picture.", "", False)
    own.measured = LensMeasured(5, 12, phrase("calibrate.fill"), ((0.25, 0.5), (0.75, 0.5)), ((0.1, 0.2), (0.3, 0.2)))
    told = check(room.host.get(STATE), "get", STATE)
    assert (told["wanted"], told["sheet"]) == ("250.0,500.0 750.0,500.0", "100.0,200.0 300.0,200.0")
    assert told["count"] == "5 of 12 pictures"
    assert 'points="250.0,500.0 750.0,500.0"' in room.host.get(PAGE).get_data(as_text=True)


def test_touches_are_passed_on_and_the_lens_is_used_once_it_is_known(room: Room, own: FakeOwnTable) -> None:
    for go in ("anew", "later"):
        assert post(room.host, PAGE, {"go": go})["ok"]
        assert own.wishes[-1] == go
    refused = room.host.post(PAGE, json={"go": "use"}, headers={"Origin": "http://localhost"})
    assert (refused.status_code, "source.lens" in own.kept) == (400, False)
    own.measured = DONE
    assert post(room.host, PAGE, {"go": "use"})["ok"]
    assert own.kept["source.lens"] == "lens-measured.json"
    assert room.host.post(PAGE, json={"go": "x" * 500}, headers={"Origin": "http://localhost"}).status_code == 400


def test_the_sheet_is_printed_or_shown_and_a_missing_library_is_told(room: Room, own: FakeOwnTable) -> None:
    sheet = room.host.get("/setup/lens/sheet.pdf?paper=letter")
    assert (sheet.data, sheet.mimetype) == (b"%PDF letter", "application/pdf")
    assert room.host.get("/setup/lens/sheet.png").mimetype == "image/png"
    own.can_print = False
    assert room.host.get("/setup/lens/sheet.pdf").status_code == 400
    assert "sheet.pdf" not in room.host.get(PAGE).get_data(as_text=True)


def test_without_a_camera_and_where_the_config_says_the_lens_it_is_told(room: Room, own: FakeOwnTable) -> None:
    own.fixed = {"source.lens"}
    assert 'id="seen"' not in room.host.get(PAGE).get_data(as_text=True)
    own.fixed = set()
    own.keep({"source.kind": "none"})
    assert 'id="seen"' not in room.host.get(PAGE).get_data(as_text=True)
