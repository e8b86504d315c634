"""The page on which plies are entered by hand: every touch is a link, with scripts and without."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games import registry
from companion.session.commands import EndGame, StartGame
from tests.session.by_hand.hand_tables import NAMES
from tests.web.phones import phone_at
from tests.web.two_worlds import World, a_world
from tests.web.web_fixtures import HOME

LINK = re.compile(
    r'<a href="(/play[^"]*)" class="touch (\w+)[^"]*"(?: aria-label="([^"]*)")?(?: data-command="([^"]*)")?')
FORM = re.compile(r"name=\"command\" value='([^']*)'")
STEP = re.compile(r'<a class="button choice step" href="([^"]*)"')


def a_start(id: str, players: int, seed: int = 1) -> StartGame:
    """The command that begins a game with a set-up that is dealt."""
    game, rng = registry.game(id), Random(seed)
    options = game.at_table(game.read_options(game.simulation, players))
    header = {"game": id, "players": [{"name": NAMES[seat]} for seat in range(players)], "options": dict(options),
              "setup": game.deal(players, options, rng)}
    return StartGame(0, "host", header)


def begin(world: World, id: str, players: int) -> None:
    world.begin(a_start(id, players).header)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with a_world(tmp_path) as made:
        yield made


def page(phone: FlaskClient, path: str = "/play") -> str:
    answer = phone.get(path)
    assert answer.status_code == 200, answer.status
    return answer.get_data(as_text=True)


def links(text: str, look: str) -> list[tuple[str, str, str]]:
    """Address, words and command of what looks so."""
    return [(html.unescape(href), said, html.unescape(command)) for href, found, said, command in LINK.findall(text)
            if found == look]


def plays(text: str) -> list[dict[str, Any]]:
    found = [json.loads(html.unescape(each)) for each in FORM.findall(text)]
    return [each for each in found if each["type"] == "correct"]


@pytest.mark.parametrize("id", registry.ids())
def test_a_game_is_played_on_by_links_and_forms_alone(id: str, world: World) -> None:
    """As a phone without scripts does: each touch a page, and the ply by the button that says it."""
    begin(world, id, 2)
    phone, rng = world.phones["host"], Random(id)
    for n in range(8):
        text = page(phone)
        if "has ended" in text:
            break
        for _ in range(6):
            if (commands := plays(text)) and not (links(text, "lit") and rng.random() < 0.5):
                sent = {"command": json.dumps(rng.choice(commands)), "then": "play"}
                answer = phone.post("/do", data=sent, headers=HOME)
                assert (answer.status_code, answer.headers["Location"]) == (303, "/play")
                break
            further = [html.unescape(each) for each in STEP.findall(text)]
            further += [href for href, _, _ in (*links(text, "lit"), *links(text, "quiet"))]
            assert further, text
            text = page(phone, rng.choice(further))
        assert world.state.match is not None
        assert len(world.state.match.made) == n + 1, text


def test_what_a_script_sends_with_the_last_touch_is_played(world: World) -> None:
    begin(world, "kamikaze-cans", 2)
    phone = world.phones["host"]
    text = page(phone, links(page(phone), "lit")[0][0])
    _, said, command = links(text, "lit")[0]
    assert said
    answer = phone.post("/do", json=json.loads(command), headers=HOME)
    assert answer.json == {"ok": True, "seq": world.state.seq}
    assert world.state.match is not None
    assert len(world.state.match.made) == 1


def test_what_was_touched_can_be_taken_off_again(world: World) -> None:
    begin(world, "kamikaze-cans", 2)
    phone = world.phones["host"]
    text = page(phone, links(page(phone), "lit")[0][0])
    off, said, _ = links(text, "touched")[0]
    assert said.startswith("Not ")
    assert links(page(phone, off), "touched") == []


def test_touches_of_an_older_table_are_forgotten(world: World) -> None:
    begin(world, "kamikaze-cans", 2)
    phone = world.phones["host"]
    old = links(page(phone), "lit")[0][0]
    phone.post("/do", json=plays(page(phone, links(page(phone, old), "lit")[0][0]))[0], headers=HOME)
    text = page(phone, old)
    assert "changed meanwhile" in text
    assert links(text, "touched") == []


def test_what_cannot_be_touched_says_why(world: World) -> None:
    begin(world, "pick-and-pack", 2)
    phone = world.phones["host"]
    reasons = {page(phone, href).partition('<p class="note">')[2].partition("</p>")[0]
               for href, _, _ in links(page(phone), "off")[:12]}
    assert any("(PP 2.1)" in reason for reason in reasons)


def test_only_who_is_to_play_and_the_host_are_offered_something(world: World) -> None:
    begin(world, "kamikaze-cans", 2)
    assert world.state.match is not None
    mover = world.state.match.game.turn(world.state.match.state).seats[0]
    assert links(page(world.phones[str(mover)]), "lit")
    for who in (str(1 - mover), "room"):
        text = page(world.phones[who])
        assert links(text, "lit") == []
        assert f"{NAMES[mover]} to play, on the phone that sits there" in text


def test_without_a_game_the_page_says_so(world: World) -> None:
    assert "No game is being played" in page(phone_at(world.app, "10.1.1.1"))


def test_after_the_end_the_page_says_so(world: World) -> None:
    begin(world, "kamikaze-cans", 2)
    world.writer.send(EndGame(world.state.seq, "host"))
    assert "has ended" in page(world.phones["host"])


@pytest.mark.parametrize("given", ["t=", "t=%00", "seq=x&t=a", "why=@", "why=@grid:a1|", "t=" + "x" * 4000, "&".join(
    ["t=type=place"] * 300)])
def test_any_address_is_answered(world: World, given: str) -> None:
    begin(world, "kamikaze-cans", 2)
    assert page(world.phones["host"], f"/play?seq={world.state.seq}&{given}")


def test_an_earlier_ply_is_put_right_on_the_board(world: World) -> None:
    begin(world, "kamikaze-cans", 2)
    phone = world.phones["host"]
    for _ in range(4):
        _, _, sent = links(page(phone, links(page(phone), "lit")[0][0]), "lit")[0]
        phone.post("/do", json=json.loads(sent), headers=HOME)
    assert world.state.match is not None
    before = [made.ply for made in world.state.match.made]
    assert 'href="/play?again=2"' in page(phone, "/")
    text = page(phone, "/play?again=2")
    assert "Say what it really was" in text
    text = page(phone, links(text, "lit")[-1][0])
    assert {sent for _, _, sent in links(text, "lit")} == {""}, "what is put right is confirmed in words"
    text = page(phone, links(text, "lit")[-1][0])
    command = plays(text)[0]
    assert command["take_back"] == 3
    assert phone.post("/do", json=command, headers=HOME).status_code == 200
    after = [made.ply for made in world.state.match.made]
    assert after[0] == before[0]
    assert after[1] != before[1]


def test_in_a_pause_nothing_is_offered_and_it_is_said_why(world: World) -> None:
    begin(world, "kamikaze-cans", 2)
    phone = world.phones["host"]
    phone.post("/do", json=plays(page(phone, links(page(phone, links(page(phone), "lit")[0][0]), "lit")[0][0]))[0],
               headers=HOME)
    phone.post("/do", json={"type": "pause", "seq": world.state.seq, "on": True}, headers=HOME)
    for path in ("/play", "/play?again=1"):
        text = page(phone, path)
        assert "The game is paused." in text
        assert links(text, "lit") == plays(text) == []


def test_what_is_put_right_is_shown_with_who_played_it_and_nothing_beside_it(world: World) -> None:
    begin(world, "kamikaze-cans", 2)
    phone = world.phones["host"]
    phone.post("/do", json=plays(page(phone, links(page(phone, links(page(phone), "lit")[0][0]), "lit")[0][0]))[0],
               headers=HOME)
    assert ("Last:" in page(phone), ">Undo<" in page(phone), "data-right" in page(phone)) == (True, True, False)
    text = page(phone, "/play?again=1")
    assert "What was really played?" in text
    assert 'data-right="Put right.' in text
    assert re.search(r'<p class="line was"><span class="badge">', text)
    assert "Last:" not in text
    assert ">Undo<" not in text
