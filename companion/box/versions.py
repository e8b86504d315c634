"""Versions side by side: each is written whole and flushed, then a link is changed by one rename.

A power cut at any moment leaves the old version or the new one in use, each with all of its files: the link is changed
only once everything that it leads to is on the disk, and nothing that it leads to is ever written again.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.box.launch import COMPLETE_NAME, is_whole, versions_of
from companion.box.layout import Places

Flush = Callable[[Path], object]
"""Puts all that was written to the disk of this folder on the disk."""
KEPT_VERSIONS: Final = 2
"""So many whole versions stay: a memory card has room for more, but not for every one."""


def flush(folder: Path) -> None:
    """Waits until the file system of the folder has all on the disk. Raises `OSError`."""
    done = subprocess.run(["sync", "-f", str(folder)], check=False, capture_output=True, text=True)
    if done.returncode:
        raise OSError(0, done.stderr.strip() or "sync has failed", str(folder))


def in_use(layout: Places) -> Path | None:
    """The version that starts; None where nothing is installed."""
    return next(versions_of(layout.opt), None)


def what_it_is(folder: Path) -> dict[str, str]:
    """What a version says of itself: `version` and `source`."""
    with suppress(OSError, ValueError, AttributeError):
        return {str(key): str(value) for key, value in json.loads((folder / COMPLETE_NAME).read_bytes()).items()}
    return {}


def next_folder(layout: Places, version: str) -> Path:
    """A name that sorts behind all others. By number: the clock of a Pi may be of last year."""
    numbers = [int(each.name.split("-")[0]) for each in layout.versions.glob("[0-9]*") if each.name[:4].isdigit()]
    return layout.versions / f"{max(numbers, default=0) + 1:04}-{version}"


def complete(folder: Path, flush: Flush, **what: str) -> None:
    """The version is whole: all of it is on the disk first, then the file that says so."""
    flush(folder)
    write_file(folder / COMPLETE_NAME, json.dumps(what).encode(), 0o644)
    flush(folder)


def switch(layout: Places, folder: Path, flush: Flush) -> None:
    """The version is in use from now on. Raises `OSError` when it is not whole or the disk refuses."""
    if not is_whole(folder):
        raise OSError(0, "this version is not whole", str(folder))
    old = in_use(layout)
    flush(layout.opt)
    if old is not None and old != folder.resolve():
        point(layout.before, old)
    point(layout.current, folder)
    flush(layout.opt)


def point(link: Path, folder: Path) -> None:
    """Lets the link lead to the folder beside it, in one step."""
    new = link.with_name(f"{link.name}.new")
    new.unlink(missing_ok=True)
    new.symlink_to(os.path.relpath(folder, link.parent))
    new.replace(link)


def prune(layout: Places, flush: Flush) -> None:
    """Removes what was never finished, and all but the newest versions and those in use. What goes is no longer whole
    before its first file is gone."""
    kept = {each.resolve() for each in (layout.current, layout.before) if each.exists()}
    for each in sorted(layout.versions.glob("*"), reverse=True):
        if len(kept) < KEPT_VERSIONS and is_whole(each):
            kept.add(each.resolve())
    gone = [folder for folder in layout.versions.glob("*") if folder.resolve() not in kept]
    for folder in gone:
        remove(folder, flush)


def remove(folder: Path, flush: Flush) -> None:
    """Deletes a version that is not in use."""
    (folder / COMPLETE_NAME).unlink(missing_ok=True)
    flush(folder.parent)
    shutil.rmtree(folder, ignore_errors=True)


def write_file(path: Path, content: bytes, mode: int, owner: tuple[int, int] | None = None) -> None:
    """Writes a file whole or not at all, on the disk when it returns; `owner`: of this user and group. Raises
    `OSError`."""
    new = path.with_name(f".{path.name}.new")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        if owner is not None:
            os.fchown(file.fileno(), *owner)
        os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
