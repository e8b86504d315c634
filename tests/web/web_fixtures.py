from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web import web_tables
from tests.web.chromium import Phone, open_chromium
from web.app import create_app
from web.fakes import FakeDesk, FakePanel
from web.limits import Limits
from web.server import Server

LIMITS = Limits(streams=2)
HOME = {"Origin": "http://localhost"}
"""What a browser says of a POST from a page of ours."""


@pytest.fixture
def desk() -> FakeDesk:
    return FakeDesk(web_tables.table(), web_tables.offers())


@pytest.fixture
def panel() -> FakePanel:
    return FakePanel()


@pytest.fixture
def app(desk: FakeDesk, panel: FakePanel) -> Flask:
    games = {web_tables.GAME.id: web_tables.GAME}
    return create_app(desk=desk, words=web_tables.words(), games=games, panel=panel, limits=LIMITS, beat_s=0.05)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def served(app: Flask, desk: FakeDesk) -> Iterator[Server]:
    server = Server(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Phone]:
    phone = Phone(open_chromium())
    yield phone
    phone.driver.quit()


@pytest.fixture
def phone(chromium: Phone) -> Phone:
    chromium.resize()
    return chromium
