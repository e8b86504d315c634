"""Reading a zip that somebody brings. Nothing that it says of itself is believed before it was compared, and every size
is bounded before memory or disk is spent on it."""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from stat import S_IFMT, S_ISREG
from typing import IO, Final
from zipfile import BadZipFile, ZipFile, ZipInfo

from companion.errors import InvalidError, phrase
from companion.session.backup.contents import belongs
from companion.session.backup.making import told_unwritable
from companion.session.backup.manifest import MANIFEST_NAME, Manifest, PartKept, read_manifest
from companion.session.journal.schema import JOURNAL_NAME

MAX_ZIP_BYTES: Final = 512 << 20
MAX_UNPACKED_BYTES: Final = 2 << 30
MAX_PARTS: Final = 500
MAX_MANIFEST_BYTES: Final = 1 << 20
MAX_LIST_BYTES: Final = 1 << 18
"""Bytes of the zip's own list of its parts."""
ROOM_BYTES: Final = 32 << 20
"""So much of the disk stays free for the games that go on."""
_CHUNK: Final = 1 << 20
_ENCRYPTED: Final = 1
_PACKED: Final = (0, 8)
"""Kept as it is, or deflated."""
_END_BYTES: Final = 22
_ZIP64_BYTES: Final = 20


@contextmanager
def opened_zip(file: Path) -> Iterator[tuple[ZipFile, Manifest]]:
    """A backup and what it says of itself, checked as far as that goes without unpacking it. Raises `InvalidError`."""
    try:
        _check_end(file)
        with ZipFile(file) as zipped:
            yield zipped, _checked_manifest(zipped)
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        if isinstance(error, InvalidError):
            raise
        raise InvalidError(phrase("backup.none")) from error
    except OSError as error:
        raise InvalidError(phrase("backup.unreadable", where=str(file), given=error.strerror or str(error))) from error


def unpack(file: Path, folder: Path) -> Manifest:
    """Unpacks all parts into an empty folder, each compared with its checksum and on the disk when this returns. Raises
    `InvalidError`."""
    with opened_zip(file) as (zipped, manifest), told_unwritable(folder):
        needed = manifest.size + ROOM_BYTES
        if shutil.disk_usage(folder).free < needed:
            raise InvalidError(phrase("backup.no_room", where=str(folder), given=_megabytes(needed)))
        for part in manifest.parts:
            _unpack_part(zipped, part, folder / part.path)
        return manifest


def _check_end(file: Path) -> None:
    """The file ends as our zips do: with a list of bounded length, no comment, nothing of the large format."""
    size = file.stat().st_size
    if size > MAX_ZIP_BYTES:
        raise InvalidError(phrase("backup.too_large", given=_megabytes(MAX_ZIP_BYTES)))
    with file.open("rb") as opened:
        opened.seek(max(0, size - _END_BYTES - _ZIP64_BYTES))
        before, end = (tail := opened.read())[:-_END_BYTES], tail[-_END_BYTES:]
    count, length = int.from_bytes(end[10:12], "little"), int.from_bytes(end[12:16], "little")
    if len(end) < _END_BYTES or end[:4] != b"PK\5\6" or end[20:] != b"\0\0" or before[:4] == b"PK\6\7":
        raise InvalidError(phrase("backup.none"))
    if count > MAX_PARTS + 1 or length > MAX_LIST_BYTES:
        raise InvalidError(phrase("backup.too_many", most=MAX_PARTS))


def _checked_manifest(zipped: ZipFile) -> Manifest:
    found = zipped.infolist()
    if not found or found[0].filename != MANIFEST_NAME or found[0].file_size > MAX_MANIFEST_BYTES:
        raise InvalidError(phrase("backup.none"))
    _check_kind(found[0])
    with zipped.open(found[0]) as opened:
        manifest = read_manifest(opened.read(MAX_MANIFEST_BYTES + 1))
    for part in manifest.parts:
        if not belongs(part.path):
            raise InvalidError(phrase("backup.strange", where=part.path[:80]))
    listed = {info.filename: info for info in found[1:]}
    told = {part.path for part in manifest.parts}
    if strange := sorted(set(listed) - told):
        raise InvalidError(phrase("backup.strange", where=strange[0][:80]))
    if manifest.size > MAX_UNPACKED_BYTES:
        raise InvalidError(phrase("backup.too_large", given=_megabytes(MAX_UNPACKED_BYTES)))
    if not len(found) - 1 == len(listed) == len(told) == len(manifest.parts):
        raise InvalidError(phrase("backup.altered", where=MANIFEST_NAME))
    for part in manifest.parts:
        _check_kind(listed[part.path])
        if listed[part.path].file_size != part.size:
            raise InvalidError(phrase("backup.altered", where=part.path))
    return manifest


def _check_kind(info: ZipInfo) -> None:
    """A plain file, packed as we pack, not encrypted: no link, no folder."""
    mode = info.external_attr >> 16
    is_plain = (S_ISREG(mode) or not S_IFMT(mode)) and not info.is_dir()
    if not is_plain or info.flag_bits & _ENCRYPTED or info.compress_type not in _PACKED:
        raise InvalidError(phrase("backup.strange", where=info.filename[:80]))


def _unpack_part(zipped: ZipFile, part: PartKept, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    try:
        with zipped.open(part.path) as source, to.open("xb") as file:
            if not part.path.endswith(JOURNAL_NAME):
                os.fchmod(file.fileno(), 0o600)  # settings may hold the password of a Wi-Fi
            whole = _copied(source, file, part.size) == part.sha256
            file.flush()
            os.fsync(file.fileno())
    except (BadZipFile, zlib.error, EOFError, ValueError):
        whole = False
    if not whole:
        raise InvalidError(phrase("backup.altered", where=part.path))


def _copied(source: IO[bytes], file: IO[bytes], size: int) -> str:
    """The SHA-256 of what was copied: at most so many bytes; empty when there is more or less, whatever comes out."""
    digest, left = sha256(), size
    while chunk := source.read(min(_CHUNK, left + 1)):
        left -= len(chunk)
        if left < 0:
            return ""
        digest.update(chunk)
        file.write(chunk)
    return "" if left else digest.hexdigest()


def _megabytes(size: int) -> str:
    return f"{size / (1 << 20):.0f} MB"
