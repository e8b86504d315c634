"""Zips that are no good backup: each is refused with what to do, and nothing of the state folder changes."""

from __future__ import annotations

import errno
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import pytest

from companion.errors import InvalidError
from companion.session.backup.reading import opened_zip
from companion.session.backup.restoring import stage_backup
from tests.session.backups import backup_of, files, lived_in, rewritten, with_part

Parts = dict[str, bytes]


def manifest_says(key: str, value: Any) -> Callable[[Path, Path], Path]:
    return lambda good, bad: rewritten(good, bad, lambda manifest, _: manifest.update({key: value}))


def part_called(path: str) -> Callable[[Path, Path], Path]:
    return lambda good, bad: rewritten(good, bad, lambda manifest, parts: with_part(manifest, parts, path, b"x"))


def cut(share: float) -> Callable[[Path, Path], Path]:
    def make(good: Path, bad: Path) -> Path:
        whole = good.read_bytes()
        bad.write_bytes(whole[: int(share * len(whole))])
        return bad

    return make


def flipped(good: Path, bad: Path) -> Path:
    """A bit of a stored part is another, and so is the checksum that the zip itself has of it."""
    return rewritten(good, bad, lambda _, parts: parts.update({"sets/yuzu-1/pieces-0123.zip": b"y" * 10240}))


def journal_changed(good: Path, bad: Path) -> Path:
    """A game was altered, and all checksums of the zip were made right again."""
    def change(manifest: dict[str, Any], parts: Parts) -> None:
        data = parts["journal.sqlite"].replace(b'"Ann"', b'"Eve"', 1).replace(b"ply_made", b"ply_mode", 1)
        with_part(manifest, parts, "journal.sqlite", data)

    return rewritten(good, bad, change)


def another_journal(good: Path, bad: Path) -> Path:
    """A good journal, but not the one that the manifest tells of."""
    def change(manifest: dict[str, Any], parts: Parts) -> None:
        with_part(manifest, parts, "journal.sqlite", parts["sets/yuzu-1/journal.sqlite"])

    return rewritten(good, bad, change)


def journal_of_version(version: int) -> Callable[[Path, Path], Path]:
    def change(manifest: dict[str, Any], parts: Parts) -> None:
        data = bytearray(parts["journal.sqlite"])
        struct.pack_into(">I", data, 60, version)
        with_part(manifest, parts, "journal.sqlite", bytes(data))

    return lambda good, bad: rewritten(good, bad, change)


def a_link(good: Path, bad: Path) -> Path:
    def link(info: ZipInfo) -> None:
        if info.filename == "settings.toml":
            info.external_attr = 0o120777 << 16

    def change(manifest: dict[str, Any], parts: Parts) -> None:
        with_part(manifest, parts, "settings.toml", b"/etc/passwd")

    return rewritten(good, bad, change, link)


def packed_otherwise(good: Path, bad: Path) -> Path:
    def pack(info: ZipInfo) -> None:
        info.compress_type = ZIP_LZMA

    return rewritten(good, bad, lambda *_: None, pack)


def a_bomb(good: Path, bad: Path) -> Path:
    """A part that says to be small and is not."""
    def change(manifest: dict[str, Any], parts: Parts) -> None:
        with_part(manifest, parts, "settings.toml", bytes(20 << 20))
        manifest["parts"][-1]["size"] = 100

    return rewritten(good, bad, change)


def a_bomb_that_lies_twice(good: Path, bad: Path) -> Path:
    """The same, and the zip's own list says the same lie."""
    data = a_bomb(good, bad).read_bytes()
    bad.write_bytes(data.replace(struct.pack("<I", 20 << 20), struct.pack("<I", 100)))
    return bad


def huge(good: Path, bad: Path) -> Path:
    def change(manifest: dict[str, Any], _: Parts) -> None:
        manifest["parts"][0]["size"] = 3 << 30

    return rewritten(good, bad, change)


def many(good: Path, bad: Path) -> Path:
    def change(manifest: dict[str, Any], parts: Parts) -> None:
        for number in range(600):
            with_part(manifest, parts, f"pieces-{number}.zip", b"x")

    return rewritten(good, bad, change)


def a_part_less(good: Path, bad: Path) -> Path:
    def change(_: dict[str, Any], parts: Parts) -> None:
        del parts["settings.toml"]

    return rewritten(good, bad, change)


def twice(good: Path, bad: Path) -> Path:
    rewritten(good, bad, lambda *_: None)
    with ZipFile(bad, "a") as zipped, pytest.warns(UserWarning, match="Duplicate"):
        zipped.writestr("settings.toml", "another")
    return bad


def with_comment(good: Path, bad: Path) -> Path:
    shutil.copy(good, bad)
    with ZipFile(bad, "a") as zipped:
        zipped.comment = b"PK"
    return bad


def nothing_of_ours(_: Path, bad: Path) -> Path:
    with ZipFile(bad, "w") as zipped:
        zipped.writestr("hello.txt", "hello")
    return bad


