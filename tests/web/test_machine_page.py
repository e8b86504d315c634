"""The page of the machine: for the host, and never from where a version comes."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from flask import Flask

from companion.errors import Phrase, phrase
from hardware.doctor import Finding
from tests.web import web_tables
from tests.web.phones import host, phone_at
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import FakeDesk


@dataclass
class FakeMachine:
    can_update: bool = True
    wishes: list[bool] = field(default_factory=list)

    def findings(self) -> list[Finding]:
        return [Finding(True, phrase("doctor.service")), Finding(False, phrase("doctor.power_low"))]

    def report(self) -> bytes:
        return b"PK"

    def told(self) -> Phrase | None:
        return phrase("box.updated", given="9.9")

    def wish(self, back: bool) -> None:
        self.wishes.append(back)


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


@pytest.fixture
def app(desk: FakeDesk, machine: FakeMachine) -> Flask:
    return create_app(desk=desk, words=web_tables.words(), games={}, machine=machine)


def test_the_host_sees_what_is_not_well_and_asks_for_another_version(app: Flask, machine: FakeMachine) -> None:
    phone = host(app.test_client())
    page = phone.get("/machine").text
    assert "The power supply is too weak right now" in page
    assert "✓ The service runs and answers." in page
    assert "Version 9.9 is in use." in page
    for wish in ("update", "back"):
        phone.post("/machine", json={"wish": wish, "from": "http://evil.example"}, headers=HOME)
    assert machine.wishes == [False, True]
    assert phone.get("/machine.zip").data == b"PK"


def test_nobody_else_does(app: Flask, machine: FakeMachine) -> None:
    host(app.test_client())
    stranger = phone_at(app, "10.0.0.9")
    assert stranger.get("/machine").status_code == 403
    assert stranger.get("/machine.zip").status_code == 403
    assert stranger.post("/machine", json={"wish": "back"}, headers=HOME).status_code == 403
    assert machine.wishes == []


def test_where_nothing_is_installed_no_version_is_offered(app: Flask, machine: FakeMachine) -> None:
    machine.can_update = False
    assert "Look for a newer version" not in host(app.test_client()).get("/machine").text


@pytest.mark.parametrize("pins", [True, False])
def test_monitors_hear_of_each_part_apart(desk: FakeDesk, pins: bool) -> None:
    app = create_app(desk=desk, words=web_tables.words(), games={}, pins_answer=lambda: pins)
    told = app.test_client().get("/health").json
    assert (told["ok"], told["pins"], told["journal"]) == (pins, pins, True)
    assert told["eyes"] == desk.snapshot().eyes.state
