from __future__ import annotations

import json

import pytest
from flask.testing import FlaskClient

from companion.session.commands import Answer, Consent, Done, Undo
from tests.web.phones import sit
from tests.web.web_fixtures import HOME
from web.fakes import FakeDesk
from web.guard import at_home


def test_a_tap_is_handed_to_the_session_with_the_number_it_saw(client: FlaskClient, desk: FakeDesk) -> None:
    assert client.post("/do", json={"type": "done", "seq": 7}, headers=HOME).get_json() == {"ok": True, "seq": 8}
    client.post("/do", json={"type": "answer", "seq": 7, "question": 3, "choice": None}, headers=HOME)
    client.post("/do", json={"type": "consent", "seq": 7, "given": True}, headers=HOME)
    assert desk.sent == [Done(7, "host"), Answer(7, "host", 3, None), Consent(7, "host", True)]


def test_a_phone_that_sits_speaks_for_its_seat_alone(client: FlaskClient, desk: FakeDesk) -> None:
    sit(client, 1)
    client.post("/do", json={"type": "undo", "seq": 7}, headers=HOME)
    client.post("/up", headers=HOME)
    client.post("/do", json={"type": "undo", "seq": 7}, headers=HOME)
    assert desk.sent == [Undo(7, 1), Undo(7, "host")]


@pytest.mark.parametrize("lie", [0, "host", "table", 7, None, "²", [1]])
def test_a_lie_about_who_asks_has_no_effect(client: FlaskClient, desk: FakeDesk, lie: object) -> None:
    sit(client, 1)
    client.post("/do", json={"type": "undo", "seq": 7, "by": lie, "via": "button"}, headers=HOME)
    assert desk.sent == [Undo(7, 1)]


def test_a_stale_tap_is_refused_in_words_and_changes_nothing(client: FlaskClient, desk: FakeDesk) -> None:
    answer = client.post("/do", json={"type": "done", "seq": 6}, headers=HOME)
    assert answer.status_code == 409
    assert answer.get_json() == {
        "ok": False, "seq": 7, "error": "The table has changed meanwhile: look again, then say it again."}
    assert desk.sent == []


def test_without_scripts_a_form_does_the_same_and_says_what_was_refused(client: FlaskClient, desk: FakeDesk) -> None:
    told = client.post("/do", data={"command": json.dumps({"type": "done", "seq": 7})}, headers=HOME)
    assert told.status_code == 303
    assert desk.sent == [Done(7, "host")]
    client.post("/do", data={"command": json.dumps({"type": "done", "seq": 1})}, headers=HOME)
    assert "The table has changed meanwhile" in client.get("/").get_data(as_text=True)


@pytest.mark.parametrize("body", [
    "", "[]", "{", "null", '{"type": "done"}', '{"type": "fly", "seq": 7}', '{"type": "done", "seq": "7"}',
    '{"type": "done", "seq": true}', '{"type": "done", "seq": NaN}', '{"type": "done", "seq": 7, "extra": 1}',
    '{"type": "sighted", "number": 1, "state": "free"}', "[" * 9000, '{"a":' * 5000,
    '{"type": "correct", "seq": 7, "take_back": 1, "plies": ' + "[" * 100 + "]" * 100 + "}",
])
def test_nonsense_is_answered_with_one_sentence(client: FlaskClient, desk: FakeDesk, body: str) -> None:
    answer = client.post("/do", data=body, content_type="application/json", headers=HOME)
    assert answer.status_code == 400
    assert answer.get_json()["error"].endswith(".")
    assert desk.sent == []


def test_too_long_a_body_is_refused(client: FlaskClient) -> None:
    assert client.post("/do", data="x" * 70_000, content_type="application/json", headers=HOME).status_code == 413


@pytest.mark.parametrize("headers", [
    {}, {"Origin": "http://elsewhere.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site", **HOME},
    {"Sec-Fetch-Site": "same-site", **HOME}, {"Sec-Fetch-Site": "", **HOME},
    {"Origin": "http://localhost.elsewhere.example"}, {"Origin": "http://localhost:81"},
])
def test_a_post_from_another_page_is_refused(client: FlaskClient, desk: FakeDesk, headers: dict[str, str]) -> None:
    assert client.post("/do", json={"type": "done", "seq": 7}, headers=headers).status_code == 400
    assert desk.sent == []


@pytest.mark.parametrize("headers", [
    {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, HOME,
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://elsewhere.example"},
])
def test_a_post_from_a_page_of_ours_counts(client: FlaskClient, desk: FakeDesk, headers: dict[str, str]) -> None:
    assert client.post("/do", json={"type": "done", "seq": 7}, headers=headers).status_code == 200
    assert desk.sent == [Done(7, "host")]


@pytest.mark.parametrize(("host", "home"), [
    ("192.168.1.7:8080", True), ("[fe80::1]:8080", True), ("localhost", True), ("table.local:8080", True), ("pi", True),
    ("evil.example", False), ("192.168.1.7.evil.example", False), ("", False),
])
def test_only_names_of_a_home_network_are_answered(host: str, home: bool) -> None:
    assert at_home(host) is home


def test_pages_are_not_given_to_names_of_others(client: FlaskClient) -> None:
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400


def test_scripts_and_styles_may_only_come_from_our_own_files(client: FlaskClient) -> None:
    answer = client.get("/")
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "camera=()" in answer.headers["Permissions-Policy"]
    page = answer.get_data(as_text=True)
    assert " style=" not in page
    assert "<style" not in page
    assert "onclick" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")
