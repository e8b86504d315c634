"""Enrolment on a phone over the whole service: from the first picture, fed as a camera, to a piece set in use; and the
first run of a new table, from its first page on."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.session.kept_pieces import piece_file
from tests.browser.test_pages_on_phones import AXE, BARRIERS, OVER, SMALL, THIN
from tests.hardware.network_cameras import phone as camera_app
from tests.main.enrol_camera import HAND, LaidAsPlanned, TableWithCamera
from tests.web.chromium import Phone
from tests.web.whole_service import whole_service
from vision.enrolment.picture_set import LaidPiece

pytestmark = pytest.mark.browser

PATIENCE_S = 30.0
CONFIG = """
[source]
kind = "folder"
folder = "{folder}"
pace_s = 0.1
"""


@dataclass
class House:
    """The service with its table, and where its state is kept."""

    address: str
    table: TableWithCamera
    keep: Path


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    table, state = TableWithCamera(tmp_path / "camera"), tmp_path / "state"
    config = tmp_path / "companion.toml"
    config.write_text(CONFIG.format(folder=table.folder), encoding="utf-8")
    with whole_service("--config", str(config), "--state", str(state)) as address:
        yield House(address, table, state / "sets" / table.folder.name)


def says(phone: Phone, words: str) -> None:
    """Waits until the page says it."""
    until_s = time.monotonic() + PATIENCE_S
    while words not in phone.text("main"):
        assert time.monotonic() < until_s, f"not {words!r}, but {phone.text('main')!r}"
        time.sleep(0.1)


def take(phone: Phone, dark: bool = False) -> None:
    phone.ask("document.querySelector('[id^=act-take]').click()")


def is_well_made(phone: Phone) -> None:
    """Nothing is too small, too wide or a barrier."""
    assert phone.ask("return document.documentElement.scrollWidth") == 390
    for wrong in (OVER, SMALL, THIN):
        assert phone.ask(wrong) == []
    phone.ask(AXE.read_text("utf-8"))
    assert phone.driver.execute_async_script(BARRIERS) == []


def test_pieces_are_enrolled_from_the_first_picture_to_the_verdict(phone: Phone, house: House) -> None:
    phone.open(house.address + "/enrol")
    is_well_made(phone)
    phone.tap("form[action='/enrol'] button")
    says(phone, "Is the table bare?")
    take(phone)
    says(phone, "Picture 2 of 3")
    house.table.shows(HAND)
    says(phone, "A hand")
    house.table.shows(house.table.bare)
    says(phone, "Nothing seems to lie at 1")
    is_well_made(phone)
    house.table.shows(house.table.layings[1])
    says(phone, "All lies as drawn")
    take(phone)
    says(phone, "Picture 3 of 3")
    house.table.shows(house.table.layings[2])
    says(phone, "All lies as drawn")
    phone.resize(dark=True)
    is_well_made(phone)
    take(phone)
    says(phone, "All pictures are taken")
    phone.tap("[id^=act-learn]")
    says(phone, "The pieces are known")
    assert piece_file(house.keep, "war-chest").exists()
    phone.until(lambda: phone.ask(
        "return [...document.querySelectorAll('.pair img')].map((img) => img.naturalWidth)") == [240, 240], "pictures")
    is_well_made(phone)
    assert [each for each in phone.complaints() if "favicon" not in each] == []


def states(phone: Phone) -> dict[str, str]:
    """How the steps of setting up stand, by name."""
    return dict(phone.ask("return [...document.querySelectorAll('[data-step]')].map((each) =>"
                          " [each.dataset.step, each.dataset.state])"))


def pieces_asked_for(keep: Path, number: int) -> list[LaidPiece]:
    """What is to be laid for a picture of the enrolment that goes on."""
    plan = json.loads(next(keep.rglob("plan.json")).read_text(encoding="utf-8"))
    return [LaidPiece(each["appearance"], tuple(each["at"]), each["turn"]) for each in plan[number]["pieces"]]


def test_from_the_first_page_to_enrolled_pieces_with_nothing_but_a_phone(phone: Phone, tmp_path: Path) -> None:
    """The camera is another phone in the network; nobody opens a file."""
    table, state = TableWithCamera(tmp_path / "camera"), tmp_path / "state"
    laid, log = LaidAsPlanned(table), tmp_path / "log"
    with (log.open("w") as told, camera_app(table.sight) as camera,
          whole_service("--state", str(state), log=told) as home):
        phone.open(home)
        phone.tap("a[href='/setup']")
        phone.tap("[data-step=camera]")
        phone.tap("summary")
        phone.driver.find_element("css selector", "input[name=camera]").send_keys(f"{camera}/video")
        phone.tap("details button")
        says(phone, "Pictures come, 2304 × 1296 pixels.")
        phone.open(f"{home}/setup/cards")
        says(phone, "I see all four.")
        phone.open(f"{home}/setup/lens")
        phone.ask("document.querySelector('input[value=module-3]').click()")
        phone.tap("button.big")
        phone.open(f"{home}/setup/zones?game=war-chest")
        phone.until(lambda: phone.ask("return document.querySelector('#above').hasAttribute('href')"), "the table")
        phone.ask("document.querySelector('button[name=go]').click()")
        says(phone, "Kept. The camera looks there now.")
        phone.open(f"{home}/setup")
        phone.until(lambda: states(phone)["cards"] == "done", "the cards")
        phone.tap("[data-step=pieces]")
        phone.tap("form:has(input[value=war-chest-1]) button")
        says(phone, "Is the table bare?")
        take(phone)
        for number in (1, 2):
            says(phone, f"Picture {number + 1} of 3")
            table.shows(laid.picture(pieces_asked_for(state, number), tmp_path / f"{number}.jpg"))
            says(phone, "All lies as drawn")
            is_well_made(phone)
            take(phone)
        says(phone, "All pictures are taken")
        phone.tap("[id^=act-learn]")
        says(phone, "The pieces are known")
        assert len(phone.ask("return [...document.querySelectorAll('.pair img')]")) == 2, "the pair that is most alike"
    assert "FATAL" not in log.read_text(), "the processes of the eyes end quietly, also while a picture is waited for"
    with whole_service("--state", str(state)) as home:
        phone.open(f"{home}/setup")
        kept = states(phone)
        assert [kept[step] for step in ("lens", "zones", "pieces")] == ["done"] * 3
