"""Backups through the whole service: taken away by the host, brought in pieces, looked at, and put in place while the
table is open on other phones."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from companion.main.service import Service
from companion.session.backup import manifest as manifest_module
from companion.session.commands import StartGame
from tests.main.test_service import running
from web.backup_pages import PIECE_BYTES

HEADER = {
    "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {"colours": ["red", "green"], "first": 0},
}


@dataclass
class Phone:
    """A phone that keeps one host's token, if it has one."""

    service: Service
    token: str = ""

    def ask(self, path: str, body: bytes | None = None, origin: str = "", kind: str = "") -> tuple[int, bytes]:
        home = f"http://127.0.0.1:{self.service.address[1]}"
        headers = {"Origin": origin or home, "Accept": "application/json", "Cookie": f"host={self.token}",
                   "Content-Type": kind or "application/octet-stream"}
        try:
            answer: HTTPResponse = urllib.request.urlopen(
                urllib.request.Request(home + path, body, headers), timeout=40)
        except HTTPError as error:
            with error:
                return error.code, error.read()
        with answer:
            for name, value in answer.headers.items():
                if name == "Set-Cookie" and value.startswith("host="):
                    self.token = value[5:].split(";")[0]
            return answer.status, answer.read()

    def post(self, path: str) -> dict[str, Any]:
        return dict(json.loads(self.ask(path, b"{}", kind="application/json")[1]))

    def bring(self, file: bytes) -> dict[str, Any]:
        for number in range(-(-len(file) // PIECE_BYTES)):
            piece = file[number * PIECE_BYTES:][:PIECE_BYTES]
            status, told = self.ask(f"/backup/piece?piece={number}", piece)
            assert (status, json.loads(told)) == (200, {"ok": True, "bytes": number * PIECE_BYTES + len(piece)})
        return self.post("/backup/look")

    def page(self) -> str:
        return self.ask("/backup")[1].decode()


@pytest.fixture(autouse=True)
def mock_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Phone]:
    """The host of a table at which two games were begun."""
    with running(tmp_path) as service:
        phone = Phone(service)
        phone.ask("/host")
        for _ in range(2):
            start(service)
        yield phone


def start(service: Service) -> None:
    service.writer.send(StartGame(service.writer.snapshot().seq, "host", HEADER))


def test_a_table_goes_back_to_its_backup_while_it_is_open(host: Phone, tmp_path: Path) -> None:
    service, before = host.service, host.service.writer.snapshot()
    status, file = host.ask("/backup.zip")
    assert status == 200
    assert not list(tmp_path.glob("backup.*")), "nothing of it stays on the disk"
    start(service)
    start(service)
    host.ask("/games")  # what is known of the games that go is known no more
    assert host.bring(file)["ok"]
    page = host.page()
    assert "2 games" in page
    assert "Put aside: 4 games" in page
    assert service.writer.snapshot().match == 4, "nothing has changed yet"
    told = host.post("/backup/restore")
    assert told["ok"]
    assert str(tmp_path / "before-restore-") in told["told"][0]
    after = service.writer.snapshot()
    assert (after.key, after.match, after.plies) == (before.key, 2, before.plies)
    assert "3 games" not in host.ask("/games")[1].decode()
    assert host.ask("/games/3")[0] == 400
    start(service)
    assert service.writer.snapshot().match == 3
    assert "Save a backup" in host.page(), "it is offered no more"


def test_a_backup_that_is_dropped_changes_nothing(host: Phone, tmp_path: Path) -> None:
    host.bring(host.ask("/backup.zip")[1])
    assert host.post("/backup/drop")["ok"]
    assert not list(tmp_path.glob("restore.*"))
    refused = host.post("/backup/restore")
    assert refused["ok"] is False
    assert "choose a file" in refused["error"]


@pytest.mark.parametrize("spoil", ["rubbish", "cut", "nothing", "newer"])
def test_what_is_no_good_backup_is_told_and_gone(
        host: Phone, tmp_path: Path, spoil: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        if spoil == "newer":
            later.setattr(manifest_module, "BACKUP_VERSION", 2)
        file = host.ask("/backup.zip")[1]
    bad = {"rubbish": b"PK" * 40000, "cut": file[:-50], "nothing": b"", "newer": file}[spoil]
    told = host.bring(bad)
    assert told["ok"] is False
    assert "changed" in told["error"] or "cannot be read" in told["error"]
    assert not list(tmp_path.glob("restore.*"))
    assert host.service.writer.snapshot().match == 2


def test_pieces_that_do_not_follow_are_told_how_far_it_is(host: Phone) -> None:
    assert host.ask("/backup/piece?piece=0", b"x" * PIECE_BYTES)[0] == 200
    status, told = host.ask("/backup/piece?piece=2", b"y")
    assert (status, json.loads(told)["bytes"]) == (409, PIECE_BYTES)
    assert host.ask("/backup/piece?piece=-1", b"y")[0] == 400
    assert host.ask("/backup/piece", b"y")[0] == 400
    assert host.ask("/backup/piece?piece=1", b"y" * 70_000)[0] == 413


def test_more_than_fits_is_refused_while_it_comes(host: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.main.backups.MAX_ZIP_BYTES", 60_000)
    assert host.ask("/backup/piece?piece=0", b"x" * PIECE_BYTES)[0] == 200
    status, told = host.ask("/backup/piece?piece=1", b"x" * PIECE_BYTES)
    assert status == 400
    assert b"larger than" in told


@pytest.mark.parametrize("path", ["/backup/piece?piece=0", "/backup/look", "/backup/drop", "/backup/restore"])
def test_only_the_host_may(host: Phone, path: str) -> None:
    host.bring(host.ask("/backup.zip")[1])
    stranger = Phone(host.service)
    assert stranger.ask(path, b"{}")[0] == 403
    assert stranger.ask("/backup.zip")[0] == 403
    page = stranger.page()
    assert "Only the host" in page
    assert "Restore this backup?" not in page
    assert host.ask(path, b"{}", origin="http://elsewhere.example")[0] == 400
    assert "Restore this backup?" in host.page(), "nothing has changed"
