"""Takes the README's pictures: `python -m tests.bench.screenshots [GAME…]`. Needs Chromium; takes ten minutes.

    eyes.png                        what the eyes read of a picture
    phone-light.png                 a game
    phone-dark.png                  its question
    GAME.png                        each game, some moves into its example, light and dark in turn
"""

from __future__ import annotations

import html
import http.cookiejar
import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from companion.main.examples import examples, game_of
from tests.bench.page import EXCERPTS, ROOT

IMAGES = ROOT / "docs" / "images"
EXCERPT = EXCERPTS / "kamikaze-1"
PORT = 8972
HOME = f"http://127.0.0.1:{PORT}/"
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--hide-scrollbars")
COOKIES = http.cookiejar.CookieJar()
HOST = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(COOKIES))
"""The first phone that comes: it may begin games."""
SHOWN_FRAME = 7
MOVES = {"crate-wars": 3, "yuzu-twist": 3, "pick-and-pack": 3, "war-chest": 4}
"""How far each example is played before its picture is taken."""
CROP = (slice(240, 1080), slice(880, 1450))
"""Rows and columns of the picture that the overlay shows."""


def main(games: list[str]) -> None:
    IMAGES.mkdir(exist_ok=True)
    if not games:
        overlay()
    with tempfile.TemporaryDirectory() as state:
        command = [sys.executable, "-m", "companion.cli.main", "run", "--port", str(PORT), "--state", state]
        process = subprocess.Popen([*command, "--source", str(EXCERPT)])
        try:
            if not games:
                wait_for_plies(3)
                phone(HOME, "light", IMAGES / "phone-light.png")
                wait_for(lambda page: any(each["type"] == "answer" for each in commands(page)))
                phone(HOME, "dark", IMAGES / "phone-dark.png")
            for number, game in enumerate(games or MOVES):
                wait_for(lambda page: bool(page))
                example(game)
                settle()
                wait_for_plies(MOVES[game], answering=True)
                phone(HOME, ("light", "dark")[number % 2], IMAGES / f"{game}.png")
        finally:
            process.terminate()
            process.wait(20)


def example(game: str) -> None:
    """Plays the example of a game, the first of them."""
    name = next(name for name, folder in examples().items() if game_of(folder) == game)
    post("/example", urllib.parse.urlencode({"name": name}), "application/x-www-form-urlencoded")


def settle() -> None:
    """Answers what is asked about the set-up by the first choice, and begins."""

    def begun(page: str) -> bool:
        told = [each for each in commands(page) if each["type"] == "tell_setup" and each["value"] is not None]
        if not press(told) and "Move " not in page:
            press([each for each in commands(page) if each["type"] == "begin"])
        return "Move " in page

    wait_for(begun)


def commands(page: str) -> list[dict[str, Any]]:
    """What the buttons of a page send."""
    return [json.loads(html.unescape(each)) for each in re.findall(r"name=\"command\" value='([^']*)'", page)]


def press(wanted: list[dict[str, Any]]) -> bool:
    """Presses the first of these buttons, if there is one."""
    if wanted:
        post("/do", json.dumps(wanted[0]), "application/json")
    return bool(wanted)


def post(path: str, body: str, kind: str) -> None:
    headers = {"Origin": HOME.rstrip("/"), "Content-Type": kind}
    asked = urllib.request.Request(HOME.rstrip("/") + path, body.encode(), headers)
    with suppress(urllib.error.HTTPError), HOST.open(asked, timeout=30):
        return  # a command that came too late is asked again


def read(path: str) -> str:
    """A page; empty while there is none."""
    try:
        with HOST.open(HOME.rstrip("/") + path, timeout=2.0) as answer:
            return str(answer.read().decode())
    except OSError:
        return ""


def overlay() -> None:
    """The picture of one look with its reading drawn over it."""
    import cv2

    from companion.games import registry
    from vision.enrolment.enrol import enrol_set
    from vision.enrolment.picture_set import read_set
    from vision.overlay.overlay import overlay
    from vision.pipeline.reader import Reader

    known = read_set(EXCERPT)
    header = json.loads((EXCERPT / "record.jsonl").read_text(encoding="utf-8").splitlines()[0])
    layout = registry.game(known.game).layout(header["setup"])
    reader = Reader(known.lens, enrol_set(known, layout.kinds), layout, known.zones, known.seats)
    for frame in known.frames():
        look = reader.look(frame)
        if frame.number == SHOWN_FRAME:
            assert reader.arrangement is not None
            drawn = overlay(frame.image, reader.arrangement.view, look, frame.image.shape[1], layout.kinds)
            cv2.imwrite(str(IMAGES / "eyes.png"), drawn[CROP])


def wait_for_plies(number: int, answering: bool = False) -> None:
    """Until the page has so many plies; what is asked meanwhile is left open or answered by the likeliest choice."""

    def played(page: str) -> bool:
        if answering:
            press([each for each in commands(page) if each["type"] == "answer"])
        return any(f"Move {n}<" in page for n in range(number + 1, number + 4))

    wait_for(played)


def wait_for(true: Callable[[str], bool]) -> None:
    """Until the table's page is so."""
    for _ in range(600):
        if true(read("/")):
            return
        time.sleep(0.5)
    raise SystemExit("The demo did not come so far.")


def phone(address: str, theme: str, file: Path) -> None:
    """A screenshot as on a phone of 390 × 844."""
    options = webdriver.ChromeOptions()
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.binary_location = "/usr/bin/chromium"
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        size = {"width": 390, "height": 844, "deviceScaleFactor": 1.5, "mobile": True}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = [{"name": "prefers-color-scheme", "value": theme}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        driver.get(address)
        for cookie in COOKIES:
            driver.add_cookie({"name": cookie.name, "value": str(cookie.value), "path": "/"})
        driver.get(address)
        time.sleep(2.0)
        driver.save_screenshot(str(file))
    finally:
        driver.quit()


if __name__ == "__main__":
    main(sys.argv[1:])
