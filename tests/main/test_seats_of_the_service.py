"""Seats through the whole service: the button at the table lets a phone in, and a restart leaves everybody seated."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from companion.main.service import Service
from tests.main.test_service import running

HEADER = {
    "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {"colours": ["red", "green"], "first": 0},
}


class Phone:
    """A browser without a screen: it keeps its cookies."""

    def __init__(self) -> None:
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(self, service: Service, path: str, body: bytes | None = None, kind: str = "") -> str:
        home = f"http://127.0.0.1:{service.address[1]}"
        headers = {"Origin": home, **({"Content-Type": kind} if kind else {})}
        try:
            with self._opener.open(urllib.request.Request(home + path, body, headers), timeout=20) as answer:
                return str(answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return error.read().decode()

    def post(self, service: Service, path: str, **form: object) -> str:
        return self.ask(service, path, urllib.parse.urlencode(form).encode())

    def do(self, service: Service, **command: object) -> bool:
        seq = service.writer.snapshot().seq
        told = self.ask(service, "/do", json.dumps({"seq": seq, **command}).encode(), "application/json")
        return bool(json.loads(told)["ok"])

    def you(self, service: Service) -> str:
        found = re.search('data-you="([^"]*)"', self.ask(service, "/host"))
        assert found is not None
        return found[1]


@pytest.fixture(autouse=True)
def mock_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")


def test_the_button_of_a_seat_lets_a_phone_in_and_a_restart_leaves_it_there(tmp_path: Path) -> None:
    host, owner, other = Phone(), Phone(), Phone()
    with running(tmp_path) as service:
        assert host.do(service, type="start_game", header=HEADER)
        owner.post(service, "/sit", seat=0)
        assert "asked to let you in" in other.post(service, "/sit", seat=0)
        host.post(service, "/panel", button="seat:0", long=0)
        assert "asked to let you in" in other.ask(service, "/sit"), "a short press is the game's"
        host.post(service, "/panel", button="seat:0", long=1)
        other.ask(service, "/sit")
        assert [each.you(service) for each in (host, owner, other)] == ["room-host", "room", "0"]
        assert service.writer.snapshot().plies == 0
        assert not other.do(service, type="end_game")
    with running(tmp_path) as service:
        assert [Phone().you(service), host.you(service), other.you(service)] == ["room", "room-host", "0"]
        assert host.do(service, type="end_game")
        assert host.do(service, type="reopen")
        assert other.you(service) == "0", "it is the same game"
        assert host.do(service, type="start_game", header=HEADER)
        assert other.you(service) == "room"
        assert host.do(service, type="end_game")
    with running(tmp_path) as service:
        assert [Phone().you(service), host.you(service)] == ["room-host", "room"], "no game goes on: the first is it"
