"""State folders and backups for tests, and backups that were tampered with."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from companion.session.backup.making import make_backup
from companion.session.backup.manifest import MANIFEST_NAME
from companion.session.clock import FakeClock
from companion.session.past import PastGames
from companion.session.port import Refused
from companion.errors import phrase
from tests.session.journals import opened, written
from tests.session.tables import library

TABLES = ("", "sets/yuzu-1")


def lived_in(folder: Path) -> Path:
    """A state folder with two tables, settings and pieces."""
    for seed, table in enumerate(TABLES):
        written(folder / table, 60 + 40 * seed)
    (folder / "settings.toml").write_text("[lamps]\nquiet = true\n")
    (folder / "sets" / "yuzu-1" / "pieces-0123.zip").write_bytes(bytes(range(256)) * 40)
    (folder / "pieces").mkdir()
    for number, game in enumerate(("yuzu-twist", "kamikaze-cans")):
        (folder / "pieces" / f"{game}.pieces").write_bytes(bytes([number]) * 500)
        os.utime(folder / "pieces" / f"{game}.pieces", (1000 + number, 1000 + number))
    (folder / "pieces" / "yuzu-twist.pieces.1").write_bytes(b"earlier")
    (folder / "pieces" / "yuzu-twist.json").write_text("{}")
    (folder / "seats.sqlite").write_bytes(b"tokens")
    (folder / "tls-key.pem").write_text("secret")
    return folder


def contents(folder: Path) -> dict[str, Any]:
    """All that is in the journals of a state folder: every line, its hash, and every game's state as it stands."""
    found: dict[str, Any] = {}
    for table in TABLES:
        with opened(folder / table) as journal:
            found[table] = journal.contents(), dict(journal.journal.hashes()), journal.journal.tip, journal.notices
        games = PastGames(lambda table=table: folder / table, library(),  # type: ignore[misc]
                          lambda *_: Refused(phrase("session.stale"), 0))
        found[table] += ([str(games.opened(each.number)) for each in games.listed(None, 99)],)
    return found


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder but locks, whose bytes never change."""
    return {str(each.relative_to(folder)): each.read_bytes() for each in sorted(folder.rglob("*"))
            if each.is_file() and each.name != "journal.lock"}


def backup_of(folder: Path, to: Path) -> Path:
    make_backup(folder, to, FakeClock())
    return to


def rewritten(good: Path, bad: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None],
              each: Callable[[ZipInfo], None] = lambda _: None) -> Path:
    """The backup with another manifest and other parts, whose checksums are made right again."""
    with ZipFile(good) as zipped:
        parts = {name: zipped.read(name) for name in zipped.namelist()}
    manifest = json.loads(parts.pop(MANIFEST_NAME))
    change(manifest, parts)
    with ZipFile(bad, "w") as zipped:
        zipped.writestr(MANIFEST_NAME, json.dumps(manifest), ZIP_DEFLATED)
        for name, data in parts.items():
            info = ZipInfo(name)
            info.compress_type = ZIP_DEFLATED
            each(info)
            zipped.writestr(info, data)
    return bad


def with_part(manifest: dict[str, Any], parts: dict[str, bytes], path: str, data: bytes) -> None:
    """Puts a part into a backup as if it belonged there."""
    manifest["parts"] = [part for part in manifest["parts"] if part["path"] != path]
    manifest["parts"].append({"path": path, "size": len(data), "sha256": sha256(data).hexdigest()})
    parts[path] = data
