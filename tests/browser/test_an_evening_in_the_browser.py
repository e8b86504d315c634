"""A game of each kind as an evening goes: two phones, looks of the eyes, a question, a phone that sleeps, a service
that is killed, a move taken back with the other's consent, an earlier move put right. All is the service's own, in a
process of its own; only its eyes are told what they see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.browser.test_by_hand_in_the_browser import TOUCH
from tests.browser.test_games_in_the_browser import SETS
from tests.interpret.play_truth import story_of
from tests.interpret.truth_eyes import free_frames
from tests.web.chromium import Phone, open_chromium

pytestmark = pytest.mark.browser

DATA = Path(__file__).parents[1] / "data"
UNSURE = 0.05
"""The share of what perfect eyes know that leaves a question open in every game."""


class Table:
    """The service, which outlives its process: `kill` ends it as a power cut would, `start` begins it anew."""

    def __init__(self, state: Path, folder: Path) -> None:
        self._state, self._folder, self.port = state, folder, 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.browser.told_table", str(self._state), str(self._folder)]
        self._process = subprocess.Popen(
            [*command, str(self.port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "GPIOZERO_PIN_FACTORY": "mock"})
        self.port = self._told()["port"]

    def look(self, frame: int, sure: float = 1.0) -> dict[str, Any]:
        """What became of a look: how many plies there are, for each choice of its question whether it is right."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"frame": frame, "sure": sure}) + "\n")
        self._process.stdin.flush()
        return self._told()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def _told(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        return told


@pytest.fixture(scope="module")
def second_chromium() -> Iterator[Phone]:
    phone = Phone(open_chromium())
    yield phone
    phone.driver.quit()


@pytest.fixture(params=SETS)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path, DATA / str(request.param))
    yield made
    made.kill()


def test_an_evening(phone: Phone, second_chromium: Phone, table: Table, request: pytest.FixtureRequest) -> None:
    folder = DATA / request.node.callspec.params["table"]
    story, frames = story_of(folder), free_frames(folder)
    plies = story.plies[:frames[-1]["ply"]]
    owner = plies[-1].player
    assert isinstance(owner, int)
    urllib.request.urlopen(table.address).close()  # the host is somebody else
    seats = {owner: phone, next(seat for seat in (0, 1) if seat != owner): second_chromium}
    other = next(each for seat, each in seats.items() if seat != owner)
    for seat, each in seats.items():
        each.resize()
        sit(each, table, seat)

    asked = 0
    for n in range(len(frames)):
        if n == len(frames) // 2:
            table.kill()
            table.start()
        if n == len(frames) - 1:
            sleep(other)
        for sure in (UNSURE, 1.0):
            told = table.look(n, sure)
            if told["choices"]:
                asked += 1
                answer(seats, told)
    assert asked
    wake(other)
    told = table.look(len(frames) - 1)
    assert (told["is_so"], told["made"]) == (True, len(plies))
    for each in seats.values():
        each.until(partial(shows, each, told["scores"]), "the scores")

    take_back(other, seats[owner])
    again = table.look(len(frames) - 1)
    assert again["made"] == len(plies) - 1, "the pieces that still lie there are no new move"
    phone.until(lambda: phone.text("#notes"), "what lies wrong")
    before = next(n for n, frame in enumerate(frames) if frame["ply"] == len(plies) - 1)
    assert table.look(before)["is_so"]
    phone.until(lambda: not phone.text("#notes"), "that the table agrees")
    told = table.look(len(frames) - 1)
    assert (told["is_so"], told["made"]) == (True, len(plies))

    put_right(phone, table, len(plies) - 1)


def sit(phone: Phone, table: Table, seat: int) -> None:
    phone.open(table.address)
    phone.tap(f"#sit form:nth-of-type({seat + 1}) button")
    phone.until(lambda: phone.ask("return document.body.dataset.you") == str(seat), "the seat")
    phone.until(lambda: phone.ask("return document.querySelector('#link').dataset.state") == "live", "the link")


def sleep(phone: Phone) -> None:
    """The browser hides and freezes the page, as in a pocket."""
    phone.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "frozen"})


def wake(phone: Phone) -> None:
    """The page goes on, and is seen once more: only a change of tabs says so to a browser without a window."""
    phone.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})
    page = phone.driver.current_window_handle
    phone.driver.switch_to.new_window("tab")
    phone.driver.close()
    phone.driver.switch_to.window(page)


def shows(phone: Phone, scores: list[int]) -> bool:
    return bool(phone.ask(
        "return [...document.querySelectorAll('[data-score]')].sort((a, b) => a.dataset.score - b.dataset.score)"
        ".map((each) => Number(each.textContent.trim().replace('−', '-')))") == scores)


def answer(seats: dict[int, Phone], told: dict[str, Any]) -> None:
    """Whose question it is taps what is right."""
    right = f"#sheet .choices form:nth-of-type({told['choices'].index(True) + 1})"

    def whose() -> Phone | None:
        return next((each for each in seats.values() if each.ask(
            f"const form = document.querySelector('{right}');"
            "return !!form && !form.closest('.others') &&"
            f" JSON.parse(form.elements.command.value).seq === {told['seq']}")), None)

    some = next(iter(seats.values()))
    some.until(whose, "the question on the phone of whose it is")
    asked = whose()
    assert asked is not None
    asked.tap(f"{right} button")
    asked.until(lambda: not asked.text("#sheet"), "the answer")


def take_back(asks: Phone, agrees: Phone) -> None:
    """One asks to take back what the other did; the other agrees."""
    asks.until(lambda: button(asks, "undo"), "the way to undo")
    asks.tap(button(asks, "undo"))
    asks.until(lambda: "Asked:" in asks.text("#notes"), "whom it waits for")
    agrees.until(lambda: button(agrees, "consent"), "the question for consent")
    agrees.tap(button(agrees, "consent"))
    asks.until(lambda: "Asked:" not in asks.text("#notes"), "the consent")


def button(phone: Phone, what: str) -> str:
    """The first button that sends this command, if there is one."""
    form = f"form.send:has(input[value*='\"type\": \"{what}\"'])"
    return f"{form} button" if phone.ask(f"return !!document.querySelector(`{form}`)") else ""


def put_right(phone: Phone, table: Table, n: int) -> None:
    """Another ply takes the place of ply `n`, by touches of the drawn board."""
    was, rng = line(phone, table, n), Random(n)
    phone.open(f"{table.address}play?again={n}")
    for _ in range(12):
        phone.driver.execute_async_script(TOUCH, rng.randrange(1000))
        if "Noted:" not in phone.text("#entry"):
            break
    phone.until(lambda: line(phone, table, n) != was, "the other ply")


def line(phone: Phone, table: Table, n: int) -> str:
    """What the history says of ply `n`."""
    phone.open(table.address)
    said = phone.ask("return [...document.querySelectorAll('#log li')].map((each) =>"
                     " [each.querySelector('.n').innerText, each.querySelector('.what').innerText])")
    return str(dict(said).get(str(n)))
