"""What the eyes saw, on a phone: the pictures fit and are no barrier."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.test_pages_on_phones import AXE, BARRIERS, OVER, SMALL, THIN
from tests.web import web_tables
from tests.web.chromium import Phone
from tests.web.test_saw_pages import FakeEvidence
from web.app import create_app
from web.fakes import FakeDesk
from web.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def saw() -> Iterator[Server]:
    desk = FakeDesk(web_tables.table(), web_tables.offers())
    server = Server(
        create_app(desk=desk, words=web_tables.words(), games={}, evidence=FakeEvidence()), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_pictures_fit_a_phone_and_are_no_barrier(phone: Phone, saw: Server, dark: bool) -> None:
    phone.resize(dark=dark)
    phone.open(f"http://127.0.0.1:{saw.port}/saw/{web_tables.table().match}")
    assert "Move 3" in phone.text()
    assert phone.ask("return document.documentElement.scrollWidth") == 390
    for wrong in (OVER, SMALL, THIN):
        assert phone.ask(wrong) == []
    phone.ask(AXE.read_text("utf-8"))
    assert phone.driver.execute_async_script(BARRIERS) == []
