"""Backups on a phone: a file is chosen and sent, what is in it is shown, and one touch restores it."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import IO

import pytest

from companion.errors import InvalidError, Phrase, phrase
from companion.session.backup.told import BackupPreview
from tests.browser.test_pages_on_phones import AXE, BARRIERS, OVER, SMALL, THIN
from tests.web import web_tables
from tests.web.chromium import Phone
from web.app import create_app
from web.fakes import FakeDesk
from web.server import Server

TWELVE, FOURTEEN, ONE = phrase("backup.games", number=12), phrase("backup.games", number=14), phrase("backup.one_game")
COUNT = phrase("backup.count", games=TWELVE, lines=400, files=4, size=900)
READY = BackupPreview(
    phrase("backup.of", given="2026-11-24 20:15", count=COUNT),
    ((phrase("backup.table", table=phrase("backup.own_table"), games=TWELVE, given="2026-11-24 20:14"),
      phrase("backup.now", games=FOURTEEN, given="2026-11-25 21:00")),
     (phrase("backup.table", table="yuzu-1", games=ONE, given="2026-10-01 09:00"), phrase("backup.now_nothing"))),
    ("settings.toml", "sets/yuzu-1/pieces-0123456789ab.zip"))

pytestmark = pytest.mark.browser


class FakeBackups:
    """Backups without a state folder: what was brought is good when it begins as a zip does."""

    def __init__(self) -> None:
        self.brought, self.ready, self.restored = bytearray(), False, False

    def make(self) -> IO[bytes]:
        return BytesIO(b"PK")

    def bring(self, at: int, piece: bytes) -> int:
        del self.brought[at:]
        self.brought += piece
        return len(self.brought)

    def look(self) -> None:
        if not self.brought.startswith(b"PK"):
            raise InvalidError(phrase("backup.none"))
        self.ready = True

    def preview(self) -> BackupPreview | None:
        return READY if self.ready else None

    def drop(self) -> None:
        self.ready = False

    def restore(self) -> Phrase:
        self.ready, self.restored = False, True
        return phrase("backup.restored", where="/var/lib/companion/before-restore-20261124T201500Z")


@pytest.fixture
def backups() -> FakeBackups:
    return FakeBackups()


@pytest.fixture
def kept(backups: FakeBackups) -> Iterator[Server]:
    server = Server(create_app(desk=FakeDesk(), words=web_tables.words(), games={}, backups=backups), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("ready", [False, True], ids=["offered", "ready"])
def test_the_page_fits_a_phone_and_has_no_barrier(
        phone: Phone, kept: Server, backups: FakeBackups, ready: bool, dark: bool) -> None:
    backups.ready = ready
    phone.resize(dark=dark)
    phone.open(f"http://127.0.0.1:{kept.port}/backup")
    assert phone.ask("return document.documentElement.scrollWidth") == 390
    for wrong in (OVER, SMALL, THIN):
        assert phone.ask(wrong) == []
    assert phone.complaints() == []
    phone.ask(AXE.read_text("utf-8"))
    assert phone.driver.execute_async_script(BARRIERS) == []


def test_a_file_is_sent_looked_at_and_restored(
        phone: Phone, kept: Server, backups: FakeBackups, tmp_path: Path) -> None:
    file = tmp_path / "companion.zip"
    file.write_bytes(b"PK" + bytes(range(256)) * 800)
    phone.open(f"http://127.0.0.1:{kept.port}/backup")
    phone.driver.find_element("css selector", "input[type=file]").send_keys(str(file))
    phone.until(lambda: "Restore this backup?" in phone.text(), "the backup is shown")
    assert bytes(backups.brought) == file.read_bytes()
    phone.tap("form[action='/backup/restore'] button")
    phone.until(lambda: "has been restored" in phone.text(), "it is restored")
    assert backups.restored
    assert phone.complaints() == []


def test_a_file_that_is_none_is_told_where_it_was_chosen(
        phone: Phone, kept: Server, backups: FakeBackups, tmp_path: Path) -> None:
    (tmp_path / "holiday.zip").write_bytes(b"\xff\xd8")
    phone.open(f"http://127.0.0.1:{kept.port}/backup")
    phone.driver.find_element("css selector", "input[type=file]").send_keys(str(tmp_path / "holiday.zip"))
    phone.until(lambda: "This is no backup" in phone.text("[role=status]"), "it is told")
    assert not backups.ready
