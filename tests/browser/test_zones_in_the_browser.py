"""Where a game lies, moved with a finger and by keys over a real picture of the table from above."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from companion.session.survey import TableFromAbove
from tests.browser.test_enrolment_in_the_browser import is_well_made
from tests.browser.test_first_run_in_the_browser import made_up
from tests.web.chromium import Phone
from tests.web.own_tables import FakeOwnTable
from vision.enrolment.picture_set import read_set
from vision.fiducials.tag_pose import find_cards
from vision.overlay.from_above import seen_from_above

pytestmark = pytest.mark.browser

EXCERPT = Path(__file__).parents[1] / "data" / "kamikaze-1"
KEY = "kamikaze-cans 2"


@dataclass
class Shown:
    phone: Phone
    own: FakeOwnTable

    def drag(self, selector: str, right: int, down: int) -> None:
        found = self.phone.driver.find_element(By.CSS_SELECTOR, selector)
        self.phone.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
        ActionChains(self.phone.driver).drag_and_drop_by_offset(found, right, down).perform()

    def keep(self) -> None:
        before = self.phone.driver.find_element(By.TAG_NAME, "html")
        self.phone.ask("document.querySelector('[name=go][value=\"1\"]').click()")
        self.phone.until(lambda: self.phone.driver.find_element(By.TAG_NAME, "html") != before, "another page")
        self.phone.until(lambda: "Kept." in self.phone.text("main"), "kept")

    @property
    def mm_per_px(self) -> float:
        return float(self.phone.ask("return 1 / document.getElementById('zones').getScreenCTM().a"))


@pytest.fixture
def shown(phone: Phone) -> Iterator[Shown]:
    known = read_set(EXCERPT)
    image = known.frame(0).image
    seen = seen_from_above(image, find_cards(image, known.lens))
    jpeg = cv2.imencode(".jpg", seen.image)[1].tobytes()
    with made_up("zones") as (server, own):
        own.above = TableFromAbove(jpeg, seen.left_mm, seen.back_mm, seen.wide_mm, seen.deep_mm)
        phone.open(f"http://127.0.0.1:{server.port}/setup/zones")
        phone.until(lambda: phone.ask("return document.getElementById('turns').hidden") is False, "the script")
        yield Shown(phone, own)


def test_the_game_a_stock_and_a_corner_are_moved_with_a_finger_and_kept(shown: Shown) -> None:
    scale = shown.mm_per_px
    is_well_made(shown.phone)
    x, y = (float(shown.phone.ask(f"return document.querySelector('[name={key}]').value")) for key in ("x", "y"))
    shown.drag("[data-whole]", 60, -40)
    shown.keep()
    laid = shown.own.laid[KEY]
    assert laid.at_mm == pytest.approx((x + 60 * scale, y + 40 * scale), abs=2.0)
    assert laid.moved == {}
    shown.drag("[data-spot='stock:1']", 30, 0)
    shown.drag(".handle[data-corner='2']", 20, -10)
    shown.keep()
    again = shown.own.laid[KEY]
    assert again.at_mm == pytest.approx(laid.at_mm)
    (spot, corners), = again.moved.items()
    assert spot == "stock:1"
    wide, deep = corners[1][0] - corners[0][0], corners[3][1] - corners[0][1]
    assert corners[2] == pytest.approx((corners[1][0] + 20 * scale, corners[3][1] + 10 * scale), abs=2.0)
    assert (wide, deep) == pytest.approx((84.0, 64.0), abs=0.1), "the other corners stay"
    shown.phone.resize(dark=True)
    is_well_made(shown.phone)


def test_a_corner_never_turns_an_area_inside_out(shown: Shown) -> None:
    shown.drag("[data-spot='stock:0']", 1, 0)
    shown.drag(".handle[data-corner='0']", 200, -200)
    shown.keep()
    assert shown.own.laid[KEY].moved["stock:0"], "what was kept is a place: the page would have refused another"


def test_keys_move_and_turn_as_fingers_do(shown: Shown) -> None:
    x, y = (float(shown.phone.ask(f"return document.querySelector('[name={key}]').value")) for key in ("x", "y"))
    whole = shown.phone.driver.find_element(By.CSS_SELECTOR, "[data-whole]")
    whole.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.SHIFT + Keys.ARROW_LEFT)
    shown.phone.tap("[data-turn='1']")
    stock = shown.phone.driver.find_element(By.CSS_SELECTOR, "[data-spot='stock:0']")
    stock.send_keys(Keys.ARROW_DOWN)
    assert shown.phone.text("#chosen").endswith("stock")
    shown.keep()
    laid = shown.own.laid[KEY]
    assert (laid.at_mm, laid.turn_deg) == (pytest.approx((x + 9, y + 5)), 1.0)
    assert set(laid.moved) == {"stock:0"}


def test_another_game_or_number_of_players_is_shown_at_one_touch_and_large_if_wished(shown: Shown) -> None:
    shown.phone.ask("document.querySelector('[name=players][value=\"4\"]').click()")
    shown.phone.until(lambda: shown.phone.ask("return document.querySelectorAll('[data-spot]').length") == 4, "stocks")
    small = shown.mm_per_px
    shown.phone.tap("#larger")
    assert shown.mm_per_px < small
    is_well_made(shown.phone)
