"""Past games on a phone: nothing is too small, too wide or a barrier, and all works with the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser.test_pages_on_phones import AXE, BARRIERS, OVER, SMALL, THIN
from tests.web import web_tables
from tests.web.chromium import Phone
from tests.web.test_past_pages import FakePast
from web.app import create_app
from web.fakes import FakeDesk
from web.server import Server


@pytest.fixture
def evening() -> Iterator[Server]:
    server = Server(create_app(desk=FakeDesk(), words=web_tables.words(), games={}, past=FakePast()), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", ["/games", "/games/1"])
def test_pages_of_past_games_fit_a_phone_and_have_no_barrier(
    phone: Phone, evening: Server, path: str, dark: bool
) -> None:
    phone.resize(dark=dark)
    phone.open(f"http://127.0.0.1:{evening.port}{path}")
    phone.ask("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert phone.ask("return document.documentElement.scrollWidth") == 390
    for wrong in (OVER, SMALL, THIN):
        assert phone.ask(wrong) == []
    assert phone.complaints() == []
    phone.ask(AXE.read_text("utf-8"))
    assert phone.driver.execute_async_script(BARRIERS) == []


def test_a_score_opens_by_the_keyboard(phone: Phone, evening: Server) -> None:
    phone.open(f"http://127.0.0.1:{evening.port}/games/1")
    summary = phone.driver.find_element("css selector", "ul.standing summary")
    summary.send_keys(Keys.ENTER)
    assert phone.ask("return document.querySelector('ul.standing details').open") is True


def test_a_picture_to_send_is_a_png(phone: Phone, evening: Server) -> None:
    phone.open(f"http://127.0.0.1:{evening.port}/games/1")
    phone.ask("URL.createObjectURL = (file) => { window.saved = file; return 'about:blank'; };"
              "HTMLAnchorElement.prototype.click = () => {};")  # a test keeps no files
    phone.ask("document.querySelector('a[data-picture]').dispatchEvent(new MouseEvent('click', {bubbles: true,"
              " cancelable: true}))")
    phone.until(lambda: phone.ask("return !!window.saved"), "the picture")
    name, magic, wide = phone.driver.execute_async_script(
        "const done = arguments[0]; saved.slice(1, 4).text().then(async (magic) =>"
        " done([saved.name, magic, (await createImageBitmap(saved)).width]))")
    assert (name, magic, wide) == ("game-1.png", "PNG", 1080)
