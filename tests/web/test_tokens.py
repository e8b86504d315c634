"""A phone is its token: those that are void, copied, from before or from elsewhere; and the file that keeps them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from tests.web import web_tables
from tests.web.phones import host, sit
from tests.web.rooms import HOSTS, OTHER, OWNER, Room, ask_for, room_in, say, seat_of
from tests.web.web_fixtures import HOME
from web.house import house_of


@pytest.fixture
def room(tmp_path: Path) -> Room:
    made = room_in(tmp_path)
    host(made.host)
    return made


@pytest.mark.parametrize("cookie", ["0", "1", "²", "", "x" * 3000, "\xe9", "null", "-1", "AAAA" * 8])
def test_a_cookie_that_no_server_gave_is_no_seat(room: Room, cookie: str) -> None:
    sit(room.phone(OWNER), 0)
    phone = room.phone(OTHER)
    phone.set_cookie("seat", cookie)
    assert seat_of(phone) == "room"
    assert phone.post("/do", json={"type": "done", "seq": 7}, headers=HOME).status_code == 403
    phone.post("/sit", data={"seat": "1"}, headers=HOME)
    given = phone.get_cookie("seat")
    assert given is not None
    assert given.value != cookie, "a token that somebody chose is never made good"
    assert seat_of(phone) == "1"


def test_a_cut_token_is_void(room: Room) -> None:
    phone = sit(room.phone(OWNER), 0)
    given = phone.get_cookie("seat")
    assert given is not None
    for value in (given.value[:-1], given.value + "A", given.value.swapcase(), given.value[1:]):
        phone.set_cookie("seat", value)
        assert seat_of(phone) == "room"
    phone.set_cookie("seat", given.value)
    assert seat_of(phone) == "0"


def test_a_copied_token_shows_as_two_phones_on_the_hosts_page(room: Room) -> None:
    owner, thief = sit(room.phone(OWNER), 0), room.phone(OTHER)
    seat_of(owner)
    assert "Two phones" not in room.host.get("/host").get_data(as_text=True)
    token = owner.get_cookie("seat")
    assert token is not None
    thief.set_cookie("seat", token.value)
    assert seat_of(thief) == "0"
    page = room.host.get("/host").get_data(as_text=True)
    assert f"A phone at {OWNER}, {OTHER}" in page
    assert "Two phones have the seat of Ana." in page
    room.host.post("/host/free", data={"seat": "0"}, headers=HOME)
    assert (seat_of(owner), seat_of(thief)) == ("room", "room")


def test_a_new_game_voids_all_tokens_and_ends_the_streams_of_seats(room: Room) -> None:
    owner, old, watching = sit(room.phone(OWNER), 0), room.watch(0), room.watch("room")
    ask_for(other := room.phone(OTHER), 0)
    room.desk.show(replace(web_tables.table(), key="the next game"))
    house_of(room.app).streams.tell()
    assert (old.ended, watching.ended) == (True, False)
    assert (seat_of(owner), seat_of(other)) == ("room", "room")
    say(room.host, "instead")
    assert seat_of(other) == "room", "it asked for a seat of the game before"
    assert seat_of(sit(other, 0)) == "0"
    assert seat_of(room.host) == "room-host"


def test_tokens_survive_a_restart_but_no_other_timeline(room: Room, tmp_path: Path) -> None:
    owner = sit(room.phone(OWNER), 0)
    room.seating.close()
    token, hosts = owner.get_cookie("seat"), room.host.get_cookie("host")
    assert token is not None
    assert hosts is not None
    assert (tmp_path / "seats.sqlite").stat().st_mode & 0o777 == 0o600
    assert token.value.encode() not in b"".join(each.read_bytes() for each in tmp_path.iterdir())
    again = room_in(tmp_path)
    again.seating.host.start(game_goes_on=True)
    phone, host_phone = again.phone(OWNER), again.phone(HOSTS)
    phone.set_cookie("seat", token.value)
    host_phone.set_cookie("host", hosts.value)
    assert (seat_of(host_phone), seat_of(phone)) == ("room-host", "0")
    again.desk.show(replace(web_tables.table(), key="the same number, begun anew after a backup was put back"))
    assert seat_of(phone) == "room"


YEAR_S = 365.25 * 86400


@pytest.mark.parametrize("years", [(30, 0), (-30, 0), (30, -30), (-30, 30)])
def test_tokens_outlive_a_clock_that_jumps_by_years(room: Room, tmp_path: Path, years: tuple[int, int]) -> None:
    owner = sit(room.phone(OWNER), 0)
    token, hosts = owner.get_cookie("seat"), room.host.get_cookie("host")
    assert token is not None
    assert hosts is not None
    assert token.max_age == 30 * 86400, "counted by the phone; a date, which our clock may have wrong, comes second"
    room.clock.s += years[0] * YEAR_S
    assert (seat_of(owner), seat_of(room.host)) == ("0", "room-host")
    room.seating.close()
    again = room_in(tmp_path)  # a start in another year
    again.clock.s += years[1] * YEAR_S
    again.seating.host.start(game_goes_on=True)
    phone, host_phone = again.phone(OWNER), again.phone(HOSTS)
    phone.set_cookie("seat", token.value)
    host_phone.set_cookie("host", hosts.value)
    assert (seat_of(phone), seat_of(host_phone)) == ("0", "room-host")


def test_a_token_from_before_a_backup_was_put_back_is_void(tmp_path: Path) -> None:
    """The folder as it was before a phone sat down: what was given since is not known."""
    room = room_in(tmp_path / "state")
    host(room.host)
    room.seating.close()
    copytree(tmp_path / "state", tmp_path / "backup")
    later = room_in(tmp_path / "state")
    phone = sit(later.phone(OWNER), 0)
    later.seating.close()
    restored = room_in(tmp_path / "backup")
    token, same = phone.get_cookie("seat"), restored.phone(OWNER)
    assert token is not None
    same.set_cookie("seat", token.value)
    assert seat_of(same) == "room"
    assert seat_of(sit(restored.phone(OTHER), 0)) == "0", "the seat is free"


@pytest.mark.parametrize("rubbish", [b"rubbish" * 1000, b"SQLite format 3\x00" + b"\xff" * 4000, b"\x00"])
def test_a_file_of_seats_that_is_damaged_costs_only_the_seats(tmp_path: Path, rubbish: bytes) -> None:
    (tmp_path / "seats.sqlite").write_bytes(rubbish)
    room = room_in(tmp_path)
    assert seat_of(host(room.host)) == "room-host"
    assert seat_of(sit(room.phone(OWNER), 1)) == "1"


def test_a_folder_that_takes_nothing_costs_only_the_next_start(tmp_path: Path) -> None:
    (tmp_path / "seats.sqlite").mkdir()
    room = room_in(tmp_path)
    host(room.host)
    assert seat_of(sit(room.phone(OWNER), 1)) == "1"


def test_a_page_made_for_another_seat_is_told_to_load_anew(room: Room) -> None:
    phone = sit(room.phone(OWNER), 0)
    for you, told in (("0", False), ("room", True), ("0-host", True), ("", True)):
        answer = phone.get(f"/stream?you={you}", environ_overrides={"companion.hand_over": lambda _: None})
        assert (b"event: you" in answer.data) is told
