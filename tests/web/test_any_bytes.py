"""Whatever is sent to the pages: they never answer 500, and the writer goes on."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from companion.errors import InvalidError, phrase
from companion.games import registry
from companion.interpret import Interpreter
from companion.main.service import words
from companion.session.commands import StartGame
from companion.session.library import GameLibrary
from companion.session.port import Accepted
from companion.session.writer import Writer
from tests.session.running_writer import running_writer
from tests.web.own_tables import FakeOwnTable
from tests.web.phones import host
from tests.web.web_fixtures import HOME
from web.app import create_app
from web.fakes import FakePanel

pytestmark = pytest.mark.wide

HEADER = {
    "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {"colours": ["red", "green"], "first": 0},
}
TYPES = ("start_game", "lay_out", "tell_setup", "begin", "done", "answer", "undo", "consent", "correct", "amend",
         "confide", "resync", "pause", "end_game", "reopen")
FIELDS = ("seq", "by", "via", "header", "path", "value", "question", "choice", "given", "take_back", "plies", "n",
          "action", "told", "on")

FORMS = ("/start", "/sit", "/up", "/asks", "/example", "/panel", "/host", "/host/hand-on", "/host/free", "/notices",
         "/do", "/setup/source", "/setup/light", "/setup/lens", "/setup/names", "/setup/wifi", "/enrol", "/enrol/go-on",
         "/enrol/picture", "/enrol/stop", "/enrol/drop")

scalars = (st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.just("\ud800")
           | st.sampled_from(["table", "camera", "kamikaze-cans", "yuzu-twist", 10**400]))
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4))
headers = st.dictionaries(st.sampled_from(["game", "players", "setup", "options", "x-note", "colours"]), anything).map(
    lambda changes: {**HEADER, **changes})
commands = st.builds(
    lambda name, fields, header: {"type": name, "seq": 0, **fields, **({"header": header} if header else {})},
    st.sampled_from(TYPES), st.dictionaries(st.sampled_from(FIELDS), anything, max_size=5), st.none() | headers)
bodies = st.binary(max_size=300) | (commands | anything).map(lambda value: json.dumps(value).encode())
texts = st.text(max_size=20) | st.sampled_from(["²", "١", "-1", "9" * 5000, "kamikaze-cans", "0", "1", "2", "go"])
forms = st.dictionaries(
    st.sampled_from(["players", "game", "name0", "colours0", "first", "go", "sent", "option.quiet_limit", "seat",
                     "button", "long", "name", "command", "ask", "say", "back", "kind", "camera", "light", "lens",
                     "degrees", "password"]), texts)


class Examples:
    """None can be played."""

    offers = ()
    chosen = ""

    def choose(self, name: str) -> None:
        raise InvalidError(phrase("house.no_example", given=name))

    def leave(self) -> None:
        """None is played."""


@dataclass
class Table:
    writer: Writer
    client: FlaskClient


@contextmanager
def table_in(folder: Path) -> Iterator[Table]:
    games = {id: registry.game(id) for id in registry.ids()}
    with running_writer(folder, GameLibrary(lookup=registry.game, interpreter=Interpreter)) as writer:
        app: Flask = create_app(desk=writer, words=words(games), games=games, panel=FakePanel(), examples=Examples(),
                                own=FakeOwnTable())
        yield Table(writer, host(app.test_client()))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with table_in(tmp_path_factory.mktemp("bytes")) as table:
        yield table


def is_alive(table: Table) -> bool:
    shown = table.writer.snapshot()
    return isinstance(table.writer.send(StartGame(shown.seq, "table", HEADER)), Accepted)


quick = settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(body=bodies, kind=st.sampled_from(["application/json", "text/plain", "multipart/form-data; boundary=x"]))
@example(body=json.dumps({"type": "start_game", "seq": 0, "header": {**HEADER, "x-n": float("nan")}}).encode(),
         kind="application/json")
@example(body=b'{"type": "lay_out", "seq": 0, "header": {"game": "kamikaze-cans", "x-n": 1e400}}',
         kind="application/json")
@example(body=rb'{"type": "start_game", "seq": 0, "header": {"game": "kamikaze-cans", "x-n": "\ud800"}}',
         kind="application/json")
def test_any_command_is_answered_and_the_writer_goes_on(table: Table, body: bytes, kind: str) -> None:
    seq = table.writer.snapshot().seq
    for sent in (body, body.replace(b'"seq": 0', f'"seq": {seq}'.encode())):
        assert table.client.post("/do", data=sent, content_type=kind, headers=HOME).status_code < 500
    assert is_alive(table)


@quick
@given(page=st.sampled_from(FORMS), form=forms, query=forms)
@example(page="/start", form={}, query={"players": "²"})
@example(page="/start", form={"option.quiet_limit": "9" * 5000}, query={})
@example(page="/sit", form={"seat": "²"}, query={})
def test_any_form_is_answered(table: Table, page: str, form: dict[str, str], query: dict[str, str]) -> None:
    assert table.client.post(page, data=form, query_string=query, headers=HOME).status_code < 500
    assert table.client.get("/", headers=HOME).status_code < 500
    assert is_alive(table)


@quick
@given(page=st.sampled_from(FORMS), body=st.binary(max_size=300),
       kind=st.sampled_from(["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "é"]))
def test_any_bytes_in_a_form_are_answered(table: Table, page: str, body: bytes, kind: str) -> None:
    assert table.client.post(page, data=body, content_type=kind, headers=HOME).status_code < 500


latin = st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=30)


@quick
@given(host=latin, origin=latin, cookie=latin)
@example(host="[", origin="http://[", cookie="seat=²")
@example(host="localhost:http", origin="http://localhost:http", cookie="")
@example(host="localhost:99999", origin="", cookie="")
@example(host="[::1]x", origin="http://]", cookie="seat=\xb2")
@example(host="a" * 300, origin="null", cookie="seat=0; seat=1")
def test_any_header_is_answered(table: Table, host: str, origin: str, cookie: str) -> None:
    headers = {"Host": host, "Origin": origin, "Cookie": cookie}
    for page in ("/", "/start", "/invite", "/eyes", "/correct", "/hand", "/panel", "/health", "/stream"):
        assert table.client.get(page, headers=headers).status_code in (200, 302, 303, 400, 403, 501)
    assert table.client.post("/do", data=b"{}", content_type="application/json", headers=headers).status_code < 500


@pytest.mark.parametrize(("changes", "told"), [
    ({"players": [{"name": "A" * 41}, {"name": "Ben"}]}, "40 characters"),
    ({"players": [{"name": "日" * 500}, {"name": "Ben"}]}, "40 characters"),
    ({"players": [{"name": "Ann"}, {"name": " "}]}, "has no name"),
    ({"x-note": "n" * 2001}, "2000 characters"),
    ({"players": [{"name": "Ann", "x-of-her": "n" * 2001}, {"name": "Ben"}]}, "2000 characters"),
    ({"options": {"quiet_limit": [1] * 4000}}, "longer than any game"),
])
def test_names_and_notes_that_cannot_be_are_refused_with_a_sentence(
    tmp_path: Path, changes: dict[str, object], told: str
) -> None:
    with table_in(tmp_path) as table:
        for type in ("start_game", "lay_out"):
            command = {"type": type, "seq": table.writer.snapshot().seq, "header": {**HEADER, **changes}}
            answer = table.client.post("/do", json=command, headers=HOME)
            assert answer.status_code == 409
            assert told in answer.get_json()["error"]


@pytest.mark.parametrize("names", [
    ("", ""), (" ", "\t"), ("Ann", "Ann"), ("日本 花子", "سارة"), ("Ζωή", "🧑‍🚀 Łukasz"), ("<b>Ann</b>", "{seat}"),
    ("e\u0301", "é"),
], ids=["empty", "blank", "equal", "scripts", "signs", "markup", "accents"])
def test_whatever_players_are_called_they_are_shown_so_and_by_their_seat_without_a_name(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    with table_in(tmp_path) as table:
        form = {"game": HEADER["game"], "players": "2", "name0": names[0], "name1": names[1], "go": "1"}
        answer = table.client.post("/start", data=form, headers=HOME)
        assert answer.status_code in (302, 303), answer.get_data(as_text=True)
        shown = [each.name for each in table.writer.snapshot().players]
        assert shown == [name.strip() or f"Player {letter}" for name, letter in zip(names, "AB", strict=True)]
        page = html.unescape(table.client.get("/").get_data(as_text=True))
        assert all(name in page for name in shown)
