"""Takes the README's pictures: `python docs/screenshots.py`. Needs Chromium and its driver; takes two minutes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

HERE = Path(__file__).parent
IMAGES = HERE / "images"
EXCERPT = HERE.parent / "tests" / "data" / "kamikaze-1"
PORT = 8972
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--hide-scrollbars")
SHOWN_FRAME = 7
CROP = (slice(240, 1080), slice(880, 1450))
"""Rows and columns of the picture that the overlay shows."""


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    overlay()
    with tempfile.TemporaryDirectory() as state:
        command = [sys.executable, "-m", "companion.cli.main", "run", "--port", str(PORT), "--state", state]
        process = subprocess.Popen([*command, "--source", str(EXCERPT)])
        try:
            for theme in ("light", "dark"):
                wait_for_plies(3)
                phone(f"http://127.0.0.1:{PORT}/", theme, IMAGES / f"phone-{theme}.png")
        finally:
            process.terminate()
            process.wait(20)


def overlay() -> None:
    """The picture of one look with its reading drawn over it."""
    import cv2

    from companion.games import registry
    from vision.enrol import enrol_set
    from vision.overlay import overlay
    from vision.pictureset import read_set
    from vision.reader import Reader

    known = read_set(EXCERPT)
    header = json.loads((EXCERPT / "record.jsonl").read_text(encoding="utf-8").splitlines()[0])
    layout = registry.game(known.game).layout(header["setup"])
    reader = Reader(known.lens, enrol_set(known), layout, known.zones, known.seats)
    for frame in known.frames():
        look = reader.look(frame)
        if frame.number == SHOWN_FRAME:
            assert reader.arrangement is not None
            drawn = overlay(frame.image, reader.arrangement.view, look, frame.image.shape[1])
            cv2.imwrite(str(IMAGES / "eyes.png"), drawn[CROP])


def wait_for_plies(number: int) -> None:
    """Until the page has so many plies."""
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=2.0) as answer:
                if f"Move {number + 1}" in answer.read().decode():
                    return
        except OSError:
            pass
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
        time.sleep(2.0)
        driver.save_screenshot(str(file))
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
