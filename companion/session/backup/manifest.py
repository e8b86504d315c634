"""What a backup says of itself: what it holds, how long each part is and its SHA-256, and where each journal ends."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from companion.engine import Json, form, lines
from companion.errors import InvalidError, phrase
from companion.session.journal.chain import Standing, Tip

FORMAT: Final = "companion-backup"
BACKUP_VERSION: Final = 1
MANIFEST_NAME: Final = "manifest.json"
MAX_COUNT: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class TableKept:
    """The journal of a table: so many games and lines, the last of them written at `last`, ending so."""

    table: str
    games: int
    lines: int
    last: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class PartKept:
    """A file: its path in the state folder, its length, and its SHA-256 in hexadecimal digits."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A whole backup, made at `made`."""

    made: str
    tables: tuple[TableKept, ...]
    parts: tuple[PartKept, ...]

    @property
    def games(self) -> int:
        """How many games it has, in all."""
        return sum(each.games for each in self.tables)

    @property
    def size(self) -> int:
        """How many bytes its parts have, unpacked."""
        return sum(each.size for each in self.parts)


def write_manifest(manifest: Manifest) -> bytes:
    """The manifest as its file has it."""
    told = {
        "format": FORMAT, "version": BACKUP_VERSION, "made": manifest.made,
        "tables": [_write_table(each) for each in manifest.tables],
        "parts": [asdict(each) for each in manifest.parts],
    }
    return json.dumps(told, ensure_ascii=False, indent=1).encode()


def read_manifest(text: bytes) -> Manifest:
    """The manifest of a file. Raises `InvalidError` for one of another format or version, or that is none."""
    try:
        told = form.mapping(lines.parse(text.decode()), MANIFEST_NAME)
        if told.get("format") != FORMAT:
            raise InvalidError(phrase("backup.none"))
        version = form.whole(told.get("version"), "version", 0)
        if version != BACKUP_VERSION:
            raise InvalidError(phrase("backup.newer" if version > BACKUP_VERSION else "backup.older"))
        given = form.fields(told, MANIFEST_NAME, ("format", "version", "made", "tables", "parts"))
        return Manifest(
            form.text(given["made"], "made"),
            tuple(_read_table(each) for each in form.items(given["tables"], "tables")),
            tuple(_read_part(each) for each in form.items(given["parts"], "parts")))
    except UnicodeDecodeError as error:
        raise InvalidError(phrase("backup.none")) from error
    except InvalidError as error:
        if error.phrase.id.startswith("backup."):
            raise
        raise InvalidError(phrase("backup.altered", where=MANIFEST_NAME)) from error


def _write_table(kept: TableKept) -> Json:
    tip = kept.standing.tip
    return {
        "table": kept.table, "games": kept.games, "lines": kept.lines, "last": kept.last,
        "tip": [tip.game, tip.n, tip.seq, tip.hash.hex()], "ends": kept.standing.ends.hex()}


def _read_table(given: Json) -> TableKept:
    told = form.fields(given, "tables", ("table", "games", "lines", "last", "tip", "ends"))
    game, n, seq, digest = form.items(told["tip"], "tip", 4)
    tip = Tip(_count(game), _count(n), _count(seq), _digest(digest))
    table, last = form.text(told["table"], "table"), form.text(told["last"], "last")
    return TableKept(
        table, _count(told["games"]), _count(told["lines"]), last, Standing(tip, _digest(told["ends"])))


def _read_part(given: Json) -> PartKept:
    told = form.fields(given, "parts", ("path", "size", "sha256"))
    return PartKept(form.text(told["path"], "path"), _count(told["size"]), _digest(told["sha256"]).hex())


def _count(given: Json) -> int:
    return form.whole(given, MANIFEST_NAME, 0, MAX_COUNT)


def _digest(given: Json) -> bytes:
    try:
        digest = bytes.fromhex(form.text(given, "sha256"))
    except ValueError:
        digest = b""
    if len(digest) != 32:
        raise InvalidError(phrase("backup.altered", where=MANIFEST_NAME))
    return digest
