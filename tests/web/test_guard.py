"""Who may ask, by what a browser says of itself, and what stands on every answer."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web import web_tables
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import FakeDesk
from web.guard import HEADERS, at_home


@pytest.mark.parametrize(("host", "home"), [
    ("192.168.1.7", True), ("192.168.1.7:80", True), ("[fe80::1]", True), ("[::1]:8080", True), ("pi", True),
    ("pi:8080", True), ("pi.", True), ("table.local.", True), ("table.lan", True), ("a.b.home.arpa", True),
    ("x.internal", True), ("pi.fritz.box", True), ("x.localhost", True), ("x.home", True), ("x.known", True),
    ("known", True), ("y.known", False), ("x.known.example", False), ("[", False), ("pi:http", False), ("", False),
    (":80", False), (".", False), ("table.local.example", False), ("1.2.3", False),
])
def test_a_host_is_an_address_a_bare_name_a_home_ending_or_known(host: str, home: bool) -> None:
    assert at_home(host, {"x.known"}) is home


def test_a_name_that_the_house_was_told_of_is_answered(desk: FakeDesk) -> None:
    app = create_app(desk=desk, words=web_tables.words(), games={}, hosts=("table.example",))
    assert app.test_client().get("/health", headers={"Host": "table.example:8080"}).status_code == 200


def test_a_name_of_others_is_refused_with_that_name_cut(client: FlaskClient) -> None:
    told = client.get("/health", headers={"Host": "x" * 100 + ".example", "Accept": "application/json"})
    assert told.status_code == 400
    assert told.get_json() == {"ok": False, "error": f"The pages are not called {'x' * 80}. "
                               "Use the address that the companion prints at its start."}


def test_every_answer_has_the_headers_and_is_asked_for_again(client: FlaskClient) -> None:
    answer = client.get("/health")
    assert {key: answer.headers[key] for key in HEADERS} == HEADERS
    assert answer.headers["Cache-Control"] == "no-cache"


def test_a_view_may_have_headers_of_its_own(app: Flask) -> None:
    app.add_url_rule("/own", view_func=lambda: ("", {"X-Frame-Options": "SAMEORIGIN", "Cache-Control": "no-store"}))
    answer = app.test_client().get("/own")
    assert (answer.headers["X-Frame-Options"], answer.headers["Cache-Control"]) == ("SAMEORIGIN", "no-store")


@pytest.mark.parametrize(("method", "headers", "status"), [
    ("GET", {}, 404), ("HEAD", {}, 404), ("OPTIONS", {}, 404), ("POST", {}, 400), ("PUT", {}, 400), ("DELETE", {}, 400),
    ("POST", HOME, 404), ("PUT", HOME, 404), ("POST", {"Origin": "http://["}, 400), ("POST", {"Origin": ""}, 400),
    ("POST", {"Origin": "http://localhost:80"}, 400),
])
def test_what_changes_something_must_come_from_a_page_of_ours(
    client: FlaskClient, method: str, headers: dict[str, str], status: int
) -> None:
    assert client.open("/nowhere", method=method, headers=headers).status_code == status
