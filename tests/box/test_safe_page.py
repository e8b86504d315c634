"""The page of the safe mode itself, without a process."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.box.lives import Lives
from companion.box.safe.deeds import Deeds
from companion.box.safe.pages import safe_app
from companion.box.wish import WISH_NAME
from companion.words import load

HOME = {"Origin": "http://localhost"}


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    lives = Lives(tmp_path, {})
    lives.state("failed", "In the config nobody knows the key pins.x.")
    (tmp_path / "log.txt").write_text("the last <line>\n")
    deeds = Deeds(tmp_path / "c.toml", tmp_path, lambda: None)
    return safe_app(lives=lives, deeds=deeds, folder=tmp_path, words=load()).test_client()


def test_it_says_why_and_shows_the_log(client: FlaskClient) -> None:
    page = client.get("/").text
    assert "In the config nobody knows the key pins.x." in page
    assert "the last &lt;line&gt;" in page


def test_an_ending_without_a_word_is_told_too(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "state.json").unlink()
    assert "It ended without saying why" in client.get("/").text


def test_monitors_hear_that_it_is_not_well(client: FlaskClient) -> None:
    answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json == {"ok": False, "safe": True, "why": ["In the config nobody knows the key pins.x."]}


@pytest.mark.parametrize("wish", ["update", "back"])
def test_a_wish_says_only_what_is_wanted(client: FlaskClient, tmp_path: Path, wish: str) -> None:
    assert client.post(f"/safe/{wish}", data={"from": "http://evil.example"}, headers=HOME).status_code == 200
    assert (tmp_path / WISH_NAME).read_text() == wish


def test_what_cannot_be_done_says_why(client: FlaskClient) -> None:
    answer = client.post("/safe/config", headers=HOME)
    assert answer.status_code == 400
    assert "There is no other config" in answer.text
    assert client.post("/safe/bring", headers=HOME).status_code == 400


def test_a_backup_that_is_none_is_refused_and_nothing_is_left(client: FlaskClient, tmp_path: Path) -> None:
    answer = client.post("/safe/bring", data={"file": (tmp_path / "log.txt").open("rb")}, headers=HOME)
    assert answer.status_code == 400
    assert sorted(each.name for each in tmp_path.iterdir()) == ["log.txt", "state.json"]


def test_too_large_a_form_is_refused(client: FlaskClient) -> None:
    assert client.post("/safe/again", data={"pin": "x" * 100_000}, headers=HOME).status_code == 413
