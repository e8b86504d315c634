"""Whole games by hand only, on a phone, from the first page to the result: no camera, no eyes, no pins."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from companion.engine import Over
from companion.session.commands import Correct
from tests.browser.test_games_in_the_browser import House
from tests.browser.test_pages_on_phones import AXE, BARRIERS, OVER, SMALL, THIN
from tests.session.by_hand.hand_tables import ORDINARY
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


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.close()


def played(house: House) -> int:
    return 0 if house.state.match is None else len(house.state.match.made)


@pytest.mark.parametrize(("game", "plies"), [
    ("kamikaze-cans", MOST_PLIES), ("crate-wars", MOST_PLIES), ("yuzu-twist", 12), ("pick-and-pack", MOST_PLIES),
    ("war-chest", 25)])
def test_a_game_is_played_by_hand_from_the_first_page(
    phone: Phone, house: House, tmp_path: Path, game: str, plies: int
) -> None:
    phone.open(f"{house.address}/")
    if f'value="{game}" checked' not in phone.driver.page_source:
        phone.ask(f"document.querySelector('input[name=game][value={game}]').click()")
        phone.until(lambda: phone.ask(f"return !!document.querySelector('input[value={game}]:checked')"), "the form")
    phone.until(lambda: phone.ask("return document.readyState") == "complete", "the page")
    phone.ask("document.querySelector('button[name=go][value=\"1\"]').click()")
    phone.until(lambda: house.state.match is not None, "the game")
    phone.until(lambda: "Play by hand" in phone.text("#buttons"), "the way to play by hand")
    phone.tap("#buttons a")
    phone.until(lambda: phone.ask("return !!document.querySelector('#entry')"), "the page to play on")
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
        phone.until(lambda: "ended" in phone.text("#entry"), "the end")
        phone.keep(tmp_path, f"{game}-end")
        phone.tap("#entry nav a")
        phone.until(lambda: "game is over" in phone.text("main"), "the result")
        phone.keep(tmp_path, f"{game}-result")


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
