"""Whole games by hand only, on a phone, from the first page to the result: no camera, no eyes, no pins."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from companion.bots.bot import Budget
from companion.bots.greedy import Greedy
from companion.engine import Confiding, Over, Ply, ToMove, random_ply
from companion.games import registry
from companion.session.by_hand.touches import write_touch
from companion.session.commands import Correct
from tests.browser.test_games_in_the_browser import House, house_in
from tests.browser.test_pages_on_phones import AXE, BARRIERS, OVER, SMALL, THIN
from tests.session.by_hand.hand_tables import ORDINARY, enter, host_entry, spelled
from tests.web.chromium import Phone
from tests.web.test_play_pages import a_start

pytestmark = pytest.mark.browser

MOST_MS = 300
"""In which a touch is answered."""
MOST_PLIES = 150
LIT = "a.touch.lit, a.touch.quiet, #entry .said form.send button, #entry .said a.step"
TOUCH = f"""
  const done = arguments[arguments.length - 1], seed = arguments[0];
  const here = document.getElementById("entry");
  const sure = [...here.querySelectorAll("a.touch.lit[data-command], .said form.send button")];
  const all = here.querySelectorAll("{LIT}"), lit = here.querySelectorAll("a.touch.lit");
  const from = here.querySelector("a.touch.touched") && sure.length ? sure : lit.length ? lit : all;
  const chosen = from[seed % from.length];
  const began = performance.now();
  new MutationObserver((_, self) => {{
    if (document.getElementById("entry") === here) return;
    self.disconnect();
    done([performance.now() - began, chosen.getAttribute("aria-label") || chosen.textContent.trim()]);
  }}).observe(document.body, {{childList: true}});
  if (chosen instanceof SVGElement) chosen.dispatchEvent(new MouseEvent("click", {{bubbles: true, cancelable: true}}));
  else chosen.click();
"""
"""Touches something that is offered, and says how long it took until the page had changed."""

TOUCH_THIS = """
  const [touched, ply] = arguments, entry = document.getElementById("entry");
  const found = [...entry.querySelectorAll("a.touch, a.step")].find((each) => {
    const given = new URL(each.href.baseVal ?? each.href, location).searchParams;
    return !given.has("why") && JSON.stringify(given.getAll("t")) === JSON.stringify(touched);
  }) ?? [...entry.querySelectorAll(".said form.send")].find((each) =>
    same(JSON.parse(each.elements.command.value).plies, [ply]))?.querySelector("button");
  function same(a, b) {
    return a === b || (typeof a === "object" && a !== null && b !== null && typeof b === "object"
      && Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => same(a[key], b[key])));
  }
  if (!found) return false;
  if (found instanceof SVGElement) found.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
  else found.click();
  return true;
"""
"""Touches what leads from the touches before to all of them, or to the ply; whether it is offered."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with house_in(tmp_path) as made:
        yield made


def played(house: House) -> int:
    return 0 if house.state.match is None else len(house.state.match.made)


def is_shown(phone: Phone, house: House, number: int) -> bool:
    """Whether there are so many plies, and the page knows."""
    seq = phone.ask("return document.getElementById('entry').dataset.seq")
    return played(house) >= number and seq == str(house.state.seq)


@pytest.mark.parametrize(("game", "plies"), [
    ("kamikaze-cans", MOST_PLIES), ("crate-wars", MOST_PLIES), ("yuzu-twist", 12), ("pick-and-pack", MOST_PLIES),
    ("war-chest", 25)])
