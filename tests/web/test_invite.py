"""The way in for other phones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web import web_tables
from tests.web.phones import host, sit
from tests.web.rooms import OTHER, OWNER, Room, ask_for, room_in, say, seat_of
from tests.web.web_fixtures import HOME
from web.house import house_of
from web.reach import address_for_others, reachable


@pytest.fixture
def room(tmp_path: Path) -> Room:
    made = room_in(tmp_path)
    host(made.host)
    return made


def test_the_page_shows_the_address_as_a_code_and_says_that_it_is_not_encrypted(client: FlaskClient) -> None:
    page = client.get("/invite", headers={"Host": "192.168.1.7:8080"}).get_data(as_text=True)
    assert "http://192.168.1.7:8080/" in page
    assert "<path" in page
    assert "not encrypted" in page
    assert " style=" not in page
    assert '<a href="/invite">' in client.get("/").get_data(as_text=True)


def test_the_fingerprint_of_the_certificate_stands_beside_the_code(client: FlaskClient) -> None:
    replace(house_of(client.application), fingerprint="AB:CD").add_to(client.application)
    page = client.get("/invite", base_url="https://table.local").get_data(as_text=True)
    assert "<code>AB:CD</code>" in page
    assert "https://table.local/" in page
    assert "not encrypted" not in page


@pytest.mark.parametrize(("host", "port", "address"), [
    ("192.168.1.7", "8080", "http://192.168.1.7:8080/"), ("fd00::7", "8080", "http://[fd00::7]:8080/"),
    ("table.local", "", "http://table.local/"),
])
def test_other_phones_get_the_address_that_this_one_uses(host: str, port: str, address: str) -> None:
    assert address_for_others("http", host, port) == address


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1"])
def test_an_address_that_only_this_machine_has_is_not_given_to_others(host: str) -> None:
    assert address_for_others("http", host, "8080") == f"http://{reachable('')}:8080/"


def test_the_code_of_a_seat_leads_to_one_touch_and_looking_on(room: Room) -> None:
    page = room.phone(OWNER).get("/invite?seat=B", headers={"Host": "192.168.1.7:8080"}).get_data(as_text=True)
    assert "http://192.168.1.7:8080/join/B" in page
    assert "sit down as Ben" in page
    phone = room.phone(OTHER)
    page = phone.get("/join/B").get_data(as_text=True)
    assert "Sit down as Ben" in page
    assert "Only look on" in page
    assert seat_of(phone) == "room", "an address that is loaded ahead takes no seat"
    assert seat_of(sit(phone, 1)) == "1"
    assert phone.get("/join/B").headers["Location"] == "/"
    assert "Ask for the seat of Ben" in room.phone(OWNER).get("/join/B").get_data(as_text=True)


@pytest.mark.parametrize("letter", ["C", "Z", "0", "b", "AB", "²"])
def test_a_code_from_another_evening_says_so(room: Room, letter: str) -> None:
    phone = room.phone(OTHER)
    assert phone.get(f"/join/{letter}").headers["Location"] == "/"
    assert "not in this game" in phone.get("/").get_data(as_text=True)
    assert phone.get("/invite", query_string={"seat": letter}).status_code == 200


def test_ones_own_code_hands_the_seat_over(room: Room) -> None:
    owner, other = sit(room.phone(OWNER), 0), room.phone(OTHER)
    page = owner.get("/invite?seat=A")
    assert page.headers["Refresh"] == "3"
    assert "is to have the seat of Ana" in page.get_data(as_text=True)
    ask_for(other, 0)
    page = owner.get("/invite?seat=A")
    assert "Give it the seat" in page.get_data(as_text=True)
    assert "Refresh" not in page.headers
    assert "Give it the seat" not in room.phone("10.0.0.3").get("/invite?seat=A").get_data(as_text=True)
    say(owner, "instead")
    assert (seat_of(owner), seat_of(other)) == ("room", "0")


def test_a_screen_that_all_see_has_the_code_as_a_picture(room: Room) -> None:
    assert 'src="/invite.svg"' in room.host.get("/").get_data(as_text=True)
    picture = room.host.get("/invite.svg")
    assert (picture.status_code, picture.mimetype) == (200, "image/svg+xml")
    assert b"<path" in picture.data


def test_who_sits_where_is_seen_at_a_glance(room: Room) -> None:
    assert "a phone sits here" not in room.host.get("/").get_data(as_text=True)
    sit(room.phone(OWNER), 0)
    seen = room.host.get("/").get_data(as_text=True)
    assert seen.count("a phone sits here") == 1


def test_a_phone_remembers_for_the_evening_whose_it_is(room: Room) -> None:
    owner = sit(room.phone(OWNER), 0)
    assert "Ana again" not in owner.get("/").get_data(as_text=True)
    room.desk.show(replace(web_tables.table(), key="the next game"))
    assert "Sit down as Ana again" in owner.get("/").get_data(as_text=True)
    sit(room.phone(OTHER), 0)
    assert "Sit down as Ana again" not in owner.get("/").get_data(as_text=True), "somebody else is Ana by now"


def test_who_gets_up_or_lies_is_remembered_as_nobody(room: Room) -> None:
    owner = sit(room.phone(OWNER), 0)
    owner.post("/up", headers=HOME)
    assert "Ana again" not in owner.get("/").get_data(as_text=True)
    for name in ("Nobody", "%ff%00", "x" * 3000, ""):
        owner.set_cookie("name", name)
        assert "down as Ana again" not in owner.get("/").get_data(as_text=True)


def test_a_phone_that_was_let_in_remembers_too(room: Room) -> None:
    owner, other = sit(room.phone(OWNER), 0), room.phone(OTHER)
    ask_for(other, 0)
    say(owner, "instead")
    other.get("/sit")
    room.desk.show(replace(web_tables.table(), key="the next game"))
    assert "Sit down as Ana again" in other.get("/").get_data(as_text=True)
