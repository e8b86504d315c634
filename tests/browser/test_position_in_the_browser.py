"""The whole position is put right on the drawn board of any game, and the game goes on from there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from companion.engine import Rearranging
from companion.session.commands import Correct
from companion.session.by_hand.moving import read_move
from tests.browser.test_by_hand_in_the_browser import begin
from tests.browser.test_games_in_the_browser import GAMES, House, house_in
from tests.web.chromium import Phone

pytestmark = pytest.mark.browser

TOUCH = """
  const done = arguments[arguments.length - 1], wanted = arguments[0], here = document.getElementById("entry");
  const found = [...here.querySelectorAll("a.touch, a.step")].filter((each) => {
    const asked = new URL(each.href.baseVal ?? each.href, location).searchParams;
    return Object.entries(wanted).every(([key, value]) => asked.getAll(key).at(-1) === value);
  });
  if (!found.length) { done(false); return; }
  new MutationObserver((_, self) => {
    if (document.getElementById("entry") === here) return;
    self.disconnect();
    done(true);
  }).observe(document.body, {childList: true});
  found.at(-1).dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
"""
"""Touches what leads to an address whose last values are these; whether it is offered."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with house_in(tmp_path) as made:
        yield made


def touch(phone: Phone, **wanted: str) -> bool:
    return bool(phone.driver.execute_async_script(TOUCH, wanted))


@pytest.mark.parametrize("game", [id for id, rules in GAMES.items() if isinstance(rules, Rearranging)])
def test_a_piece_is_put_where_it_stands_and_the_game_goes_on(
    phone: Phone, house: House, tmp_path: Path, game: str
) -> None:
    begin(phone, house, game)
    match = house.state.match
    before, piece, after, seat = PUT[game]
    now = match.game.placement(match.state)
    piece = piece or now[before][-1]
    phone.open(f"{house.address}/position")
    phone.keep(tmp_path, f"{game}-first")
    assert touch(phone, held=f"{piece}@{before}")
    phone.keep(tmp_path, f"{game}-held")
    assert touch(phone, m=f"{piece}@{before}>{after}")
    assert touch(phone, seat=str(seat))
    phone.keep(tmp_path, f"{game}-put")
    assert "not as a record" in phone.text("#entry .ask"), phone.text("#entry")
    phone.tap("#entry form.send button")
    phone.until(lambda: len(house.state.match.made) == 1, "the position")
    phone.until(lambda: "position was put right" in phone.text("#last"), "the table")
    stands = house.state.match.game.placement(house.state.match.state)
    assert piece in stands[after]
    assert phone.complaints() == []


PUT: dict[str, tuple[str, str, str, int]] = {
    "kamikaze-cans": ("stock:0", "", "grid:c4", 1),
    "crate-wars": ("supply:1", "", "beside:1:3", 0),
    "yuzu-twist": ("cell:0,0", "crate", "cell:3,1", 1),
    "pick-and-pack": ("grid:a1", "", "packing:0:2", 1),
    "war-chest": ("supply:0", "", "hex:0,0", 1),
}
"""What is moved where in each game; an empty piece: the one that lies there."""


def test_what_was_moved_can_be_left_out_again_and_what_is_off_the_table_put_on_it(phone: Phone, house: House) -> None:
    begin(phone, house, "kamikaze-cans")
    stock = house.state.match.game.placement(house.state.match.state)["stock:0"]
    phone.open(f"{house.address}/position")
    assert touch(phone, held=f"{stock[0]}@stock:0")
    assert touch(phone, m=f"{stock[0]}@stock:0>")
    assert touch(phone, held=f"{stock[0]}@")
    assert touch(phone, m=f"{stock[0]}@>grid:a1")
    moves = phone.ask("return [...document.querySelectorAll('.moved li a')].map((each) => each.href)")
    assert [len(parse_qs(urlsplit(href).query).get("m", [])) for href in moves] == [1, 1]
    phone.ask("document.querySelector('.moved li:last-child a').click()")
    phone.until(lambda: phone.ask("return document.querySelectorAll('.moved li').length") == 1, "one move less")
    sent = json.loads(phone.ask("return document.querySelector('#entry form.send input[name=command]').value"))
    assert stock[0] not in str(sent["stands"])
    assert read_move(f"{stock[0]}@>grid:a1") is not None


def test_the_page_follows_what_is_played_meanwhile(phone: Phone, house: House) -> None:
    begin(phone, house, "kamikaze-cans")
    match = house.state.match
    stock = match.game.placement(match.state)["stock:0"]
    phone.open(f"{house.address}/position")
    assert touch(phone, held=f"{stock[0]}@stock:0")
    ply = next(match.game.legal(match.state))
    house.writer.send(Correct(house.state.seq, "host", 0, (match.written(ply),)))
    phone.until(lambda: phone.ask("return document.getElementById('entry').dataset.seq") == str(house.state.seq), "it")
    assert not phone.ask("return document.querySelector('#entry .touched')")
