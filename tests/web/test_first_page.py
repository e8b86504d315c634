"""The page of a table on which nobody has chosen anything, and of an example that loads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.errors import phrase
from companion.session.config import read_config
from companion.session.snapshot import EyesShown
from tests.web import web_tables
from tests.web.own_tables import FakeExamples, FakeOwnTable
from tests.web.phones import host
from tests.web.rooms import OTHER, Room, room_in
from tests.web.web_fixtures import HOME
from web.fakes import NO_GAME, FakeDesk


@pytest.fixture
def own() -> FakeOwnTable:
    return FakeOwnTable()


@pytest.fixture
def examples() -> FakeExamples:
    return FakeExamples("kamikaze-1", "war-chest-1")


@pytest.fixture
def room(own: FakeOwnTable, examples: FakeExamples) -> Room:
    return room_in(None, FakeDesk(NO_GAME), own=own, examples=examples)


def page(room: Room, address: str = "") -> str:
    phone = room.phone(address) if address else room.host
    return phone.get("/").get_data(as_text=True)


def test_while_nobody_has_chosen_the_first_page_says_what_there_is(room: Room) -> None:
    shown = page(room)
    for words in ("I follow a game on a real table", "Watch it play", "Play now", "This phone is the host"):
        assert words in shown
    assert "<input name=" not in shown, "never an empty form"


def test_who_is_not_the_host_is_told_who_chooses(room: Room, own: FakeOwnTable) -> None:
    host(room.host)
    shown = page(room, OTHER)
    assert "The host&#39;s phone chooses what is played." in shown
    assert "Play now" not in shown
    assert room.phone(OTHER).post("/setup/source", data={"kind": "none"}, headers=HOME).status_code == 403
    assert own.kept == {}


def test_play_now_needs_no_camera_and_is_kept(room: Room, own: FakeOwnTable) -> None:
    for _ in range(2):
        answer = host(room.host).post("/setup/source", data={"kind": "none"}, headers=HOME)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/start")
        assert own.kept == {"source.kind": "none"}
    assert room.host.get("/").headers["Location"] == "/start", "what was chosen is not asked again"


@pytest.mark.parametrize("kind", ["", "camera", "folder", "x" * 500, "none "])
def test_what_the_page_does_not_offer_is_refused(room: Room, own: FakeOwnTable, kind: str) -> None:
    assert host(room.host).post("/setup/source", data={"kind": kind}, headers=HOME).status_code == 400
    assert own.kept == {}


def test_what_the_config_says_stays(room: Room, own: FakeOwnTable) -> None:
    own.fixed.add("source.kind")
    answer = host(room.host).post("/setup/source", data={"kind": "none"}, headers=HOME)
    assert answer.status_code == 400
    assert "which wins" in answer.get_data(as_text=True)


def test_watch_it_play_shows_how_far_the_eyes_are_until_there_is_a_table(
    room: Room, own: FakeOwnTable, examples: FakeExamples
) -> None:
    host(room.host).post("/example", data={"name": "kamikaze-1"}, headers=HOME)
    assert examples.chosen == "kamikaze-1"
    own.loaded = 0.25
    room.desk.show(replace(NO_GAME, eyes=EyesShown("starting", None)))
    shown = page(room)
    assert 'value="0.250"' in shown
    assert "Do something else" in shown
    assert "Do something else" not in page(room, OTHER)
    assert room.host.get("/eyes.json").get_json()["loaded"] == 0.25
    room.desk.show(web_tables.table())
    assert 'id="board"' in page(room)
    room.desk.show(NO_GAME)
    room.host.post("/example", data={"name": ""}, headers=HOME)
    assert "Watch it play" in page(room)


@pytest.mark.parametrize("given", [{"kind": "none"}, {"kind": "demo"}, {"kind": "camera"}])
def test_with_a_source_in_the_config_the_way_leads_to_a_new_game(given: dict[str, Any], own: FakeOwnTable) -> None:
    own.config = read_config({"source": given})
    for room in (room_in(None, FakeDesk(NO_GAME), own=own), room_in(None, FakeDesk(NO_GAME))):
        assert room.host.get("/").headers["Location"] == "/start"


def test_a_game_that_is_open_is_shown_whatever_was_chosen(room: Room) -> None:
    room.desk.show(web_tables.table())
    assert 'id="board"' in page(room)


def test_an_installation_without_the_example_does_not_offer_it(room: Room, own: FakeOwnTable) -> None:
    own.demo = ""
    assert "Watch it play" not in page(room)


def test_a_game_that_people_begin_is_their_own_tables(room: Room, examples: FakeExamples) -> None:
    examples.chosen = "kamikaze-1"
    assert "value=\"seen\"" not in host(room.host).get("/start").get_data(as_text=True)
    room.host.post("/start", data={"go": "1", "game": "kamikaze-cans"}, headers=HOME)
    assert examples.chosen == ""
    assert len(room.desk.sent) == 1


def test_what_is_kept_of_the_camera_is_told_where_a_game_begins_and_where_the_picture_is_shown(
    room: Room, own: FakeOwnTable
) -> None:
    assert "is kept in" not in room.host.get("/start").get_data(as_text=True)
    own.keeping = phrase("keep.told", where="/kept", number=50)
    for path in ("/start", "/eyes"):
        assert "What the camera sees of each game is kept in /kept" in room.host.get(path).get_data(as_text=True)
