"""A set-up that the players decide before the game: entered touch by touch, begun as it came out, nothing hidden."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from companion.engine import Preparing
from companion.games import registry
from tests.web.phones import host, phone_at
from tests.web.two_worlds import World, a_world
from tests.web.web_fixtures import HOME
from web.start_pages import open_ways

STEP = re.compile(r'<a class="button choice step" href="([^"]*)">')
FIELD = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')
ALL = [(id, way, players) for id in registry.ids() for players in registry.game(id).seats
       for way in open_ways(registry.game(id), players)]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with a_world(tmp_path) as made:
        made.phones["host"] = host(made.app.test_client())
        yield made


def begun(phone: FlaskClient, id: str, way: str, players: int) -> str:
    """The address that the form of a new game leads to."""
    answer = phone.post("/start", data={"sent": "1", "game": id, "players": players, "way": way, "go": "1",
                                        "name0": "Ann <b>", "name1": "Ben"}, headers=HOME)
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def page(phone: FlaskClient, address: str) -> str:
    answer = phone.get(address, follow_redirects=True)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return answer.get_data(as_text=True)


def sent(text: str) -> dict[str, str]:
    return {html.unescape(key): html.unescape(value) for key, value in FIELD.findall(text)}


@pytest.mark.parametrize(("id", "way", "players"), ALL)
def test_every_way_that_hides_nothing_leads_to_a_game(world: World, id: str, way: str, players: int) -> None:
    phone, rng = world.phones["host"], Random(way)
    text = page(phone, begun(phone, id, way, players))
    for _ in range(60):
        steps = [html.unescape(each) for each in STEP.findall(text)]
        if not steps:
            break
        text = page(phone, rng.choice(steps))
    assert "All is decided." in text
    given = sent(text)
    assert phone.post("/start", data={**given, "go": "1"}, headers=HOME).status_code == 303
    match = world.state.match
    assert match is not None
    assert match.game.id == id
    assert [each["name"] for each in match.opened.header["players"]][:2] == ["Ann <b>", "Ben"]
    assert match.opened.header["setup"] == json.loads(given["drafted"])


def test_decisions_are_told_and_the_last_can_be_taken_back(world: World) -> None:
    phone = world.phones["host"]
    first = page(phone, begun(phone, "war-chest", "draft", 2))
    assert re.search(r">(Ann &lt;b&gt;|Ben): take a unit<", first)
    second = page(phone, html.unescape(STEP.findall(first)[0]))
    assert len(STEP.findall(second)) == len(STEP.findall(first)) - 1
    assert "What was decided" in second
    back = html.unescape(re.findall(r'<a class="button quiet" href="([^"]*)">The last one back', second)[0])
    assert STEP.findall(page(phone, back)) == STEP.findall(first)


def test_what_is_hidden_from_others_is_not_entered_here() -> None:
    game = registry.game("pick-and-pack")
    assert isinstance(game, Preparing)
    assert open_ways(game, 2) == ()


WRONG: tuple[dict[str, Any], ...] = (
    {}, {"game": "x"}, {"game": "war-chest", "way": "draft"}, {"game": "war-chest", "way": "nothing", "players": 2},
    {"game": "war-chest", "way": "draft", "players": 9}, {"game": "pick-and-pack", "way": "hidden_tiles", "players": 2},
    {"game": "war-chest", "way": "draft", "players": 2, "dealt": "{"},
    {"game": "war-chest", "way": "draft", "players": 2, "dealt": json.dumps({"cards": ["archer"] * 8, "first": 0})},
    {"game": "kamikaze-cans", "way": "draft", "players": 2},
)


@pytest.mark.parametrize("asked", WRONG)
def test_an_address_that_means_nothing_is_refused_in_words(world: World, asked: dict[str, Any]) -> None:
    answer = world.phones["host"].get(f"/prepare?{urlencode(asked)}")
    assert answer.status_code == 400
    assert "Traceback" not in answer.get_data(as_text=True)


def test_a_decision_that_cannot_be_and_a_set_up_that_does_not_fit_are_refused(world: World) -> None:
    phone = world.phones["host"]
    at = begun(phone, "war-chest", "draft", 2)
    address = phone.get(at).headers["Location"]
    assert phone.get(f"{address}&d=99").status_code == 400
    for drafted in ("{", "[]", "{}", '{"units": []}', json.dumps({"units": [["archer"] * 4] * 2, "initiative": 0})):
        answer = phone.post("/start", data={"sent": "1", "game": "war-chest", "players": 2, "go": "1",
                                            "drafted": drafted}, headers=HOME)
        assert "does not fit any more" in answer.get_data(as_text=True), drafted
        assert world.state.match is None


def test_only_the_host_decides(world: World) -> None:
    assert phone_at(world.app, "10.0.0.9").get("/prepare?game=war-chest&way=draft&players=2").status_code == 403
