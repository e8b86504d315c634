"""Rows out of the raw pages of an SQLite file and its WAL, when SQLite itself can no longer find them.

Every page that is a leaf of a table is read by itself, wherever it lies: pages of a damaged tree, images in the WAL
behind a frame that SQLite stops at, images of pages that the main file lost. The format is SQLite's own
(https://www.sqlite.org/fileformat2.html, sections 1.5, 1.6 and 2.1). Nothing here is trusted: rows may be stale,
twice or rubbish, and whoever takes them compares their checksums.
"""

from __future__ import annotations

import struct
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.session.journal.schema import PAGE_BYTES

Value = None | int | float | bytes
PageRow = tuple[int, tuple[Value, ...]]
"""A row's id and its columns; text as its bytes."""

LEAVES: Final = (13, *(13 ^ 1 << bit for bit in range(8)))
"""The first byte of a page that is a leaf of a table, and what one flipped bit makes of it."""
FILE_HEADER_BYTES: Final = 100
WAL_HEADER_BYTES: Final = 32
FRAME_HEADER_BYTES: Final = 24
MAX_COLUMNS: Final = 16
_INTEGER_BYTES: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


@dataclass(frozen=True, slots=True)
class JournalFiles:
    """The files that a journal's pages are read from; `wal` may be missing or empty, and so may `main`."""

    main: Path
    wal: Path

    @property
    def bytes(self) -> int:
        """How much there is to read."""
        return sum(path.stat().st_size for path in (self.main, self.wal) if path.is_file())


def files_of(path: Path) -> JournalFiles:
    """The files of the journal at `path`."""
    return JournalFiles(path, Path(f"{path}-wal"))


def rows(files: JournalFiles) -> Generator[tuple[int, list[PageRow]], None, None]:
    """How many bytes were read so far, and the rows of one page; page by page. The WAL first: a journal in use may
    fold it into the main file meanwhile."""
    done = 0
    main, wal = _Pages(files.main, 0, 0), _Pages(files.wal, WAL_HEADER_BYTES, FRAME_HEADER_BYTES)
    try:
        for pages, of_wal in ((wal, True), (main, False)):
            for index in range(pages.count):
                done += PAGE_BYTES
                page = pages.page(index)
                first = (not of_wal and index == 0) or page.startswith(b"SQLite format 3\0")
                yield done, list(_rows_of(page, FILE_HEADER_BYTES if first else 0, main, wal))
    finally:
        main.close()
        wal.close()


class _Pages:
    """The page images in a file: one behind another, each after a header of its own."""

    def __init__(self, path: Path, first: int, header: int) -> None:
        self._file = path.open("rb") if path.is_file() else None
        self._first, self._step, self._header = first, PAGE_BYTES + header, header
        size = path.stat().st_size if self._file else 0
        self.count = max(0, -(-(size - first) // self._step))
        self._by_number: dict[int, list[int]] | None = None

    def page(self, index: int) -> bytes:
        """A page image, shorter where the file is cut."""
        return self._read(self._first + index * self._step + self._header, PAGE_BYTES)

    def numbered(self, number: int) -> Iterator[bytes]:
        """All images of a page, the newest first; `number` from 1."""
        if self._header == 0:
            yield from [self.page(number - 1)] if 1 <= number <= self.count else []
            return
        if self._by_number is None:
            self._by_number = {}
            for index in range(self.count):
                given = self._read(self._first + index * self._step, 4)
                self._by_number.setdefault(int.from_bytes(given, "big"), []).append(index)
        yield from (self.page(index) for index in reversed(self._by_number.get(number, [])))

    def _read(self, at: int, size: int) -> bytes:
        if self._file is None:
            return b""
        self._file.seek(at)
        return self._file.read(size)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def _rows_of(page: bytes, at: int, main: _Pages, wal: _Pages) -> Iterator[PageRow]:
    if len(page) < at + 8 or page[at] not in LEAVES:
        return
    cells = int.from_bytes(page[at + 3 : at + 5], "big")
    for index in range(PAGE_BYTES // 4):
        pointer = int.from_bytes(page[at + 8 + 2 * index : at + 10 + 2 * index], "big")
        if index >= cells and not at + 8 < pointer < PAGE_BYTES:
            return  # the number of cells is not trusted either: it only says how many pointers may be rubbish
        try:
            yield from _cell(page, pointer, main, wal)
        except (IndexError, ValueError, struct.error):
            continue


def _cell(page: bytes, at: int, main: _Pages, wal: _Pages) -> Iterator[PageRow]:
    """The row of a cell; more than one when its overflow pages are there in several images."""
    size, at = _varint(page, at)
    id, at = _varint(page, at)
    most, least = PAGE_BYTES - 35, (PAGE_BYTES - 12) * 32 // 255 - 23
    if size <= most:
        yield id, _columns(_exactly(page, at, size))
        return
    here = least + (size - least) % (PAGE_BYTES - 4)
    here = here if here <= most else least
    first = int.from_bytes(_exactly(page, at + here, 4), "big")
    for pages in ((wal, main), (main,)):
        rest = _overflow(first, size - here, pages)
        if rest is not None:
            yield id, _columns(_exactly(page, at, here) + rest)


def _overflow(number: int, size: int, sources: tuple[_Pages, ...]) -> bytes | None:
    """The rest of a long row, from the newest images of its pages."""
    found = b""
    while len(found) < size:
        image = next((page for pages in sources for page in pages.numbered(number)), b"")
        if len(image) < 5:
            return None
        found += image[4 : 4 + size - len(found)]
        number = int.from_bytes(image[:4], "big")
        if not number and len(found) < size:
            return None
    return found


def _columns(record: bytes) -> tuple[Value, ...]:
    """The columns of a record; raises `ValueError` for what is none."""
    end, at = _varint(record, 0)
    types = []
    while at < end:
        type, at = _varint(record, at)
        types.append(type)
        if len(types) > MAX_COLUMNS:
            raise ValueError("too many columns")
    columns: list[Value] = []
    for type in types:
        value, at = _value(record, at, type)
        columns.append(value)
    return tuple(columns)


def _value(record: bytes, at: int, type: int) -> tuple[Value, int]:
    if type == 0:
        return None, at
    if type in _INTEGER_BYTES:
        size = _INTEGER_BYTES[type]
        return int.from_bytes(_exactly(record, at, size), "big", signed=True), at + size
    if type == 7:
        return struct.unpack(">d", _exactly(record, at, 8))[0], at + 8
    if type in (8, 9):
        return type - 8, at
    if type < 12:
        raise ValueError("no such type")
    size = (type - 12) // 2
    return _exactly(record, at, size), at + size


def _varint(bytes_: bytes, at: int) -> tuple[int, int]:
    """SQLite's integer of 1 to 9 bytes, and where it ends."""
    value = 0
    for index in range(8):
        byte = bytes_[at + index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    return value << 8 | bytes_[at + 8], at + 9


def _exactly(bytes_: bytes, at: int, size: int) -> bytes:
    part = bytes_[at : at + size]
    if len(part) < size:
        raise ValueError("cut")
    return part
