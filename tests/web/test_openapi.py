"""`docs/openapi.json` says what the pages answer: all routes, all commands, and real answers of all kinds of phones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any, get_args

import jsonschema
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.engine import lines
from companion.errors import phrase
from companion.games import registry
from companion.session.commands import PersonCommand, TakeUp
from companion.session.snapshot import CarryShown, ClockShown, Snapshot
from tests.web import web_tables
from tests.web.phones import host, phone_at, sit
from tests.web.two_worlds import World, a_world
from tests.web.web_fixtures import HOME
from web.fakes import NO_GAME, FakeDesk

FILE = Path(__file__).parents[2] / "docs" / "openapi.json"
SAID: Any = json.loads(FILE.read_text(encoding="utf-8"))
READS = ("/table.json", "/corrections.json", "/play.json", "/hand.json", "/hint.json", "/start.json", "/host.json",
         "/eyes.json", "/health")


def check(answer: Any, method: str, path: str) -> Any:
    """The answer is one that the document names for this path; its JSON."""
    named = SAID["paths"][path][method]["responses"]
    assert str(answer.status_code) in named, (path, answer.status_code, answer.data)
    schema = named[str(answer.status_code)]["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator({**schema, "components": SAID["components"]}).validate(answer.get_json())
    return answer.get_json()


def post(phone: FlaskClient, path: str, given: Any) -> Any:
    """The JSON of a POST that the document describes, as is its answer."""
    body = SAID["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator({**body, "components": SAID["components"]}).validate(given)
    return check(phone.post(path, json=given, headers=HOME), "post", path)


def test_every_route_is_described_and_none_else(app: Flask) -> None:
    routes = {(spelt(rule.rule), method.lower()) for rule in app.url_map.iter_rules() if rule.endpoint != "static"
              for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}}
    assert {(path, method) for path, methods in SAID["paths"].items() for method in methods} == routes


def spelt(rule: str) -> str:
    return rule.replace("<", "{").replace(">", "}")


def test_every_command_is_described_with_its_fields() -> None:
    described = {each["properties"]["type"]["const"]: set(each["properties"]) - {"type"}
                 for each in SAID["components"]["schemas"]["Command"]["oneOf"]}
    assert described == {kind.type: {each.name for each in fields(kind)} - {"by", "via"}
                         for kind in get_args(PersonCommand) if kind is not TakeUp}


def tables() -> Iterator[Snapshot]:
    stands = web_tables.table()
    yield NO_GAME
    yield stands
    yield web_tables.odd(stands)
    yield web_tables.draft()
    yield web_tables.draft(wrong=True)
    yield web_tables.asked(stands, [{"type": "place", "drink": "red/short_can", "to": "a1"}] * 2, 1)
    then = stands.seen.placement if stands.seen else {}
    yield replace(stands, carry=CarryShown(1, phrase("web.home"), then), clocks=(ClockShown(0, 5),))
    yield replace(stands, notices=(phrase("web.http"),), trouble=(phrase("web.http"),), paused=True)


@pytest.mark.parametrize("shown", list(tables()))
def test_what_stands_is_told_as_the_document_says(client: FlaskClient, desk: FakeDesk, shown: Snapshot) -> None:
    desk.show(shown)
    for path in READS:
        check(client.get(path), "get", path)


@pytest.mark.parametrize("game", registry.ids())
def test_a_game_is_played_through_the_document_alone(game: str, tmp_path: Path) -> None:
    with a_world(tmp_path) as world:
        begun(world, game)
        phones = [world.phones["host"], phone_at(world.app, "10.0.0.3")]
        post(phones[0], "/sit", {"seat": 0})
        for _ in range(4):
            for phone in phones:
                for path in READS:
                    check(phone.get(path), "get", path)
            if not phones[0].get("/table.json").get_json()["over"]:
                entered(phones[0])
        gone_on_from(phones[0])
        assert phones[1].get("/table.json").get_json()["plies"] >= 2
        post(phones[0], "/do", {"type": "undo", "seq": world.state.seq})
        post(phones[0], "/do", {"type": "done", "seq": 0})
        post(phones[1], "/up", {})
        refused = phones[1].post("/do", json={"type": "undo", "seq": world.state.seq}, headers=HOME)
        assert check(refused, "post", "/do")["ok"] is False
        post(phones[0], "/do", {"type": "end_game", "seq": world.state.seq})
        check(phones[1].get("/table.json"), "get", "/table.json")


def begun(world: World, game: str) -> None:
    world.phones["host"] = host(world.app.test_client())
    assert post(world.phones["host"], "/start", {"game": game, "name0": "Ann"})["ok"]


def entered(phone: FlaskClient) -> None:
    """Something is entered, by the first touch that leads on."""
    at, rng = "/play.json", Random(1)
    for _ in range(90):
        step = check(phone.get(at), "get", "/play.json")
        offers = [each for each in (*step["board"], *step["choices"]) if each.get("look") not in ("off", "touched")]
        assert offers, step["why_not"]
        ready = [each["command"] for each in offers if each["command"]]
        if ready:
            assert post(phone, "/do", ready[-1])["ok"]
            return
        at = rng.choice(offers)["next"]
    raise AssertionError("nothing could be entered")


def gone_on_from(phone: FlaskClient) -> None:
    """The game goes on from where it stands, with another seat to move, if its rules let it."""
    position = check(phone.get("/position.json"), "get", "/position.json")
    command = {"type": "go_on_from", "seq": position["seq"], "stands": position["now"], "seat": 1 - position["seat"]}
    answer = phone.post("/do", json=command, headers=HOME)
    assert check(answer, "post", "/do")["ok"] is (answer.status_code == 200)
    assert answer.status_code in ((409,) if position["why_not"] else (200, 409))


def test_who_sits_where_is_settled_through_the_document(app: Flask, client: FlaskClient) -> None:
    one, other = host(client), phone_at(app, "10.0.0.3")
    assert post(other, "/sit", {"seat": 1})["seated"] is True
    assert post(one, "/sit", {"seat": 1})["seated"] is False
    asked = check(other.get("/host.json"), "get", "/host.json")["asks"]
    assert [each["seat"] for each in asked] == [1]
    post(other, "/asks", {"ask": asked[0]["ask"], "say": "no"})
    post(one, "/host/free", {"seat": 1})
    assert check(other.get("/table.json"), "get", "/table.json")["you"] == {"seat": None, "is_host": False}
    sit(other, 0)
    post(one, "/host/pin", {"pin": "4711 4711"})
    assert post(other, "/host", {"pin": "0000 0000"})["ok"] is False
    post(one, "/host/hand-on", {"seat": 0})
    post(other, "/notices", {})
    post(other, "/panel", {"button": "seat:0", "long": True})
    post(other, "/panel", {"manner": "quiet", "on": False})
    post(other, "/panel", {"try": "seat:0"})


@pytest.mark.parametrize("given", ["[1]", "{", '{"seat": [1]}', '{"seat": null}', '"1"', "ÿ"])
def test_a_body_that_is_no_object_of_fields_is_refused(client: FlaskClient, given: str) -> None:
    answer = client.post("/sit", data=given.encode("latin-1"), headers={**HOME, "Content-Type": "application/json"})
    assert check(answer, "post", "/sit")["ok"] is False


def test_a_touch_of_long_ago_is_told_with_the_number_now(client: FlaskClient) -> None:
    answer = client.get("/play.json?t=x&seq=1")
    assert answer.status_code == 409
    assert check(answer, "get", "/play.json")["seq"] == 7


def test_nobody_becomes_the_host_by_asking_for_json(client: FlaskClient) -> None:
    for path in (*READS[:-2], "/health", "/metrics", "/stream.json"):
        client.get(path)
    assert client.get("/table.json").get_json()["you"]["is_host"] is False


def test_the_stream_for_programs_tells_the_table(app: Flask, desk: FakeDesk, client: FlaskClient) -> None:
    from tests.web.web_tables import KEY
    from web.fakes import FakePhone
    from web.house import house_of

    streams, phone = house_of(app).streams, FakePhone()
    watcher = streams.open("10.0.0.1", "room", KEY, is_plain=True)
    assert watcher is not None
    streams.attach(watcher, phone)
    text = phone.heard[0].decode()
    assert text.startswith("event: table\nid: 1\ndata: ")
    told = lines.parse(text.split("data: ")[1])
    schema = {"$ref": "#/components/schemas/Table", "components": SAID["components"]}
    jsonschema.Draft202012Validator(schema).validate(told["table"])
    here = client.get("/table.json").get_json()
    assert {key: value for key, value in here.items() if key != "you"} == told["table"]
    desk.show(replace(desk.snapshot(), paused=True))
    streams.tell()
    assert '"paused": true' in phone.heard[-1].decode()
