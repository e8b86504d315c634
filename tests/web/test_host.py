"""Who is the host, how a phone becomes it, and what only the host may."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.session.commands import EndGame, Reopen
from tests.web import web_tables
from tests.web.phones import host, sit
from tests.web.rooms import HOSTS, OTHER, OWNER, Room, room_in, seat_of
from tests.web.web_fixtures import HOME
from web.fakes import NO_GAME
from web.sitting.host import GONE_S, Host
from web.sitting.seating import Seating
from web.sitting.store import SeatStore

PIN = "yuzu-1972"


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return room_in(tmp_path)


def is_host(phone: FlaskClient) -> bool:
    return seat_of(phone).endswith("host")


def try_pin(phone: FlaskClient, pin: str) -> int:
    return phone.post("/host", data={"pin": pin}, headers=HOME).status_code


def with_pin(room: Room) -> Room:
    assert host(room.host).post("/host/pin", data={"pin": PIN}, headers=HOME).status_code == 303
    return room


def test_the_first_phone_is_the_host_and_the_page_says_so(room: Room) -> None:
    for path in ("/health", "/stream", "/static/page.css", "/nowhere"):
        room.phone(OTHER).get(path).close()
    assert "the host, because it was the first one" in room.host.get("/start").get_data(as_text=True)
    cookie = room.host.get_cookie("host")
    assert cookie is not None
    assert (cookie.http_only, cookie.path) == (True, "/")
    assert (is_host(room.host), is_host(room.phone(OTHER))) == (True, False)
    assert "Another phone is the host" in room.phone(OTHER).get("/host").get_data(as_text=True)


def test_a_page_of_others_makes_nobody_the_host(room: Room) -> None:
    assert room.phone(OTHER).get("/", headers={"Host": "evil.example"}).status_code == 400
    assert room.phone(OTHER).post("/start", headers={"Origin": "http://evil.example"}).status_code == 400
    assert room.seating.host.is_vacant


GUARDED = [
    ("POST", "/start"), ("POST", "/example"), ("POST", "/panel"), ("GET", "/panel"), ("GET", "/panel.json"),
    ("POST", "/setup/source"), ("POST", "/setup/light"), ("POST", "/setup/lens"), ("POST", "/setup/names"),
    ("POST", "/setup/wifi"), ("GET", "/setup"), ("GET", "/setup.json"), ("GET", "/setup/camera"),
    ("GET", "/setup/cards"), ("GET", "/setup/cards.pdf"), ("GET", "/setup/lens"), ("GET", "/setup/lens/measure"),
    ("GET", "/setup/lens/measure.json"), ("POST", "/setup/lens/measure"), ("GET", "/setup/lens/sheet.pdf"),
    ("GET", "/setup/lens/sheet.png"), ("GET", "/setup/names"),
    ("POST", "/notices"), ("POST", "/host/pin"), ("POST", "/host/hand-on"), ("POST", "/host/free"),
    ("GET", "/enrol"), ("GET", "/enrol/state.json"), ("POST", "/enrol"), ("POST", "/enrol/go-on"),
    ("POST", "/enrol/picture"), ("POST", "/enrol/stop"), ("POST", "/enrol/drop"),
]


@pytest.mark.parametrize(("method", "path"), GUARDED)
@pytest.mark.parametrize("seated", [False, True])
def test_what_is_the_hosts_is_refused_to_others_in_one_sentence(
    room: Room, method: str, path: str, seated: bool
) -> None:
    host(room.host)
    phone = room.phone(OTHER)
    if seated:
        sit(phone, 1)
    answer = phone.open(path, method=method, headers=HOME, data={"seat": "0", "pin": PIN, "go": "1"})
    assert answer.status_code == 403
    assert "Only the host can do that: ask on the host's phone." in answer.get_data(as_text=True)
    assert room.desk.sent == []
    assert not room.seating.host.pin.is_decided


@pytest.mark.parametrize("type", ["end_game", "reopen", "start_game", "lay_out"])
def test_games_are_begun_and_ended_by_the_host_alone(room: Room, type: str) -> None:
    host(room.host)
    command = {"type": type, "seq": 7, **({"header": {}} if type in ("start_game", "lay_out") else {})}
    assert sit(room.phone(OTHER), 1).post("/do", json=command, headers=HOME).status_code == 403
    assert room.desk.sent == []
    assert sit(room.host, 0).post("/do", json=command, headers=HOME).status_code == 200
    assert [each.by for each in room.desk.sent] == ["host"]


def test_the_hosts_page_ends_and_reopens_games(room: Room) -> None:
    page = room.host.get("/host").get_data(as_text=True)
    assert '{"seq": 7, "type": "end_game"}' in page
    room.desk.show(replace(web_tables.table(), can_reopen=True))
    assert '{"seq": 7, "type": "reopen"}' in room.host.get("/host").get_data(as_text=True)
    assert "reopen" not in room.phone(OTHER).get("/host").get_data(as_text=True)
    for type in ("end_game", "reopen"):
        room.host.post("/do", json={"type": type, "seq": 7}, headers=HOME)
    assert room.desk.sent == [EndGame(7, "host"), Reopen(7, "host")]


def test_the_host_hands_its_role_on_to_a_seated_phone(room: Room) -> None:
    heir = room.phone(OTHER)
    host(room.host)
    assert room.host.post("/host/hand-on", data={"seat": "1"}, headers=HOME).status_code == 400, "nobody sits there"
    sit(heir, 1)
    old = room.watch("room")
    assert room.host.post("/host/hand-on", data={"seat": "1"}, headers=HOME).status_code == 303
    assert old.ended
    assert is_host(room.host), "until the other has come for it there is a host"
    assert b"event: you" in heir.get(
        "/stream?you=1", environ_overrides={"companion.hand_over": lambda _: None}).data
    assert seat_of(heir) == "1-host"
    assert not is_host(room.host)
    assert heir.get_cookie("host") is not None
    heir.post("/up", headers=HOME)
    assert seat_of(heir) == "room-host"


def test_with_a_pin_only_who_knows_it_is_the_host_after_a_start(room: Room, tmp_path: Path) -> None:
    with_pin(room)
    first = room.host.get_cookie("host")
    room.seating.close()
    again = room_in(tmp_path)
    again.seating.host.start(game_goes_on=False)
    phone = again.phone(OTHER)
    assert not is_host(phone)
    assert "Whoever has the table&#39;s PIN is the host." in phone.get("/host").get_data(as_text=True)
    assert try_pin(phone, "yuzu-1971") == 403
    assert try_pin(phone, PIN) == 303
    assert is_host(phone)
    old = again.phone(HOSTS)
    assert first is not None
    old.set_cookie("host", first.value)
    assert not is_host(old), "there is one host"
    assert phone.post("/host", headers=HOME).status_code == 403, "nobody follows a host where there is a PIN"


def test_a_pin_is_kept_as_scrypt_with_a_salt(room: Room, tmp_path: Path) -> None:
    with_pin(room)
    room.host.post("/host/pin", data={"pin": PIN}, headers=HOME)
    room.seating.close()
    kept = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert PIN.encode() not in kept
    assert kept.count(b"scrypt:16384:8:1$") >= 1


@pytest.mark.parametrize(("pin", "status"), [("123", 400), ("x" * 65, 400), ("1234", 303), ("", 303)])
def test_a_pin_has_a_length_and_may_be_skipped(room: Room, pin: str, status: int) -> None:
    host(room.host)
    assert room.host.post("/host/pin", data={"pin": pin}, headers=HOME).status_code == status
    assert room.seating.host.pin.is_set is (pin == "1234")
    assert ("Not now" in room.host.get("/host").get_data(as_text=True)) is (status == 400)


def test_a_pin_tried_a_thousand_times_is_looked_at_a_few_times(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = []
    with_pin(room)
    monkeypatch.setattr("web.sitting.pin.check_password_hash", lambda _, pin: looked_at.append(pin) or pin == PIN)
    told = [try_pin(room.phone(OTHER), str(n)) for n in range(300)]
    assert (told[:5], set(told[5:])) == ([403] * 5, {429})
    assert try_pin(room.phone(OTHER), PIN) == 429, "the right one, too, has to wait"
    assert "Wait 30 seconds" in room.phone(OTHER).post("/host", data={"pin": "1"}, headers=HOME).get_data(as_text=True)
    assert len(looked_at) == 5
    for n in range(700):
        room.clock.s += 1.0
        try_pin(room.phone(OTHER), str(n))
    assert len(looked_at) <= 10, "each wait is longer than the one before"
    assert is_host(room.host), "a phone that is the host is not locked out"
    room.clock.s += 3600
    assert try_pin(room.phone(OTHER), PIN) == 303


def test_many_addresses_do_not_help_and_do_not_lock_out_for_long(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = []
    with_pin(room)
    monkeypatch.setattr("web.sitting.pin.check_password_hash", lambda _, pin: looked_at.append(pin) or pin == PIN)
    for n in range(200):
        try_pin(room.phone(f"10.1.{n // 200}.{n % 200}"), "wrong")
    assert len(looked_at) == 20
    room.clock.s -= 10_000
    assert try_pin(room.phone(OWNER), PIN) == 429
    room.clock.s += 10_000 + 300
    assert try_pin(room.phone(OWNER), PIN) == 303


def test_without_a_pin_only_a_host_that_has_gone_is_followed(room: Room) -> None:
    host(room.host)
    phone = room.phone(OTHER)
    assert phone.post("/host", headers=HOME).status_code == 403
    room.clock.s += GONE_S + 1
    assert "has not been here for a while" in phone.get("/host").get_data(as_text=True)
    assert phone.post("/host", headers=HOME).status_code == 303
    assert (is_host(phone), is_host(room.host)) == (True, False)


def test_of_many_phones_that_come_at_once_one_is_the_host(room: Room) -> None:
    keeper = Host(SeatStore(), room.clock)
    with ThreadPoolExecutor(8) as phones:
        tokens = [each for each in phones.map(keeper.be_first, map(str, range(50))) if each is not None]
    assert len(tokens) == 1
    assert keeper.is_host(tokens[0], OWNER)
    assert not keeper.is_host(tokens[0][:-1], OTHER)


@pytest.mark.parametrize(("goes_on", "stays"), [(True, True), (False, False)])
def test_without_a_pin_the_host_of_a_game_that_goes_on_stays_it(room: Room, tmp_path: Path, goes_on: bool, stays: bool,
                                                                 ) -> None:
    host(room.host)
    room.seating.close()
    again = Seating(tmp_path, room.clock)
    again.host.start(goes_on)
    assert again.host.is_vacant is not stays


def test_who_is_not_the_host_waits_on_the_page_of_a_new_game(room: Room) -> None:
    room.desk.show(NO_GAME)
    assert "<form id=\"start\"" in host(room.host).get("/start").get_data(as_text=True)
    page = room.phone(OTHER).get("/start").get_data(as_text=True)
    assert "The host begins games." in page
    assert "<form id=\"start\"" not in page
