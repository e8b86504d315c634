"""What a phone shows when the machine needs a hand: the page of the safe mode, and the page of the machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from werkzeug.serving import make_server

from companion.box.good_config import keep_good
from companion.box.lives import Lives
from companion.box.safe.deeds import BACKUPS, Deeds
from companion.box.safe.pages import safe_app
from companion.errors import Phrase, phrase
from companion.words import load
from hardware.doctor import Finding
from tests.browser.test_pages_on_phones import AXE, BARRIERS, OVER, SMALL, THIN
from tests.web import web_tables
from tests.web.chromium import Phone
from web.app import create_app
from web.fakes import FakeDesk
from web.server import Server
from web.sitting.pin import Pin
from web.sitting.store import SeatStore

pytestmark = pytest.mark.browser

WHY = "In the config nobody knows the key server.prot. Did you mean port?"
LONG_LINE = "companion: " + "a line of the log that is far longer than a phone is wide, " * 4
FINDINGS = (
    Finding(False, phrase("doctor.power_low")),
    Finding(False, phrase("doctor.disk_full", given=12, where="/var/lib/companion")),
    Finding(False, phrase("doctor.keep", where="/media/a-long-name-of-a-stick/companion/kept-pictures")),
    Finding(True, phrase("doctor.service")),
    Finding(True, phrase("doctor.versions", given="0.9", python="3.11.2", system="Debian GNU/Linux 12 (bookworm)",
                         where="/opt/companion/versions/0001-0.9/lib/python3.11/site-packages")),
)


class TroubledMachine:
    """An installed companion with findings, good and bad."""

    can_update = True

    def findings(self) -> tuple[Finding, ...]:
        return FINDINGS

    def report(self) -> bytes:
        return b"PK"

    def told(self) -> Phrase | None:
        return phrase("box.went_back", given="0.9", why=WHY)

    def wish(self, back: bool) -> None:
        raise AssertionError(f"nobody asked for a version: {back}")


@pytest.fixture
def safe_mode(tmp_path: Path) -> Iterator[str]:
    """Its address: a config with a mistake, an older good one, a backup, a PIN, and a log with long lines."""
    file = tmp_path / "companion.toml"
    file.write_text("[server]\nport = 8080\n")
    keep_good(file, tmp_path)
    file.write_text("[server]\nprot = 8080\n")
    (tmp_path / BACKUPS).mkdir()
    (tmp_path / BACKUPS / "before-0002-0.9.1-2026-11-24.zip").write_bytes(b"PK")
    store = SeatStore(tmp_path)
    Pin(store, lambda: 0.0).choose("2468")
    store.close()
    lives = Lives(tmp_path, {})
    lives.state("failed", WHY)
    (tmp_path / "log.txt").write_text(f"{LONG_LINE}\n" * 30)
    app = safe_app(lives=lives, deeds=Deeds(file, tmp_path, lambda: None), folder=tmp_path, words=load())
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def machine() -> Iterator[str]:
    """Its address, for a phone of the host."""
    app = create_app(desk=FakeDesk(web_tables.table()), words=web_tables.words(), games={}, machine=TroubledMachine())
    server = Server(app, "127.0.0.1", 0)
    server.start()
    yield f"http://127.0.0.1:{server.port}/"
    server.stop()


def fits(phone: Phone) -> None:
    """Nothing is wider than the phone, too small to read or touch, or a barrier, and no script complains."""
    assert phone.ask("return document.documentElement.scrollWidth") == 390
    for wrong in (OVER, SMALL, THIN):
        assert phone.ask(wrong) == []
    # Chromium wants a user's name beside every password; a table's PIN is of no user
    assert [each for each in phone.complaints() if "Password forms should have" not in each] == []
    phone.ask(AXE.read_text("utf-8"))
    assert phone.driver.execute_async_script(BARRIERS) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_safe_mode_fits_a_phone_and_has_no_barrier(
    phone: Phone, safe_mode: str, tmp_path: Path, dark: bool
) -> None:
    phone.resize(dark=dark)
    phone.open(safe_mode)
    phone.keep(tmp_path, "safe")
    assert WHY in phone.text()
    assert "Start with the last good config" in phone.text()
    fits(phone)
    phone.ask("for (const each of document.querySelectorAll('details')) each.open = true")
    phone.keep(tmp_path, "safe-open")
    assert "a line of the log" in phone.text("pre")
    fits(phone)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_page_of_the_machine_fits_a_phone_and_has_no_barrier(
    phone: Phone, machine: str, tmp_path: Path, dark: bool
) -> None:
    phone.resize(dark=dark)
    phone.open(f"{machine}host")  # the first that opens a page is the host
    phone.open(f"{machine}machine")
    phone.keep(tmp_path, "machine")
    assert "The power supply is too weak right now" in phone.text()
    fits(phone)