BAD: dict[str, tuple[str, Callable[[Path, Path], Path]]] = {
    "empty": ("none", cut(0.0)),
    "cut in the middle": ("none", cut(0.5)),
    "cut at the end": ("none", cut(0.999)),
    "another zip": ("none", nothing_of_ours),
    "a picture": ("none", lambda _, bad: (bad.write_bytes(b"\xff\xd8" * 5000), bad)[1]),
    "a comment": ("none", with_comment),
    "another format": ("none", manifest_says("format", "photo-backup")),
    "a newer version": ("newer", manifest_says("version", 2)),
    "an older version": ("older", manifest_says("version", 0)),
    "no version": ("altered", manifest_says("version", "1")),
    "no parts": ("altered", manifest_says("parts", 7)),
    "no tables": ("altered", manifest_says("tables", [])),
    "a table that is nowhere": ("altered", manifest_says("tables", [
        {"table": "", "games": 1, "lines": 1, "last": "", "tip": [1, 1, 1, "00" * 32], "ends": "00" * 31}])),
    "a path that climbs": ("strange", part_called("../settings.toml")),
    "a path that climbs from a set": ("strange", part_called("sets/../../settings.toml")),
    "an absolute path": ("strange", part_called("/etc/settings.toml")),
    "a path of Windows": ("strange", part_called("sets\\a\\settings.toml")),
    "a hidden folder": ("strange", part_called("sets/.ssh/settings.toml")),
    "a path that climbs from pieces": ("strange", part_called("pieces/../settings.toml")),
    "a folder in a folder": ("strange", part_called("pieces/a/b.pieces")),
    "pictures of a game": ("strange", part_called("evidence/AbcdEfgh-_123456/ply-1.jpg")),
    "a key": ("strange", part_called("tls-key.pem")),
    "who sits where": ("strange", part_called("seats.sqlite")),
    "a log of SQLite": ("strange", part_called("journal.sqlite-wal")),
    "a program": ("strange", part_called("sitecustomize.py")),
    "a link": ("strange", a_link),
    "packed otherwise": ("strange", packed_otherwise),
    "a part twice": ("altered", twice),
    "a part that nobody tells of": ("strange", lambda good, bad: rewritten(
        good, bad, lambda _, parts: parts.update({"pieces.zip": b"x"}))),
    "a part that is missing": ("altered", a_part_less),
    "another part": ("altered", flipped),
    "an altered journal": ("altered", journal_changed),
    "another journal": ("altered", another_journal),
    "a journal of before": ("older", journal_of_version(1)),
    "a journal of later": ("newer", journal_of_version(9)),
    "a bomb": ("altered", a_bomb),
    "a bomb that lies twice": ("altered", a_bomb_that_lies_twice),
    "too large": ("too_large", huge),
    "too many": ("too_many", many),
}


@pytest.mark.parametrize("name", BAD)
def test_it_is_refused_and_nothing_changes(tmp_path: Path, name: str) -> None:
    told, make = BAD[name]
    state = lived_in(tmp_path / "state")
    bad = make(backup_of(state, tmp_path / "good.zip"), tmp_path / "bad.zip")
    before = files(tmp_path)
    with pytest.raises(InvalidError) as refused:
        stage_backup(bad, state)
    assert refused.value.phrase.id == f"backup.{told}", refused.value
    assert files(tmp_path) == before
    assert not (state / "restore.staged").exists()


def test_every_byte_that_is_cut_off_counts(tmp_path: Path) -> None:
    good = backup_of(lived_in(tmp_path / "state"), tmp_path / "good.zip").read_bytes()
    for length in range(0, len(good), 97):
        (tmp_path / "cut.zip").write_bytes(good[:length])
        with pytest.raises(InvalidError), opened_zip(tmp_path / "cut.zip"):
            pass


def test_a_disk_without_room_is_told_before_anything_is_written(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = lived_in(tmp_path / "state")
    good = backup_of(state, tmp_path / "good.zip")
    monkeypatch.setattr("companion.session.backup.reading.shutil.disk_usage", lambda _: SimpleNamespace(free=1 << 20))
    before = files(state)
    with pytest.raises(InvalidError) as refused:
        stage_backup(good, state)
    assert refused.value.phrase.id == "backup.no_room"
    assert files(state) == before


def test_a_disk_that_is_full_in_the_middle_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = lived_in(tmp_path / "state")
    good = backup_of(state, tmp_path / "good.zip")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("companion.session.backup.reading.os.fsync", full)
    before = files(state)
    with pytest.raises(InvalidError) as refused:
        stage_backup(good, state)
    assert refused.value.phrase.id == "backup.unwritable"
    assert files(state) == before


def test_a_zip_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidError) as refused, opened_zip(tmp_path / "none.zip"):
        pass
    assert refused.value.phrase.id == "backup.unreadable"
