from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from companion.errors import phrase
from companion.session.snapshot import HandShown
from tests.web import web_tables
from tests.web.phones import sit
from tests.web.web_fixtures import HOME
from web.fakes import FakeDesk

NOTICE = phrase("journal.game_damaged", game=7)
SAID = "Game 7 of the journal is damaged."
PAGES = ("/", "/start", "/eyes", "/panel", "/correct", "/nowhere")


@pytest.mark.parametrize("path", PAGES)
def test_what_happened_to_the_journal_stands_on_every_page(client: FlaskClient, desk: FakeDesk, path: str) -> None:
    assert SAID not in client.get(path, headers={"Accept": "text/html"}).get_data(as_text=True)
    desk.show(replace(web_tables.table(), notices=(NOTICE,)))
    page = client.get(path, headers={"Accept": "text/html"}).get_data(as_text=True)
    assert page.count(SAID) == 1
    assert "I have read it" in page


def test_it_stands_on_the_page_of_a_hand_and_of_a_refusal(client: FlaskClient, desk: FakeDesk) -> None:
    desk.show(replace(web_tables.table(), notices=(NOTICE,)))
    desk.hands[0] = HandShown((), ())
    sit(client, 0)
    assert SAID in client.get("/hand", headers={"Accept": "text/html"}).get_data(as_text=True)
    assert SAID in client.post("/notices", headers={"Accept": "text/html"}).get_data(as_text=True)  # a foreign page


@pytest.mark.parametrize(("back", "goes"), [("/eyes", "/eyes"), ("/", "/"), ("", "/"), ("//elsewhere.example", "/")])
def test_it_stands_until_a_person_has_read_it(client: FlaskClient, desk: FakeDesk, back: str, goes: str) -> None:
    desk.show(replace(web_tables.table(), notices=(NOTICE,)))
    assert SAID in client.get("/").get_data(as_text=True)
    answer = client.post("/notices", data={"back": back}, headers=HOME)
    assert (answer.status_code, answer.headers["Location"]) == (303, goes)
    assert SAID not in client.get("/").get_data(as_text=True)
