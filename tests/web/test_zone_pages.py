"""Where games lie on the own table: shown over the table from above, moved, kept, and refused when it is no place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.errors import phrase
from companion.session.kept_zones import write_laid
from companion.session.survey import TableFromAbove
from companion.table.laid import Laid
from tests.web import web_tables
from tests.web.own_tables import FakeExamples, FakeOwnTable, room_of
from tests.web.rooms import OTHER, Room
from tests.web.test_openapi import check, post
from tests.web.web_fixtures import HOME

GAME = web_tables.GAME.id
SQUARE = ((0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (0.0, 60.0))
LAID = Laid((200.0, 150.0), 5.0, {"stock:1": SQUARE})
SEEN = TableFromAbove(b"\xff\xd8 picture", -50.0, 380.0, 760.0, 470.0)


@pytest.fixture
def own() -> FakeOwnTable:
    return FakeOwnTable()


@pytest.fixture
def room(own: FakeOwnTable) -> Room:
    own.keep({"source.kind": "camera"})
    return room_of(own, FakeExamples())


def page(room: Room, asked: str = "") -> str:
    answer = room.host.get("/setup/zones" + asked)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def lay(room: Room, **given: Any) -> tuple[int, str]:
    answer = room.host.post("/setup/zones", data={"game": GAME, "players": 2, **given}, headers=HOME)
    return answer.status_code, answer.headers.get("Location", "") or answer.get_data(as_text=True)


def test_every_zone_has_a_name_and_can_be_moved_and_what_carries_others_moves_with_the_game(room: Room) -> None:
    shown = page(room)
    assert shown.count("data-spot=") == 2
    assert 'aria-label="Player A&#39;s stock"' in shown
    assert shown.count("data-drawn=") == 2 + 7, "the stocks; six crates and the block in which they stand"
    assert page(room, "?players=6").count("data-spot=") == 6


def test_where_it_lies_is_kept_by_game_and_number_and_can_be_dropped(room: Room, own: FakeOwnTable) -> None:
    status, where = lay(room, laid=json.dumps(write_laid(LAID)))
    assert (status, own.laid) == (303, {f"{GAME} 2": LAID})
    shown = room.host.get(where).get_data(as_text=True)
    assert "Kept." in shown
    assert 'points="0,0 60,0 60,-60 0,-60"' in shown
    assert "Shown for Kamikaze Cans." in room.host.get("/setup").get_data(as_text=True)
    assert lay(room, players=3, x="10", y="20.5", turn="-90")[0] == 303
    assert own.laid[f"{GAME} 3"] == Laid((10.0, 20.5), 270.0)
    assert "All as drawn" in page(room, "?players=3")
    assert lay(room, go="drawn")[0] == 303
    assert set(own.laid) == {f"{GAME} 3"}
    assert "All as drawn" not in page(room)


def test_a_program_may_say_it_too(room: Room, own: FakeOwnTable) -> None:
    assert post(room.host, "/setup/zones", {"game": GAME, "players": 2, "laid": json.dumps(write_laid(LAID))})["ok"]
    assert own.laid == {f"{GAME} 2": LAID}


@pytest.mark.parametrize("given", [
    {"game": "x" * 500}, {"players": "9"}, {"players": "-1"}, {"players": "²"}, {}, {"laid": "["}, {"laid": "{}"},
    {"laid": "[" * 9000}, {"laid": "{" + " " * 30_000 + "}"}, {"x": "nan", "y": "0", "turn": "0"},
    {"x": "1e9", "y": "0", "turn": "0"}, {"laid": json.dumps({"at": [0, 0], "moved": {"elsewhere": SQUARE}})},
    {"laid": json.dumps({"at": [0, 0], "moved": {"stock:0": SQUARE[::-1]}})},
    {"laid": json.dumps({"at": [0, "\ud800"]})}])
def test_what_is_no_place_is_refused_with_what_to_do(room: Room, own: FakeOwnTable, given: dict[str, str]) -> None:
    status, said = lay(room, **given)
    assert (status, own.laid) == (400, {})
    assert 'class="note bad"' in said
    assert check(room.host.post("/setup/zones", json={"game": GAME, "players": 2, **given}, headers=HOME),
                 "post", "/setup/zones")["error"]


def test_another_number_of_players_is_shown_only_where_the_game_has_it(room: Room) -> None:
    assert 'value="2" checked' in page(room, f"?game={GAME}&players=17")
    assert "There is no such game" in page(room, "?game=none")


def test_the_table_is_shown_from_above_or_it_is_said_why_not(room: Room, own: FakeOwnTable) -> None:
    told = check(room.host.get("/setup/above.json"), "get", "/setup/above.json")
    assert (told["stamp"], told["why"]) == (None, "")
    assert room.host.get("/setup/above.jpg").status_code == 404
    own.above = TableFromAbove(why=phrase("zones.corners"))
    assert "nothing to move" in check(room.host.get("/setup/above.json"), "get", "/setup/above.json")["why"]
    own.above = SEEN
    told = check(room.host.get("/setup/above.json"), "get", "/setup/above.json")
    assert (told["box"], bool(told["stamp"])) == ([-50.0, 380.0, 760.0, 470.0], True)
    assert room.host.get("/setup/above.jpg").data == SEEN.jpeg
    assert 'viewBox="-50 -380 760 470"' in page(room)


def test_without_a_camera_it_is_said_that_one_is_needed(room: Room, own: FakeOwnTable) -> None:
    assert "choose one first" not in page(room)
    own.keep({"source.kind": "none"})
    assert "choose one first" in page(room)


def test_only_the_host_sees_and_moves_it_and_a_config_file_wins(room: Room, own: FakeOwnTable) -> None:
    other = room.phone(OTHER)
    for path in ("/setup/zones", "/setup/above.json", "/setup/above.jpg"):
        assert other.get(path).status_code == 403
    assert other.post("/setup/zones", data={"game": GAME, "players": 2, "x": 1, "y": 1, "turn": 0},
                      headers=HOME).status_code == 403
    own.fixed = {"source.zones"}
    assert "The config file or the command line says this" in page(room)
    assert lay(room, x="1", y="1", turn="0")[0] == 400
    assert own.laid == {}
