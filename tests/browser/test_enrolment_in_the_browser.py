"""Enrolment on a phone over the whole service: from the first picture, fed as a camera, to a piece set in use."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.session.kept_pieces import piece_file
from tests.browser.test_pages_on_phones import AXE, BARRIERS, OVER, SMALL, THIN
from tests.main.enrol_camera import HAND, TableWithCamera
from tests.web.chromium import Phone

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
    command = [sys.executable, "-m", "companion.cli.main", "run", "--config", str(config), "--state", str(state)]
    running = subprocess.Popen([*command, "--port", "0"], env={**os.environ, "GPIOZERO_PIN_FACTORY": "mock"},
                               stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    told = re.search(r"http://\S+:(\d+)/", running.stdout.readline())
    assert told is not None
    yield House(f"http://127.0.0.1:{told[1]}", table, state / "sets" / table.folder.name)
    running.terminate()
    running.wait()
    running.stdout.close()


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
