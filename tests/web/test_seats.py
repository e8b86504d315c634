"""Sitting down at one touch, asking for a seat that is taken, and what a phone may do with its seat."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import phrase
from companion.session.commands import Correct, Done, Undo
from companion.session.port import Refused
from tests.web import web_tables
from tests.web.phones import host, sit
from tests.web.rooms import OTHER, OWNER, Room, ask_for, room_in, say, seat_of
from tests.web.web_fixtures import HOME
from web.fakes import FakeDesk
from web.limits import Limits
from web.sitting.asks import ASK_S, MAX_ASKS_OF_ADDRESS


@pytest.fixture
def room(tmp_path: Path) -> Room:
    made = room_in(tmp_path)
    host(made.host)
    return made


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


@pytest.mark.parametrize("seat", ["2", "-1", "²", "", "x", "9" * 50])
def test_a_seat_that_the_game_does_not_have_cannot_be_taken(room: Room, seat: str) -> None:
    assert room.phone(OTHER).post("/sit", data={"seat": seat}, headers=HOME).status_code == 400


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


def test_sitting_down_over_and_over_is_bounded() -> None:
    room = room_in(None, limits=Limits())
    phone = room.phone(OTHER)
    told = [phone.post("/sit", data={"seat": str(n % 2)}, headers=HOME).status_code for n in range(100)]
    assert set(told[:40]) == {303}
    assert set(told[60:]) == {429}
    free = 0 if seat_of(phone).startswith("1") else 1
    assert seat_of(sit(room.phone(OWNER), free)) == str(free), "others sit down meanwhile"


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
