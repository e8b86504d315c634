"""The anchor: which line is the journal's last, written beside it after each append.

A file with two slots that are written by turns, each with its own checksum: a power cut while one is written leaves the
other. SQLite takes a damaged end of its log for the end of what was written; the anchor knows better. The journal may
be ahead of the anchor (a kill between the two writes), never behind it.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from companion.session.journal.chain import Standing, Tip
from companion.session.journal.schema import VERSION

ANCHOR_NAME: Final = "journal.anchor"
SLOT_BYTES: Final = 4096
_DIGEST_BYTES: Final = 64


class Anchor:
    """The file, open for writing. One writer."""

    def __init__(self, folder: Path) -> None:
        """Opens the file, made if there is none. Raises `OSError`."""
        self._turn = _newest(folder / ANCHOR_NAME)[0]
        self._file = os.open(folder / ANCHOR_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        if os.fstat(self._file).st_size < 2 * SLOT_BYTES:
            os.ftruncate(self._file, 2 * SLOT_BYTES)

    def write(self, now: Standing) -> None:
        """Is on the disk when it returns. Raises `OSError`."""
        turn = self._turn + 1
        os.pwrite(self._file, _slot(turn, now), turn % 2 * SLOT_BYTES)
        os.fdatasync(self._file)
        self._turn = turn

    def close(self) -> None:
        """Closes the file."""
        with suppress(OSError):
            os.close(self._file)


def read_anchor(folder: Path) -> Standing | None:
    """What was anchored last; None without a slot that is whole."""
    return read_anchor_file(folder / ANCHOR_NAME)


def read_anchor_file(path: Path) -> Standing | None:
    """The same, from a file of any name."""
    return _newest(path)[1]


def _newest(path: Path) -> tuple[int, Standing | None]:
    try:
        bytes_ = path.read_bytes()
    except OSError:
        return 0, None
    slots = filter(None, (_read_slot(bytes_[at : at + SLOT_BYTES]) for at in (0, SLOT_BYTES)))
    return max(slots, key=lambda slot: slot[0], default=(0, None))


def _slot(turn: int, now: Standing) -> bytes:
    tip = now.tip
    told = json.dumps([VERSION, turn, tip.game, tip.n, tip.seq, tip.hash.hex(), now.ends.hex()]).encode()
    return sha256(told).hexdigest().encode() + told + bytes(SLOT_BYTES - _DIGEST_BYTES - len(told))


def _read_slot(slot: bytes) -> tuple[int, Standing] | None:
    told = slot[_DIGEST_BYTES:].rstrip(b"\0")
    if sha256(told).hexdigest().encode() != slot[:_DIGEST_BYTES]:
        return None
    version, turn, game, n, seq, hash, ends = json.loads(told)
    return (turn, Standing(Tip(game, n, seq, bytes.fromhex(hash)), bytes.fromhex(ends))) if version == VERSION else None
