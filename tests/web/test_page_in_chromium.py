"""The quick page tests; more of them in tests/browser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.session.commands import Answer
from companion.session.snapshot import EyesShown
from tests.web import web_tables
from tests.web.chromium import Phone
from web.fakes import FakeDesk
from web.server import Server

pytestmark = pytest.mark.wide


def test_a_phone_shows_the_table_whole_and_hears_of_changes(phone: Phone, served: Server, desk: FakeDesk) -> None:
    phone.open(f"http://127.0.0.1:{served.port}/")
    phone.until(lambda: "Ben" in phone.text(".seat.lit"), "whose turn it is")
    phone.until(lambda: phone.ask("return document.querySelector('#link').dataset.state") == "live", "the link")
    desk.show(replace(web_tables.table(web_tables.PLAYED[:-1]), eyes=EyesShown("hand")))
    phone.until(lambda: "Ana" in phone.text(".seat.lit"), "whose turn it is now")
    assert "A hand is over the table." in phone.text("#board")
    assert phone.ask("return document.title").startswith("Ana to play")
    assert phone.ask("return document.documentElement.scrollWidth") == 390
    assert phone.complaints() == []


def test_a_question_comes_as_a_sheet_and_one_tap_answers_it(phone: Phone, served: Server, desk: FakeDesk) -> None:
    phone.open(f"http://127.0.0.1:{served.port}/")
    choices = [{"type": "place", "drink": "red/short_can", "to": cell} for cell in ("a4", "a5")]
    desk.show(web_tables.asked(web_tables.table(), choices, 1))
    phone.until(lambda: "What was played?" in phone.text("#sheet"), "the question")
    assert phone.ask("return document.querySelectorAll('.sheet .choice svg').length") == 2
    phone.tap(".sheet form:nth-of-type(2) .choice")
    phone.until(lambda: desk.sent, "the answer")
    assert desk.sent == [Answer(8, "host", 3, 1)]
    desk.show(web_tables.table(seq=9))
    phone.until(lambda: not phone.text("#sheet"), "the end of the question")
    assert phone.complaints() == []
