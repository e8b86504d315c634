"""Small files written whole or not at all, on the disk when that is said."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, bytes_: bytes, *, secret: bool = False) -> None:
    """Writes a small file, all or nothing, on the disk when it returns. A `secret` is for this user's eyes alone.
    Raises `OSError`."""
    new = path.with_name(path.name + ".new")
    with new.open("wb") as file:
        if secret:
            os.fchmod(file.fileno(), 0o600)
        file.write(bytes_)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Names made and changed in the folder are on the disk when it returns. Raises `OSError`."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
