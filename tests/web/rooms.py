"""A table with its seats: the first phone is the host's, others come from addresses of their own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from companion.engine import Observer
from companion.session.clock import FakeClock
from tests.web import web_tables
from tests.web.phones import phone_at
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import FakeDesk, FakePhone
from web.house import house_of
from web.limits import Limits, Rate
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


def room_in(folder: Path | None, desk: FakeDesk | None = None, limits: Limits = PATIENT, **ports: Any) -> Room:
    desk, clock = desk or FakeDesk(web_tables.table()), FakeClock()
    seating = Seating(folder, clock)
    games = {web_tables.GAME.id: web_tables.GAME}
    app = create_app(desk=desk, words=web_tables.words(), games=games, seating=seating, limits=limits, **ports)
    return Room(app, desk, seating, clock, phone_at(app, HOSTS))


def seat_of(phone: FlaskClient) -> str:
    """What a page takes this phone for."""
    return phone.get("/").get_data(as_text=True).split('data-you="')[1].split('"')[0]


def ask_for(phone: FlaskClient, seat: int) -> None:
    answer = phone.post("/sit", data={"seat": str(seat)}, headers=HOME)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sit")
    assert phone.get("/sit").headers["Refresh"] == "2"


def say(phone: FlaskClient, answer: str, ask: int = 1) -> int:
    return phone.post("/asks", data={"ask": str(ask), "say": answer}, headers=HOME).status_code
