from __future__ import annotations

import http.client
import json
import socket
from contextlib import suppress
from dataclasses import replace
from threading import Event, Thread

import pytest
from flask import Flask

from companion.errors import HardwareError
from companion.session.snapshot import EyesShown
from tests.web import web_tables
from web.app import create_app
from web.fakes import FakeDesk
from web.server import Server


def read_event(stream: http.client.HTTPResponse) -> tuple[str, str]:
    """The next event that is not a beat."""
    while True:
        lines = []
        while line := stream.readline().decode().rstrip("\n"):
            lines.append(line.partition(": "))
        found = {key: value for key, _, value in lines}
        if found.get("event") not in (None, "beat"):
            return found["event"], found["data"]


def open_stream(server: Server) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/stream")
    return connection, connection.getresponse()


def test_a_stream_begins_with_the_whole_page_and_goes_on_with_every_change(served: Server, desk: FakeDesk) -> None:
    connection, stream = open_stream(served)
    assert stream.headers["Content-Type"].startswith("text/event-stream")
    name, data = read_event(stream)
    first = json.loads(data)
    assert name == "parts"
    assert set(first["parts"]) == {
        "top", "notices", "notes", "seats", "board", "last", "buttons", "sheet", "history", "menu", "asks", "sit"}
    desk.show(replace(web_tables.table(), eyes=EyesShown("hand")))
    second = json.loads(read_event(stream)[1])
    assert "A hand is over the table." in second["parts"]["board"]["html"]
    assert second["parts"]["seats"]["rev"] == first["parts"]["seats"]["rev"], "what did not change is not put in again"
    connection.close()


def test_a_phone_too_many_is_told_so_and_finds_a_place_once_one_is_free(served: Server) -> None:
    opened = [open_stream(served) for _ in range(2)]
    connection, refused = open_stream(served)
    assert refused.status == 503
    assert refused.headers["Retry-After"] == "10"
    assert "Already 2 phones are watching." in json.loads(refused.read())["error"]
    for other, stream in opened:
        stream.close()
        other.close()
    for _ in range(200):
        connection.close()
        connection, again = open_stream(served)
        if again.status == 200:
            break
    assert again.status == 200
    connection.close()


def test_pages_are_served_while_all_streams_are_taken(served: Server) -> None:
    opened = [open_stream(served) for _ in range(2)]
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
    connection.request("GET", "/health")
    assert json.loads(connection.getresponse().read()) == {
        "ok": True, "eyes": "free", "journal": True, "pins": True, "streams": 2, "most": 2}
    for each in (*(other for other, _ in opened), connection):
        each.close()


def test_stopping_ends_the_streams_and_frees_the_port(app: Flask) -> None:
    server = Server(app, "127.0.0.1", 0)
    server.start()
    connection, stream = open_stream(server)
    read_event(stream)
    server.stop()
    assert read_event(stream)[0] == "bye"
    connection.close()
    again = Server(create_app(desk=FakeDesk(), words=web_tables.words(), games={}), "127.0.0.1", server.port)
    again.start()
    again.stop()


def test_stopping_is_quiet_while_answers_still_wake_the_server(app: Flask) -> None:
    server = Server(app, "127.0.0.1", 0)
    server.start()
    over = Event()

    def wake() -> None:
        with suppress(OSError):  # once it is closed
            while not over.is_set():
                server._server.pull_trigger()

    waking = Thread(target=wake)
    waking.start()
    server.stop()
    over.set()
    waking.join()
    assert not server.alive()


def test_a_port_in_use_is_told_with_what_to_do(app: Flask) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(HardwareError) as caught:
            Server(app, "127.0.0.1", port)
    told = web_tables.words().say(caught.value.phrase)
    assert f"port {port}" in told
    assert "give the companion another port" in told


def test_an_address_that_is_not_ours_is_told(app: Flask) -> None:
    with pytest.raises(HardwareError) as caught:
        Server(app, "192.0.2.1", 8080)
    assert "192.0.2.1" in web_tables.words().say(caught.value.phrase)
