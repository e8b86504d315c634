"""Other companions in the network: found, asked for what everybody sees, and listed on a page."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from flask.testing import FlaskClient

from companion.home.beside import LOOKED_S, MAX_TEXT, SERVICE, Beside, FoundTable, get_page, is_near
from companion.session.beside import TableBeside
from companion.session.config import read_config
from tests.web import web_tables
from tests.web.test_openapi import check
from web.app import create_app
from web.fakes import FakeDesk

ONE, TWO = FoundTable("Tabletop companion on one", "192.168.1.7", 8080), FoundTable("two", "fd00::7", 80)
SAID = {"game": "kamikaze-cans", "announced": "Ann's turn", "players": [
    {"name": "Ann", "score": 3}, {"name": "Ben", "score": 5}]}


def beside(found: list[FoundTable], answers: dict[str, object]) -> Beside:
    def get(address: str) -> bytes:
        said = answers[address]
        if isinstance(said, OSError):
            raise said
        return said if isinstance(said, bytes) else json.dumps(said).encode()

    return Beside(lambda: (lambda: found, lambda: None), get)


def test_each_table_is_asked_for_what_everybody_sees() -> None:
    answers = {"http://192.168.1.7:8080/table.json": SAID, "http://[fd00::7]:80/table.json": OSError("away")}
    assert beside([], answers).ask_all([TWO, ONE, ONE]) == (
        TableBeside(ONE.name, "http://192.168.1.7:8080/", "kamikaze-cans", "Ann's turn",
                    (("Ann", "3"), ("Ben", "5")), answers=True),
        TableBeside("two", "http://[fd00::7]:80/"))


@pytest.mark.parametrize("said", [
    b"", b"{", b"[1]", b"null", b"\xff", {"players": 3, "game": [1]}, {"players": [7, {"name": {}}]},
    {"announced": "x" * 10_000}, {"game": "a\nb\x00"}])
def test_whatever_another_machine_says_is_short_text_or_nothing(said: object) -> None:
    (table,) = beside([], {"http://192.168.1.7:8080/table.json": said}).ask_all([ONE])
    for text in (table.game, table.announced, *(each for pair in table.players for each in pair)):
        assert len(text) <= MAX_TEXT
        assert text.isprintable()


@pytest.mark.parametrize(("host", "near"), [("192.168.1.7", True), ("10.0.0.1", True), ("fd00::7", True),
                                            ("8.8.8.8", False), ("example.org", False), ("", False)])
def test_nobody_outside_this_home_is_asked(host: str, near: bool) -> None:
    assert is_near(host) == near
    asked = beside([], {}).ask_all([FoundTable("far", host, 80)]) if not near else ()
    assert not any(each.answers for each in asked)


def test_nothing_is_looked_for_until_a_page_asks_and_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s, browsing, waits = [100.0], list[str](), list[float]()

    def browse() -> object:
        browsing.append("begun")
        return lambda: [ONE], lambda: browsing.append("ended")

    club = Beside(browse, lambda _: json.dumps(SAID).encode(), lambda: now_s[0])  # type: ignore[arg-type]

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        now_s[0] += LOOKED_S / 2
        return False

    monkeypatch.setattr(club._stopping, "wait", wait)
    assert browsing == []
    club._looked_s = now_s[0]
    club._run()
    assert browsing == ["begun", "ended"]
    assert len(waits) == 2
    assert [each.name for each in club._tables] == [ONE.name]


@pytest.fixture
def other_companion() -> Iterator[int]:
    """The port of something that answers as a companion does; `/away` sends elsewhere."""

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302 if self.path == "/away" else 200)
            self.send_header("Location", "http://192.0.2.1/")
            self.end_headers()
            self.wfile.write(json.dumps(SAID).encode())

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Pages)
    serving = Thread(target=server.serve_forever)
    serving.start()
    yield server.server_port
    server.shutdown()
    serving.join()
    server.server_close()


def test_a_companion_that_sends_elsewhere_is_not_followed(other_companion: int) -> None:
    assert json.loads(get_page(f"http://127.0.0.1:{other_companion}/table.json")) == SAID
    with pytest.raises(OSError, match="302"):
        get_page(f"http://127.0.0.1:{other_companion}/away")


@pytest.mark.wide
def test_a_companion_is_found_by_mdns(other_companion: int) -> None:
    zeroconf = pytest.importorskip("zeroconf", reason="zeroconf is not installed (pip install zeroconf)")
    try:
        speaking = zeroconf.Zeroconf()
    except OSError as error:
        pytest.skip(f"this machine has no network for mDNS: {error}")
    info = zeroconf.ServiceInfo(SERVICE, f"table of a test.{SERVICE}", parsed_addresses=["127.0.0.1"],
                                port=other_companion)
    speaking.register_service(info)
    club = Beside()
    try:
        until_s = time.monotonic() + 20
        while not (found := [each for each in club.tables() if each.name == "table of a test"]):
            if time.monotonic() > until_s:
                pytest.skip("nothing comes back of what is said by mDNS here: the network has no multicast")
            time.sleep(0.2)
        assert (found[0].announced, found[0].answers) == ("Ann's turn", True)
    finally:
        club.close()
        speaking.close()


# --- the page -------------------------------------------------------------------------------------------------------


class FakeClub:
    can_look = True

    def __init__(self, *tables: TableBeside) -> None:
        self._tables = tables

    def tables(self) -> tuple[TableBeside, ...]:
        return self._tables


def pages(club: FakeClub | None) -> FlaskClient:
    games = {web_tables.GAME.id: web_tables.GAME}
    return create_app(desk=FakeDesk(web_tables.table()), words=web_tables.words(), games=games, club=club).test_client()


def test_the_page_lists_all_tables_with_a_way_to_each() -> None:
    evil = TableBeside("<script>", "http://192.168.1.9:80/", answers=True)
    told = TableBeside("one", "http://192.168.1.7:8080/", web_tables.GAME.id, "Ann's turn", (("Ann", "3"),), True)
    client = pages(FakeClub(told, evil, TableBeside("two", "http://192.168.1.8:80/")))
    page = client.get("/club").get_data(as_text=True)
    for text in ('href="http://192.168.1.7:8080/"', "Ann&#39;s turn", "Ann 3", "No game is open.", "&lt;script&gt;",
                 "It does not say"):
        assert text in page
    assert "<script>" not in page.split("<main>")[1]
    said = check(client.get("/club.json"), "get", "/club.json")
    assert said["tables"][0]["players"] == [{"name": "Ann", "score": "3"}]
    assert 'href="/club"' in client.get("/").get_data(as_text=True)


def test_the_page_is_not_there_unless_the_config_asks_for_it() -> None:
    client = pages(None)
    assert client.get("/club").status_code == 404
    assert 'href="/club"' not in client.get("/").get_data(as_text=True)
    assert (read_config({}).club_page, read_config({"club": {"page": True}}).club_page) == (False, True)


def test_a_missing_library_is_said() -> None:
    club = FakeClub()
    club.can_look = False
    assert "pip install zeroconf" in pages(club).get("/club").get_data(as_text=True)
