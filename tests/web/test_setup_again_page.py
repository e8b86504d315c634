"""The page that puts a set-up right, over HTTP with a real session."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from companion.session.writer import Writer
from tests.web.test_two_phones import phones, say, writer

__all__ = ["phones", "writer"]
Phones = tuple[FlaskClient, FlaskClient]


def page(phone: FlaskClient, path: object = None, value: object = None) -> str:
    query = {} if path is None else {"path": json.dumps(path), "value": json.dumps(value)}
    answer = phone.get(f"/setup-again?{urlencode(query)}")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_a_part_is_touched_then_what_it_is_and_that_is_put_right(writer: Writer, phones: Phones) -> None:
    ann, _ = phones
    assert urlencode({"path": '["colours", 0]', "value": '"blue"'}).replace("&", "&amp;") in page(ann)
    asked = page(ann, ["colours", 0], "blue")
    assert "All moves stay." in asked
    status, _ = say(ann, writer.snapshot().seq, "correct_setup", path=["colours", 0], value="blue")
    assert status == 200
    seen = writer.snapshot().seen
    assert seen is not None
    assert seen.placement["grid:c4"] == ("blue/tall_can",)


def test_the_page_says_which_moves_go(phones: Phones) -> None:
    asked = page(phones[0], ["first"], 1)
    assert "The last moves cannot have been so, and go: 2, from" in asked
    assert "&#34;drop&#34;: 2" in asked or '"drop": 2' in asked


@pytest.mark.parametrize("query", [
    "path=[&value=1", "path=null", "path=[[1]]&value=2", "path={}&value=1", "path=[%22colours%22]&value=%22red%22",
    "path=%22%22&value=" + "9" * 5000, "path=[%22colours%22,0]&value=%22mauve%22", "path=[null]&value=1",
])
def test_an_address_that_makes_no_sense_changes_nothing(writer: Writer, phones: Phones, query: str) -> None:
    seq = writer.snapshot().seq
    assert phones[0].get(f"/setup-again?{query}").status_code == 200
    assert writer.snapshot().seq == seq


def test_who_looks_on_puts_nothing_right(writer: Writer, phones: Phones) -> None:
    stranger = phones[0].application.test_client()
    assert stranger.get("/setup-again").status_code == 403
    assert say(stranger, writer.snapshot().seq, "correct_setup", path=["first"], value=1, drop=2)[0] == 403
