"""Sitting down, being asked for one's seat and losing it, on a phone of 390 × 844. The browser is one phone; others are
clients without one."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.browser.test_pages_on_phones import AXE, BARRIERS, OVER, SMALL, THIN
from tests.web import web_tables
from tests.web.chromium import Phone
from tests.web.phones import host, phone_at, sit
from tests.web.rooms import ask_for
from web.fakes import FakeDesk
from web.house import house_of
from web.server import Server

pytestmark = pytest.mark.browser

OTHER = "10.0.0.2"


def you(phone: Phone) -> str:
    return str(phone.ask("return document.body.dataset.you"))


def fits(phone: Phone) -> None:
    assert phone.ask("return document.documentElement.scrollWidth") == 390
    assert [phone.ask(wrong) for wrong in (OVER, SMALL, THIN)] == [[], [], []]
    phone.ask(AXE.read_text("utf-8"))
    assert phone.driver.execute_async_script(BARRIERS) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_of_a_phone_that_watches_fit_and_have_no_barrier(
    phone: Phone, app: Flask, served: Server, desk: FakeDesk, dark: bool
) -> None:
    host(phone_at(app, OTHER))
    sit(phone_at(app, "10.0.0.3"), 0)
    desk.show(web_tables.table(web_tables.placing(6), 6))
    phone.resize(dark=dark)
    for path in ("/", "/start", "/host"):
        phone.open(f"http://127.0.0.1:{served.port}{path}")
        assert you(phone) == "room"
        fits(phone)
    phone.tap("form[action='/sit'] button")
    phone.until(lambda: "asked to let you in" in phone.text(), "what it waits for")
    assert phone.ask("return document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_of_the_host_fit_and_have_no_barrier(
    phone: Phone, app: Flask, served: Server, desk: FakeDesk, dark: bool
) -> None:
    phone.resize(dark=dark)
    home = f"http://127.0.0.1:{served.port}"
    phone.open(f"{home}/")
    sit(phone_at(app, OTHER), 0)
    ask_for(phone_at(app, "10.0.0.3"), 0)
    for path in ("/", "/host", "/start"):
        phone.open(home + path)
        assert you(phone) == "room-host"
        fits(phone)
    phone.open(f"{home}/host")
    phone.ask("for (const each of document.querySelectorAll('details')) each.open = true")
    fits(phone)


def test_one_touch_sits_down_and_another_phone_is_let_in_by_one_too(
    phone: Phone, app: Flask, served: Server, desk: FakeDesk
) -> None:
    host(phone_at(app, OTHER))
    phone.open(f"http://127.0.0.1:{served.port}/")
    assert phone.ask("return document.querySelector('#buttons').getClientRects().length") == 0
    phone.tap("#sit form:nth-of-type(2) button")
    phone.until(lambda: you(phone) == "1", "the seat")
    assert phone.ask("return document.querySelector('#buttons').getClientRects().length") == 1
    phone.until(lambda: phone.ask("return document.querySelector('#link').dataset.state") == "live", "the link")
    other = phone_at(app, OTHER)
    ask_for(other, 1)
    phone.until(lambda: "Another phone asks for the seat of Ben." in phone.text("#asks"), "what is asked")
    phone.tap("#asks button[value=instead]")
    phone.until(lambda: you(phone) == "room", "the seat's loss")
    assert "Sit down as" in phone.text("#sit")
    assert other.get("/sit").headers["Location"] == "/"


def test_a_page_loads_anew_by_itself_once_its_seat_is_freed(
    phone: Phone, app: Flask, served: Server, desk: FakeDesk
) -> None:
    hosts = host(phone_at(app, OTHER))
    phone.open(f"http://127.0.0.1:{served.port}/")
    phone.tap("#sit form:nth-of-type(1) button")
    phone.until(lambda: you(phone) == "0" and len(house_of(app).streams) == 1, "the seat")
    hosts.post("/host/free", data={"seat": "0"}, headers={"Origin": "http://localhost"})
    phone.until(lambda: you(phone) == "room", "the seat's loss")
