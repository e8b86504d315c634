"""Who a phone is: its token alone says it. Sitting down, asking for a taken seat, tokens that are void."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copytree

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.engine import Observer
from companion.session.clock import FakeClock
from companion.session.commands import Correct, Done, Undo
from companion.session.port import Refused
from companion.errors import phrase
from tests.web import web_tables
from tests.web.phones import host, phone_at, sit
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import FakeDesk, FakePhone
from web.house import house_of
from web.limits import Limits, Rate
from web.sitting.asks import ASK_S, MAX_ASKS_OF_ADDRESS
from web.sitting.seating import Seating

OWNER, OTHER, HOSTS = "10.0.0.1", "10.0.0.2", "10.0.0.9"


@dataclass
class Room:
    app: Flask
    desk: FakeDesk
    seating: Seating
    clock: FakeClock
    host: FlaskClient

    def watch(self, who: Observer) -> FakePhone:
        streams, phone = house_of(self.app).streams, FakePhone()
        watcher = streams.open(OWNER, who, self.desk.snapshot().key)
        assert watcher is not None
        streams.attach(watcher, phone)
        return phone

    def phone(self, address: str) -> FlaskClient:
        return phone_at(self.app, address)


PATIENT = Limits(sittings=Rate(1e9, 0), sittings_each=Rate(1e9, 0))


def room_in(folder: Path | None, desk: FakeDesk | None = None, limits: Limits = PATIENT) -> Room:
    desk, clock = desk or FakeDesk(web_tables.table()), FakeClock()
    seating = Seating(folder, clock)
    games = {web_tables.GAME.id: web_tables.GAME}
    app = create_app(desk=desk, words=web_tables.words(), games=games, seating=seating, limits=limits)
    return Room(app, desk, seating, clock, phone_at(app, HOSTS))


@pytest.fixture
def room(tmp_path: Path) -> Room:
    made = room_in(tmp_path)
    host(made.host)
    return made


def seat_of(phone: FlaskClient) -> str:
    """What a page takes this phone for."""
    return phone.get("/").get_data(as_text=True).split('data-you="')[1].split('"')[0]


def ask_for(phone: FlaskClient, seat: int) -> None:
    answer = phone.post("/sit", data={"seat": str(seat)}, headers=HOME)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sit")
    assert phone.get("/sit").headers["Refresh"] == "2"


def say(phone: FlaskClient, answer: str, ask: int = 1) -> int:
    return phone.post("/asks", data={"ask": str(ask), "say": answer}, headers=HOME).status_code


def test_one_touch_gives_a_free_seat_and_a_token_that_scripts_cannot_read(room: Room) -> None:
    phone = room.phone(OWNER)
    assert "Sit down as" in phone.get("/").get_data(as_text=True)
    answer = phone.post("/sit", data={"seat": "1"}, headers=HOME)
    cookie = answer.headers["Set-Cookie"]
    assert all(part in cookie for part in ("seat=", "HttpOnly", "SameSite=Strict", "Path=/"))
    assert "Secure" not in cookie
    assert len(cookie.split("=")[1].split(";")[0]) == 32
    assert seat_of(phone) == "1"
    assert "Secure" in phone.post("/sit", data={"seat": "0"}, headers={"Origin": "https://localhost"},
                                  base_url="https://localhost").headers["Set-Cookie"]


def test_a_phone_that_watches_is_refused_everything_with_one_sentence(room: Room) -> None:
    phone = room.phone(OTHER)
    bodies: list[object] = [
        {"type": "done", "seq": 7}, {"type": "done", "seq": 7, "by": 0}, {"type": "end_game", "seq": 7}, []]
    for body in bodies:
        answer = phone.post("/do", json=body, headers=HOME)
        assert answer.status_code == 403
        assert answer.get_json()["error"] == (
            "This phone only watches. Sit down at a free seat first, then say it again.")
    assert phone.post("/do", data={"command": "{}"}, headers=HOME).status_code == 403
    assert phone.get("/correct").status_code == phone.get("/hand").status_code == 303
    assert room.desk.sent == []


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


@pytest.mark.parametrize("seat", ["2", "-1", "²", "", "x", "9" * 50])
def test_a_seat_that_the_game_does_not_have_cannot_be_taken(room: Room, seat: str) -> None:
    assert room.phone(OTHER).post("/sit", data={"seat": seat}, headers=HOME).status_code == 400


def test_a_cut_token_is_void(room: Room) -> None:
    phone = sit(room.phone(OWNER), 0)
    given = phone.get_cookie("seat")
    assert given is not None
    for value in (given.value[:-1], given.value + "A", given.value.swapcase(), given.value[1:]):
        phone.set_cookie("seat", value)
        assert seat_of(phone) == "room"
    phone.set_cookie("seat", given.value)
    assert seat_of(phone) == "0"


def test_a_seat_that_is_taken_is_asked_for_and_its_owner_lets_in_or_not(room: Room) -> None:
    owner, other = sit(room.phone(OWNER), 0), room.phone(OTHER)
    ask_for(other, 0)
    assert "Another phone asks for the seat of Ana." in owner.get("/").get_data(as_text=True)
    assert seat_of(other) == "room"
    assert say(owner, "no") == 303
    assert other.get("/sit").headers["Location"] == "/"
    assert "This phone was not let in." in other.get("/").get_data(as_text=True)
    refused = other.post("/sit", data={"seat": "0"}, headers=HOME)
    assert refused.status_code == 400
    assert "Wait a minute" in refused.get_data(as_text=True)
    assert (seat_of(owner), seat_of(other)) == ("0", "room")


def test_who_is_let_in_instead_voids_the_old_token_and_ends_its_streams(room: Room) -> None:
    owner, other, old, others = sit(room.phone(OWNER), 0), room.phone(OTHER), room.watch(0), room.watch(1)
    ask_for(other, 0)
    assert say(owner, "instead") == 303
    assert (seat_of(owner), seat_of(other)) == ("room", "0")
    assert (old.ended, others.ended) == (True, False)
    assert owner.post("/do", json={"type": "done", "seq": 7}, headers=HOME).status_code == 403
    assert other.post("/do", json={"type": "done", "seq": 7}, headers=HOME).get_json()["ok"]
    assert room.desk.sent == [Done(7, 0)]


def test_two_phones_may_have_a_seat_and_the_host_sees_both(room: Room) -> None:
    owner, other = sit(room.phone(OWNER), 0), room.phone(OTHER)
    ask_for(other, 0)
    say(room.host, "both")
    assert (seat_of(owner), seat_of(other)) == ("0", "0")
    page = room.host.get("/host").get_data(as_text=True)
    assert f"A phone at {OWNER}" in page
    assert f"A phone at {OTHER}" in page
    assert "Two phones have the seat of Ana." in page
    assert OTHER not in owner.get("/host").get_data(as_text=True)


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


def test_nobody_else_lets_a_phone_in(room: Room) -> None:
    sit(room.phone(OWNER), 0)
    neighbour, other = sit(room.phone("10.0.0.3"), 1), room.phone(OTHER)
    ask_for(other, 0)
    for phone in (neighbour, other, room.phone("10.0.0.4")):
        assert [say(phone, "instead"), say(phone, "no")] == [403, 403]
    assert seat_of(other) == "room"
    assert say(room.host, "fly") == say(room.host, "open") == 400
    assert say(room.host, "instead", ask=7) == 303
    assert "asks no more" in room.host.get("/").get_data(as_text=True)


@pytest.mark.parametrize(("held", "after_s", "let_in"), [
    (True, 1, True), (False, 1, False), (True, ASK_S + 1, False), (True, -3600, True),
])
def test_the_seats_button_lets_in_when_it_is_held_in_time(room: Room, held: bool, after_s: float, let_in: bool) -> None:
    room.clock.s = 5000.0
    owner, other, old = sit(room.phone(OWNER), 0), room.phone(OTHER), room.watch(0)
    key = room.desk.snapshot().key
    assert not room.seating.seats.pressed(0, key, True), "nobody asks: the press is the game's"
    ask_for(other, 0)
    room.clock.s += after_s
    assert not room.seating.seats.pressed(1, key, held), "another seat's button"
    assert room.seating.seats.pressed(0, key, held) is let_in
    room.clock.s = 5000.0 + max(0.0, after_s)
    other.get("/sit")
    assert (seat_of(other) == "0", seat_of(owner) == "room", old.ended) == (let_in, let_in, let_in)


def test_a_button_lets_nobody_in_when_two_ask(room: Room) -> None:
    sit(room.phone(OWNER), 0)
    for address in (OTHER, "10.0.0.3"):
        ask_for(room.phone(address), 0)
    assert not room.seating.seats.pressed(0, room.desk.snapshot().key, True)


def test_asks_are_bounded_in_number_and_age(room: Room) -> None:
    sit(room.phone(OWNER), 0)
    for _ in range(MAX_ASKS_OF_ADDRESS):
        ask_for(room.phone(OTHER), 0)
    assert room.phone(OTHER).post("/sit", data={"seat": "0"}, headers=HOME).status_code == 400
    ask_for(last := room.phone("10.0.0.3"), 0)
    assert room.phone("10.0.0.4").post("/sit", data={"seat": "0"}, headers=HOME).status_code == 400
    room.clock.s += ASK_S + 1
    assert "asks for the seat" not in room.host.get("/").get_data(as_text=True)
    assert last.get("/sit").headers["Location"] == "/"
    assert "Nobody has let this phone in." in last.get("/").get_data(as_text=True)
    ask_for(room.phone(OTHER), 0)


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


def test_sitting_down_over_and_over_is_bounded() -> None:
    room = room_in(None, limits=Limits())
    phone = room.phone(OTHER)
    told = [phone.post("/sit", data={"seat": str(n % 2)}, headers=HOME).status_code for n in range(100)]
    assert set(told[:40]) == {303}
    assert set(told[60:]) == {429}
    free = 0 if seat_of(phone).startswith("1") else 1
    assert seat_of(sit(room.phone(OWNER), free)) == str(free), "others sit down meanwhile"


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


def test_a_phone_has_one_seat_and_leaves_it_to_the_next(room: Room) -> None:
    phone, other = sit(room.phone(OWNER), 0), room.phone(OTHER)
    sit(phone, 1)
    assert seat_of(sit(other, 0)) == "0"
    assert phone.post("/up", headers=HOME).status_code == 303
    assert seat_of(phone) == "room"
    assert phone.post("/up", headers=HOME).status_code == 303


def test_a_host_that_sits_acts_as_its_seat_and_for_others_as_the_host(room: Room) -> None:
    class Strict(FakeDesk):
        """Refuses seat 0 what is another's."""

        def send(self, command: object) -> object:  # type: ignore[override]
            super().send(command)  # type: ignore[arg-type]
            if isinstance(command, Correct) and command.by == 0:
                return Refused(phrase("session.correct_own_turn"), 7)
            return Refused(phrase("session.nothing_to_undo"), 7)

    desk = Strict(web_tables.table())
    strict = room_in(None, desk)
    both, seated = sit(host(strict.host), 0), sit(strict.phone(OWNER), 1)
    both.post("/do", json={"type": "undo", "seq": 7}, headers=HOME)
    both.post("/do", json={"type": "correct", "seq": 7, "take_back": 1, "plies": []}, headers=HOME)
    seated.post("/do", json={"type": "correct", "seq": 7, "take_back": 1, "plies": []}, headers=HOME)
    assert desk.sent == [Undo(7, 0), Correct(7, 0, 1, ()), Correct(7, "host", 1, ()), Correct(7, 1, 1, ())]


def test_a_page_made_for_another_seat_is_told_to_load_anew(room: Room) -> None:
    phone = sit(room.phone(OWNER), 0)
    for you, told in (("0", False), ("room", True), ("0-host", True), ("", True)):
        answer = phone.get(f"/stream?you={you}", environ_overrides={"companion.hand_over": lambda _: None})
        assert (b"event: you" in answer.data) is told
