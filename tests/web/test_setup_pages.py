"""Setting the own table up: what each step says, what is kept, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import phrase
from companion.session.config import read_config
from companion.session.snapshot import EyesShown
from companion.session.survey import Survey
from dataclasses import replace
from tests.web.own_tables import FakeOwnTable, room_of
from tests.web.phones import host
from tests.web.rooms import OTHER, Room, room_in
from tests.web.test_openapi import check, post
from tests.web.web_fixtures import HOME
from web.fakes import NO_GAME, FakeDesk

STEPS = ("camera", "cards", "lens", "zones", "pieces", "panel", "names")
PAGES = ("/setup", "/setup/camera", "/setup/cards", "/setup/lens", "/setup/zones", "/setup/names")
WATCHED = {"source.kind": "camera", "source.camera": 0}


@pytest.fixture
def own() -> FakeOwnTable:
    return FakeOwnTable()


@pytest.fixture
def room(own: FakeOwnTable) -> Room:
    return room_of(own)


def page(room: Room, path: str) -> str:
    answer = room.host.get(path)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def send(room: Room, path: str, **given: str) -> tuple[int, str]:
    answer = room.host.post(path, data=given, headers=HOME)
    return answer.status_code, answer.headers.get("Location", "") or answer.get_data(as_text=True)


def states(room: Room) -> dict[str, str]:
    told = check(room.host.get("/setup.json"), "get", "/setup.json")
    return {each["name"]: each["state"] for each in told["steps"]}


def words(room: Room, name: str) -> str:
    return next(str(each["words"]) for each in room.host.get("/setup.json").get_json()["steps"] if each["name"] == name)


def test_the_steps_are_listed_with_what_is_done(room: Room, own: FakeOwnTable) -> None:
    assert states(room) == dict.fromkeys(STEPS, "todo")
    shown = page(room, "/setup")
    for path in (*PAGES[1:], "/enrol", "/panel"):
        assert f'href="{path}"' in shown
    own.keep({**WATCHED, "table.name": "Attic"})
    own.seen = Survey(2304, 1296, (0, 1, 2, 3))
    assert states(room) == {"camera": "done", "cards": "done", "lens": "todo", "zones": "todo", "pieces": "todo",
                            "panel": "todo", "names": "done"}


def test_every_page_of_a_step_can_be_opened_before_anything_is_chosen(room: Room) -> None:
    for path in PAGES:
        assert "‹" in page(room, path)


def test_a_camera_of_those_found_is_chosen_and_kept(room: Room, own: FakeOwnTable) -> None:
    shown = page(room, "/setup/camera")
    assert "HD Webcam (camera 0)" in shown
    assert "own camera" in shown
    assert send(room, "/setup/source", kind="camera", camera="0") == (303, "/setup/camera")
    assert own.kept == WATCHED
    assert send(room, "/setup/source", kind="camera", camera="picamera2")[0] == 303
    assert own.config.source.camera == "picamera2"
    assert send(room, "/setup/source", kind="none") == (303, "/start")
    assert own.config.source.kind == "none"


@pytest.mark.parametrize(("source", "says"), [
    ({"kind": "video", "video": "/game.mp4"}, "A video is played."),
    ({"kind": "kept", "folder": "/kept"}, "A game that was kept is played again."),
    ({"kind": "folder", "folder": "/set"}, "Pictures of a set are played."), ({"kind": "none"}, "without a camera"),
])  # fmt: skip
def test_what_is_played_instead_of_a_camera_is_said(
    source: dict[str, str], says: str, room: Room, own: FakeOwnTable
) -> None:
    own.keep({f"source.{key}": value for key, value in source.items()})
    assert says in words(room, "camera")
    assert states(room)["camera"] == "done"


@pytest.mark.parametrize("camera", ["", "1", "-1", "x" * 500, "HD Webcam", "64", "²"])
def test_a_camera_that_is_not_there_is_not_taken(room: Room, own: FakeOwnTable, camera: str) -> None:
    status, shown = send(room, "/setup/source", kind="camera", camera=camera)
    assert (status, own.kept) == (400, {})
    assert "That camera is not there any more." in shown


def test_a_chosen_camera_that_has_gone_is_said(room: Room, own: FakeOwnTable) -> None:
    own.keep(WATCHED)
    own.cameras = ()
    room.desk.show(replace(NO_GAME, eyes=EyesShown("gone", phrase("hw.no_camera", where="0"))))
    shown = page(room, "/setup/camera")
    assert "Camera 0, which is not there now" in shown
    assert "I find no camera." in shown
    assert states(room)["camera"] == "wrong"
    assert "Check its cable" in words(room, "camera")


def test_what_is_wrong_with_the_picture_is_said_in_words(room: Room, own: FakeOwnTable) -> None:
    own.keep(WATCHED)
    assert states(room)["camera"] == "todo", "it waits for a picture"
    own.seen = Survey(640, 480, (), (phrase("eyes.small", width=640, height=480, least=1280), phrase("eyes.blurred")))
    assert states(room)["camera"] == "wrong"
    assert "640 × 480" in words(room, "camera")
    told = room.host.get("/setup.json").get_json()
    assert (told["size"], len(told["faults"])) == ([640, 480], 2)
    assert "640 × 480" in page(room, "/setup/camera")


def test_light_is_changed_only_where_there_is_a_camera(room: Room, own: FakeOwnTable) -> None:
    assert send(room, "/setup/light", light="brighter")[0] == 400
    own.keep(WATCHED)
    for light in ("brighter", "darker", "anew"):
        assert send(room, "/setup/light", light=light) == (303, "/setup/camera")
    assert [round(each, 2) for each in own.light] == [1.3, 0.77, 0.0]
    assert send(room, "/setup/light", light="x" * 500)[0] == 400


def test_the_cards_are_printed_laid_and_seen(room: Room, own: FakeOwnTable) -> None:
    sheet = room.host.get("/setup/cards.pdf?paper=letter")
    assert (sheet.data, sheet.mimetype) == (b"%PDF letter", "application/pdf")
    own.can_print = False
    assert "a library is missing" in page(room, "/setup/cards")
    assert room.host.get("/setup/cards.pdf").status_code == 400
    own.keep(WATCHED)
    own.seen = Survey(2304, 1296, (0, 2))
    assert states(room)["cards"] == "wrong"
    assert words(room, "cards") == "I see 2 of 4. Missing: 1 and 3."
    assert page(room, "/setup/cards").count("not seen</b>") == 2


def test_a_known_lens_or_an_angle_is_chosen(room: Room, own: FakeOwnTable) -> None:
    assert "Raspberry Pi Camera Module 3 Wide, 102°" in page(room, "/setup/lens")
    assert send(room, "/setup/lens", lens="c920") == (303, "/setup")
    assert own.lens == ("c920", 70.4)
    assert send(room, "/setup/lens", lens="other", degrees="58,5")[0] == 303
    assert own.lens == ("other", 58.5)


@pytest.mark.parametrize(("lens", "degrees"), [
    ("", ""), ("other", ""), ("other", "x"), ("other", "nan"), ("other", "inf"), ("other", "19"), ("other", "121"),
    ("../../x", "60"), ("x" * 500, "60"), ("other", "9" * 500),
])
def test_a_lens_that_cannot_be_is_refused(room: Room, own: FakeOwnTable, lens: str, degrees: str) -> None:
    status, shown = send(room, "/setup/lens", lens=lens, degrees=degrees)
    assert (status, own.lens) == (400, ("", 0.0))
    assert "from 20 to 120" in shown


def test_the_name_of_the_table_stands_on_the_pages(room: Room, own: FakeOwnTable) -> None:
    assert send(room, "/setup/names", name=" Dora’s <attic> ") == (303, "/setup/names")
    assert own.config.table.name == "Dora’s <attic>"
    for path in ("/", "/invite", "/host"):
        assert "Dora’s &lt;attic&gt;" in page(room, path)
    assert send(room, "/setup/names", name="")[0] == 303
    assert own.config.table.name == ""


@pytest.mark.parametrize("name", ["x" * 500, "a\nb", "\x7f", "ü" * 21])
def test_a_name_that_cannot_be_is_refused(room: Room, own: FakeOwnTable, name: str) -> None:
    status, shown = send(room, "/setup/names", name=name)
    assert (status, own.kept) == (400, {})
    assert "1 to 40 letters" in shown


def test_the_code_of_the_wifi_is_drawn_only_when_wanted_and_nobody_reads_the_password(
    room: Room, own: FakeOwnTable
) -> None:
    assert send(room, "/setup/wifi", name="Home", password="lemon tree 7") == (303, "/setup/names")
    shown = page(room, "/setup/names")
    assert "The code of Home is ready." in shown
    assert 'class="code"' not in shown
    answer = room.host.get("/setup/names?code=1")
    assert answer.headers["Cache-Control"] == "no-store"
    assert 'class="code"' in answer.get_data(as_text=True)
    for path in (*PAGES, "/setup.json", "/setup/names?code=1", "/invite", "/host"):
        assert "lemon tree" not in room.host.get(path).get_data(as_text=True)
    assert room.phone(OTHER).get("/setup/names?code=1").status_code == 403
    assert send(room, "/setup/wifi", name="")[0] == 303
    assert (own.config.wifi.name, own.config.wifi.password) == ("", "")
    assert 'class="code"' not in page(room, "/setup/names?code=1")


@pytest.mark.parametrize(("name", "password"), [("Home", "short"), ("Home", "x" * 500), ("x" * 33, ""), ("a\tb", "")])
def test_a_wifi_that_cannot_be_is_refused(room: Room, own: FakeOwnTable, name: str, password: str) -> None:
    assert send(room, "/setup/wifi", name=name, password=password)[0] == 400
    assert own.kept == {}


def test_what_the_config_file_says_cannot_be_changed_and_the_page_says_so(room: Room, own: FakeOwnTable) -> None:
    own.config = read_config({"source": {"kind": "none"}, "table": {"name": "Attic"}})
    own.fixed = {"source.kind", "source.lens", "source.zones", "table.name", "wifi.name"}
    for path in PAGES[1:]:
        assert path == "/setup/cards" or "The config file or the command line says this" in page(room, path)
    for path, given in (("/setup/source", {"kind": "camera", "camera": "0"}), ("/setup/names", {"name": "Roof"}),
                        ("/setup/wifi", {"name": "Home"})):
        assert "which wins" in send(room, path, **given)[1]
    assert own.kept == {}


def test_of_two_hosts_the_one_that_was_has_no_say(room: Room, own: FakeOwnTable) -> None:
    heir = room.phone(OTHER)
    room.seating.host.pin.choose("yuzu-1972")
    heir.post("/host", data={"pin": "yuzu-1972"}, headers=HOME)
    assert send(room, "/setup/names", name="Roof")[0] == 403
    assert heir.post("/setup/names", data={"name": "Cellar"}, headers=HOME).status_code == 303
    assert own.kept == {"table.name": "Cellar"}


def test_a_program_does_all_of_it_as_the_document_says(room: Room, own: FakeOwnTable) -> None:
    for path, given in (("/setup/source", {"kind": "camera", "camera": 0}), ("/setup/light", {"light": "darker"}),
                        ("/setup/lens", {"lens": "other", "degrees": 60}), ("/setup/names", {"name": "Attic"}),
                        ("/setup/wifi", {"name": "Home", "password": "lemon tree"})):
        told: Any = post(room.host, path, given)
        assert told["ok"]
    refused = room.host.post("/setup/source", json={"kind": "camera"}, headers=HOME)
    assert check(refused, "post", "/setup/source")["error"]
    assert own.config.wifi.name == "Home"


def test_without_settings_there_is_nothing_to_set_up() -> None:
    room = room_in(None, FakeDesk(NO_GAME))
    host(room.host)
    assert "/setup" not in room.host.get("/host").get_data(as_text=True)
    assert room.host.get("/setup").status_code == 404


def test_who_looks_on_is_offered_no_setting_up(room: Room) -> None:
    assert "/setup" in page(room, "/host")
    assert "Set up my table" in page(room, "/")
    assert "Set up my table" not in room.phone(OTHER).get("/").get_data(as_text=True)


def test_a_camera_in_the_network_is_chosen_by_its_address_and_its_password_is_not_shown(
    room: Room, own: FakeOwnTable
) -> None:
    assert "A phone or another camera in the network" in page(room, "/setup/camera")
    address = "http://ann:secret@phone.local:8080/video"
    assert send(room, "/setup/source", kind="camera", camera=f" {address} ") == (303, "/setup/camera")
    assert own.kept == {"source.kind": "camera", "source.camera": address}

    shown = page(room, "/setup/camera")
    assert "Now: phone.local:8080" in shown
    assert "secret" not in shown
    for wrong in ("ftp://phone/video", "http://", "file:///etc/passwd", "/etc/passwd", "javascript:x"):
        assert send(room, "/setup/source", kind="camera", camera=wrong)[0] == 400
    assert own.kept["source.camera"] == address
