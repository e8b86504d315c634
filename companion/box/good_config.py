"""The config file as it was when the companion last started well, and the wish to go on with it.

The service may not write what root configured. So a config with a mistake is left as it is, and the copy of the last
good one counts in its place, until somebody changes the file.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.session.whole_file import write_whole

GOOD_NAME: Final = "config.good.toml"
INSTEAD_NAME: Final = "config.instead"
"""Holds the SHA-256 of the config file in whose place the good one counts."""


def keep_good(file: Path | None, folder: Path) -> None:
    """The companion runs with this config file. A full disk keeps the older copy."""
    if file is None:
        return
    with suppress(OSError):
        given = file.read_bytes()
        if not (folder / GOOD_NAME).exists() or (folder / GOOD_NAME).read_bytes() != given:
            write_whole(folder / GOOD_NAME, given, secret=True)


def good_one(file: Path | None, folder: Path) -> Path | None:
    """The copy, if it is another than the file."""
    good = folder / GOOD_NAME
    with suppress(OSError):
        if file is not None and good.is_file() and good.read_bytes() != _content(file):
            return good
    return None


def use_good(file: Path, folder: Path) -> None:
    """From now on the copy counts, until the file is changed. Raises `OSError`."""
    write_whole(folder / INSTEAD_NAME, _hash(file).encode())


def chosen(file: Path | None, folder: Path) -> Path | None:
    """The file that counts: the config file, or the copy in its place."""
    with suppress(OSError):
        wanted = good_one(file, folder)
        if file is not None and wanted is not None and (folder / INSTEAD_NAME).read_text() == _hash(file):
            return wanted
    return file


def _hash(file: Path) -> str:
    return hashlib.sha256(_content(file)).hexdigest()


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # a config that is missing is as good as an empty one, and can be replaced
        return b""
