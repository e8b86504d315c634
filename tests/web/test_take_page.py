"""What each player takes before the first ply: in every game, all that lies in a seat's areas, and no secret."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import registry
from tests.session.by_hand.hand_tables import NAMES
from tests.web.phones import phone_at
from tests.web.test_play_pages import a_start, begin, links, page, plays
from tests.web.two_worlds import World, a_world
from tests.web.web_fixtures import HOME

ALL = [(id, seats) for id in registry.ids() for seats in registry.game(id).seats]
ITEM = re.compile(r"<li>(?:<svg.*?</svg>)?<span>(?:(\d+) × )?([^<]*)</span></li>")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with a_world(tmp_path) as made:
        yield made


def taken(text: str) -> dict[str, int]:
    """How many pieces each player is told to take, in the order of the page."""
    found = {}
    for part in text.split('<section class="group taking">')[1:]:
        part = part.partition("</section>")[0]
        name = html.unescape(re.search(r"<b>([^<]*)</b></h2>", part)[1])
        found[name] = sum(int(number or 1) for number, _ in ITEM.findall(part))
    return found


@pytest.mark.parametrize(("id", "seats"), ALL)
def test_each_player_is_told_all_that_lies_before_the_seat(world: World, id: str, seats: int) -> None:
    world.begin(a_start(id, seats).header)
    match = world.state.match
    assert match is not None
    lying = match.game.view(match.state, "room").placement
    expected = {NAMES[seat]: number for seat in range(seats)
                if (number := sum(len(lying.get(zone.spot, ())) for zone in match.layout.zones if zone.seat == seat))}
    text = page(world.phones["room"], "/take")
    assert taken(text) == expected
    assert ("Lay everything as it is drawn." in text) == (not expected)
    assert 'class="board"' in text


def test_who_sits_there_is_told_first(world: World) -> None:
    begin(world, "kamikaze-cans", 2)
    assert [*taken(page(world.phones["1"], "/take"))] == [NAMES[1], NAMES[0]]
    text = page(world.phones["0"], "/take")
    assert [*taken(text)] == [NAMES[0], NAMES[1]]
    assert taken(text)[NAMES[0]] == 6
    assert 'href="/take"' in page(world.phones["0"], "/")


def test_once_something_is_played_the_board_says_what_lies_where(world: World) -> None:
    begin(world, "kamikaze-cans", 2)
    phone = world.phones["host"]
    phone.post("/do", json=plays(page(phone, links(page(phone, links(page(phone), "lit")[0][0]), "lit")[0][0]))[0],
               headers=HOME)
    assert phone.get("/take").status_code == 303
    text = page(phone, "/")
    assert "The game has begun already" in text
    assert 'href="/take"' not in text


def test_without_a_game_it_leads_to_the_first_page(world: World) -> None:
    assert phone_at(world.app, "10.0.0.9").get("/take").headers["Location"] == "/"
