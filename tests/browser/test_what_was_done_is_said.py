"""What was chosen is done, and the page shows it: the menu closes, and a move that was put right is said to be."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.browser.test_by_hand_in_the_browser import TOUCH, begin, played
from tests.browser.test_enrolment_in_the_browser import is_well_made
from tests.browser.test_games_in_the_browser import House, house_in
from tests.web.chromium import Phone

pytestmark = pytest.mark.browser


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with house_in(tmp_path) as made:
        yield made


def test_a_move_that_was_put_right_is_said_to_be(phone: Phone, house: House) -> None:
    phone.resize()
    begin(phone, house, "kamikaze-cans", 4)
    for number in (1, 2):
        while played(house) < number:
            phone.driver.execute_async_script(TOUCH, 3)
    before = [made.ply for made in house.state.match.made]
    phone.open(f"{house.address}/play?again=1")
    assert "What was really played?" in phone.text("header")
    for _ in range(8):
        phone.driver.execute_async_script(TOUCH, 5)
        if house.state.match.made[0].ply != before[0]:
            break
    phone.until(lambda: "Put right." in phone.text("#told"), "that it is put right")
    assert "Play by hand" in phone.text("header"), "the next move is played"


def test_the_menu_closes_when_something_in_it_was_done(phone: Phone, house: House) -> None:
    phone.resize()
    begin(phone, house, "kamikaze-cans", 2)
    phone.open(f"{house.address}/")
    phone.tap("details.more > summary")
    phone.until(lambda: phone.ask("return document.querySelector('details.more').open"), "the menu")
    phone.tap("#menu form.send button")
    phone.until(lambda: house.state.paused, "the pause")
    phone.until(lambda: not phone.ask("return document.querySelector('details.more').open"), "the table")
    phone.until(lambda: "Paused" in phone.text("main"), "that it is paused")


def are_left(phone: Phone, number: int) -> bool:
    return bool(phone.ask("return document.querySelectorAll('a.choice').length") == number)


def test_a_draft_is_entered_touch_by_touch(phone: Phone, house: House) -> None:
    phone.resize()
    phone.open(f"{house.address}/start?game=war-chest&players=2")
    phone.ask("document.querySelector('select[name=way]').value = 'elimination_draft'")
    phone.ask("document.querySelector('button[name=go][value=\"1\"]').click()")
    phone.until(lambda: "ban a unit" in phone.text("main"), "the first choice")
    is_well_made(phone)
    for left in range(9, -1, -1):
        phone.tap("a.choice")
        phone.until(partial(are_left, phone, left), f"{left} left")
    is_well_made(phone)
    phone.tap("button[name=go]")
    phone.until(lambda: house.state.match is not None, "the game")
    phone.open(f"{house.address}/take")
    is_well_made(phone)
