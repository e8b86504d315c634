"""The corners of a board touched on the picture in a real Chromium; and a real video that is played once they are."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.browser.test_enrolment_in_the_browser import is_well_made
from tests.examples.chess_pages import HEIGHT, WIDTH, chess_game, looking_at_chess
from tests.examples.footage import CORNERS, FOOTAGE, ROOT
from tests.web.chromium import Phone
from tests.web.whole_service import whole_service
from tests.web.own_tables import FakeExamples, FakeOwnTable
from tests.web.web_fixtures import chromium, phone
from companion.table.board_corners import NAMED_PX
from web.app import create_app
from web.fakes import FakePanel
from web.server import Server

__all__ = ["chromium", "phone"]

pytestmark = pytest.mark.browser

PATIENCE_S = 120.0
AT = {name: (float(x), float(y)) for name, x, y in NAMED_PX.findall(CORNERS)}
ORDER = ("a1", "h1", "h8", "a8")
"""In which the page asks."""
Places = dict[str, tuple[float, float]]


def touch(phone: Phone, at: tuple[float, float], width: int = WIDTH, height: int = HEIGHT) -> None:
    """A finger on this pixel of the camera's picture."""
    board = phone.driver.find_element(By.ID, "seen")
    phone.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", board)
    box = board.rect
    right, down = (at[0] / width - 0.5) * box["width"], (at[1] / height - 0.5) * box["height"]
    ActionChains(phone.driver).move_to_element_with_offset(board, round(right), round(down)).click().perform()


def told(phone: Phone) -> Places:
    """Where the page has the corners."""
    found = phone.ask("return [...document.querySelectorAll('input[type=number]')].map((each) => Number(each.value))")
    return {name: (found[2 * n], found[2 * n + 1]) for n, name in enumerate(ORDER)}


def near(found: Places, px: float = 4.0) -> bool:
    return all(abs(x - AT[name][0]) < px and abs(y - AT[name][1]) < px for name, (x, y) in found.items())


@pytest.fixture
def page(phone: Phone, chess_offered: None) -> Iterator[tuple[Phone, FakeOwnTable]]:
    desk, own = looking_at_chess()
    game, words = chess_game()
    server = Server(create_app(desk=desk, words=words, games={game.id: game}, own=own, examples=FakeExamples(),
                               panel=FakePanel()), "127.0.0.1", 0)
    server.start()
    phone.resize()
    phone.open(f"http://127.0.0.1:{server.port}/setup/corners")
    phone.until(lambda: phone.ask("return document.querySelectorAll('#handles g').length") == len(ORDER), "the script")
    yield phone, own
    desk.close()
    server.stop()


def kept(own: FakeOwnTable) -> Places:
    return {name: (float(x), float(y)) for name, x, y in NAMED_PX.findall(own.boards["chess"])}


def keep(phone: Phone) -> None:
    phone.ask("document.querySelector('[name=go][value=\"1\"]').click()")
    phone.until(lambda: "Kept." in phone.text("main"), "kept")


def test_four_touches_in_the_order_in_which_they_are_asked_for(
    page: tuple[Phone, FakeOwnTable], tmp_path: Path
) -> None:
    phone, own = page
    for name in ORDER:
        assert phone.text("#asked") == f"Touch the corner next to {name}"
        touch(phone, AT[name])
    assert phone.text("#asked").startswith("All four")
    phone.keep(tmp_path, "corners")
    is_well_made(phone)
    keep(phone)
    assert near(kept(own)), own.boards
    phone.resize(dark=True)
    is_well_made(phone)


def test_a_corner_is_moved_with_a_finger_by_keys_and_in_numbers(page: tuple[Phone, FakeOwnTable]) -> None:
    phone, own = page
    for name in ORDER:
        touch(phone, AT[name])
    before = told(phone)
    scale = phone.ask("return 1 / document.getElementById('seen').getScreenCTM().a")
    handle = phone.driver.find_element(By.CSS_SELECTOR, "[data-corner='2'] .handle")
    ActionChains(phone.driver).drag_and_drop_by_offset(handle, 20, 10).perform()
    handle = phone.driver.find_element(By.CSS_SELECTOR, "[data-corner='0']")
    handle.send_keys(Keys.ARROW_LEFT, Keys.ARROW_UP, Keys.SHIFT + Keys.ARROW_LEFT)
    phone.ask("const x = document.querySelector('input[name=x4]'); x.value = 99.5;"
              "x.dispatchEvent(new Event('change'))")
    after = told(phone)
    assert after["h8"] == pytest.approx((before["h8"][0] + 20 * scale, before["h8"][1] + 10 * scale), abs=0.2)
    assert after["a1"] == pytest.approx((before["a1"][0] - 6, before["a1"][1] - 5), abs=0.2)
    assert (after["a8"][0], after["h1"]) == (99.5, before["h1"])
    keep(phone)
    assert kept(own) == after


def test_what_cannot_be_is_refused_and_stays_to_be_put_right(page: tuple[Phone, FakeOwnTable]) -> None:
    phone, own = page
    for name in ("h1", "a1", "h8", "a8"):  # as if the first two were exchanged
        touch(phone, AT[name])
    phone.ask("document.querySelector('[name=go][value=\"1\"]').click()")
    phone.until(lambda: "exchanged or mirrored" in phone.text("[role=alert]"), "the reason")
    assert own.boards == {}
    assert phone.ask("return document.querySelectorAll('#handles g:not([hidden])').length") == len(ORDER)


@pytest.fixture
def service(chess_site: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a service that has a video of a game, and is not told where the board is."""
    path = os.pathsep.join([str(chess_site), str(ROOT)])
    with whole_service("--source", str(FOOTAGE), "--game", "chess", "--state", str(tmp_path), "--speed", "4",
                       log=subprocess.DEVNULL, PYTHONPATH=path) as address:
        yield address


def wait_for(step: Callable[[], object], what: str) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not step():
        assert time.monotonic() < until_s, what
        time.sleep(0.1)


def test_a_video_without_corners_waits_for_them_and_is_played_to_the_mate(service: str, phone: Phone) -> None:
    phone.resize()
    phone.open(service)
    wait_for(lambda: phone.ask("return !!document.querySelector('a[href=\"/setup/corners\"].button')"),
             "the way to the corners")
    phone.open(f"{service}/setup/corners")
    wait_for(lambda: phone.ask("return document.querySelector('#seen image')?.href.baseVal.includes('?')"), "a picture")
    wait_for(lambda: phone.ask("return document.getElementById('seen').viewBox.baseVal.width") == WIDTH, "its size")
    for name in ORDER:
        touch(phone, AT[name])
    keep(phone)
    phone.open(service)
    wait_for(lambda: "Qxf7#" in phone.text(), "the mate")
    assert "checkmate" in phone.text()