def test_a_game_is_played_by_hand_from_the_first_page(
    phone: Phone, house: House, tmp_path: Path, game: str, plies: int
) -> None:
    begin(phone, house, game)
    rng, took, touches = Random(game), [], 0
    while played(house) < plies and not over(house):
        made, number = played(house), 0
        while played(house) == made:
            ms, _ = phone.driver.execute_async_script(TOUCH, rng.randrange(1000))
            took.append(ms)
            number += 1
            assert number < 12
        touches += number
        assert number <= ORDINARY + 1 or has_list(house), "chosen at random, some are touched that say little"
        if made in (0, 3):
            phone.keep(tmp_path, f"{game}-{made}")
            fits_a_thumb(phone)
    assert played(house) >= 4
    assert touches <= ORDINARY * played(house)
    assert sorted(took)[len(took) // 2] < MOST_MS, "half of all touches are answered later"
    if over(house):
        shows_the_result(phone, tmp_path, game)


@pytest.mark.long
@pytest.mark.parametrize("game", ["yuzu-twist", "war-chest"])
def test_a_long_game_is_played_by_hand_to_its_result(phone: Phone, house: House, tmp_path: Path, game: str) -> None:
    begin(phone, house, game)
    rng = Random(game)
    while not over(house):
        match, before = house.state.match, played(house)
        assert before < 1000
        written = match.written(match.seen(a_ply(house, rng)))
        touched: list[str] = []
        for offer in enter(host_entry(house.state), spelled(written)):
            touched.append(write_touch(offer.touch))
            phone.until(partial(phone.driver.execute_script, TOUCH_THIS, touched, written), f"{touched} of {written}")
        phone.until(partial(is_shown, phone, house, before + 1), f"the ply {written}")
    shows_the_result(phone, tmp_path, game)


@pytest.mark.parametrize(("game", "players"), [(id, n) for id in registry.ids() for n in registry.game(id).seats])
def test_a_game_begins_from_what_is_offered(phone: Phone, house: House, game: str, players: int) -> None:
    begin(phone, house, game, players)
    assert house.state.match.opened.players == players
    phone.driver.execute_async_script(TOUCH, 0)
    assert phone.text("#ask") or played(house)


def begin(phone: Phone, house: House, game: str, players: int = 0) -> None:
    """From the first page to the page to play on, with what is offered."""
    phone.open(f"{house.address}/")
    choose(phone, f"input[name=game][value={game}]")
    if players:
        choose(phone, f"input[name=players][value='{players}']")
    phone.ask("document.querySelector('button[name=go][value=\"1\"]').click()")
    phone.until(lambda: house.state.match is not None, "the game")
    phone.until(lambda: "Play by hand" in phone.text("#buttons"), "the way to play by hand")
    phone.tap("#buttons a")
    phone.until(lambda: phone.ask("return !!document.querySelector('#entry')"), "the page to play on")


def choose(phone: Phone, what: str) -> None:
    """Chooses on the form, which is made anew then."""
    phone.until(lambda: phone.ask(f"return !!document.querySelector(\"{what}\")"), "the choice")
    phone.ask(f"const each = document.querySelector(\"{what}\"); if (!each.checked) each.click()")
    phone.until(lambda: phone.ask(
        f"return document.readyState === 'complete' && !!document.querySelector(\"{what}[checked]\")"), "the form")


def a_ply(house: House, rng: Random) -> Ply[Any]:
    """A good one for the first seat where all is seen: at random some games take hours, and two that both play well may
    go round in circles."""
    match = house.state.match
    turn = match.game.turn(match.state)
    if isinstance(match.game, Confiding) or not isinstance(turn, ToMove) or turn.seats[0] != 0:
        return random_ply(match.game, match.state, rng)
    seen = house.writer.snapshot(turn.seats[0]).seen
    assert seen is not None
    return Greedy().choose(match.game, seen, rng, Budget(playouts=10_000)).ply


def shows_the_result(phone: Phone, folder: Path, game: str) -> None:
    phone.until(lambda: "ended" in phone.text("#entry"), "the end")
    phone.keep(folder, f"{game}-end")
    phone.tap("#entry nav a")
    phone.until(lambda: "game is over" in phone.text("main"), "the result")
    phone.keep(folder, f"{game}-result")


def has_list(house: House) -> bool:
    """Whether the last ply picked some of many: thing by thing."""
    match = house.state.match
    action = match.written(match.made[-1].ply)["action"]
    return any(isinstance(each, list) and len(each) > 2 for each in action.values())


def over(house: House) -> bool:
    match = house.state.match
    return match is not None and isinstance(match.game.turn(match.state), Over)


def fits_a_thumb(phone: Phone) -> None:
    """What is drawn on the board is as large as the board can be, and the page can be enlarged: all else is."""
    assert phone.ask("return document.documentElement.scrollWidth") == 390
    assert phone.ask(OVER) == []
    assert phone.ask(SMALL) == []
    assert [each for each in phone.ask(THIN) if 'class="touch' not in each] == []
    assert phone.complaints() == []
    phone.ask(AXE.read_text("utf-8"))
    assert phone.driver.execute_async_script(BARRIERS) == []


def test_a_ply_is_entered_by_keys_alone(phone: Phone, house: House) -> None:
    house.writer.send(a_start("kamikaze-cans", 2))
    phone.open(f"{house.address}/play")
    phone.ask("document.querySelector('a.touch.lit').focus()")
    ActionChains(phone.driver).send_keys(Keys.ENTER).perform()
    phone.until(lambda: phone.ask("return document.activeElement.id") == "ask", "what is asked next")
    phone.ask("document.querySelector('a.touch.lit').focus()")
    ActionChains(phone.driver).send_keys(Keys.ENTER).perform()
    phone.until(lambda: played(house) == 1, "the ply")


def test_what_is_played_elsewhere_is_shown_at_once(phone: Phone, house: House) -> None:
    house.writer.send(a_start("kamikaze-cans", 2))
    phone.open(f"{house.address}/play")
    phone.until(lambda: phone.ask("return !!document.querySelector('a.touch.lit')"), "what can be touched")
    match = house.state.match
    ply = next(iter(match.game.legal(match.state)))
    time.sleep(0.2)
    house.writer.send(Correct(house.state.seq, "host", 0, (match.written(ply),)))
    phone.until(lambda: "Last:" in phone.text("#entry"), "the ply")
