"""A real Chromium for tests of the pages: a phone, light or dark."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WAIT_S = 10.0


def open_chromium() -> webdriver.Chrome:
    """A browser without a window; skips the test, with the reason, where there is none."""
    os.environ["SE_OFFLINE"] = "true"
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if not browser or not driver:
        pytest.skip("Chromium or its driver is missing: apt install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
                     "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(driver))


class Phone:
    """A page in a browser, with the few things that a thumb does."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def resize(self, wide: int = 390, tall: int = 844, *, dark: bool = False, still: bool = True) -> None:
        self._tell("Emulation.setDeviceMetricsOverride",
                   {"width": wide, "height": tall, "deviceScaleFactor": 2, "mobile": wide < 700})
        self._tell("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}]})

    def _tell(self, what: str, how: dict[str, Any]) -> None:
        self.driver.execute_cdp_cmd(what, how)

    def open(self, url: str) -> None:
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get(url)

    def text(self, where: str = "body") -> str:
        return str(self.ask(f"return document.querySelector({where!r})?.innerText ?? ''"))

    def ask(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def tap(self, where: str) -> None:
        self.driver.find_element("css selector", where).click()

    def complaints(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def keep(self, folder: Path, name: str) -> None:
        self.driver.save_screenshot(str(folder / f"{name}.png"))

    def until(self, true: Callable[[], object], what: str) -> None:
        """Looks again and again until it is true."""
        end = time.monotonic() + WAIT_S
        while not true():
            assert time.monotonic() < end, f"not within {WAIT_S:.0f} s: {what}"
            time.sleep(0.02)
