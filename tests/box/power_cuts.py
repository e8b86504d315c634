"""Power cuts over a fake root: what was written since the last flush is emptied, names may be the old or the new ones.

ext4, as Raspberry Pi OS mounts it, puts names on the disk some seconds after they are made and the content of a new
file up to half a minute later: after a power cut a file can have its name and size 0. A rename is on the disk as a
whole or not.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest


class PowerCutError(BaseException):
    """The power is gone. Nothing may catch it."""


class Disk:
    """The disk of a fake root: knows what was on it at the last flush of anything."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._synced = set[int]()
        self.flush(root)

    def flush(self, folder: Path) -> None:
        """All is on the disk (`sync -f` of the one file system that there is)."""
        self._safe = {path: signature(path) for path in self._names()}
        self._links = {path: os.readlink(path) for path in self._safe if path.is_symlink()}

    @contextmanager
    def hears_fsync(self) -> Iterator[None]:
        """A file that is synced by itself is on the disk too."""
        really = os.fsync

        def fsync(number: int) -> None:
            really(number)
            self._synced.add(os.fstat(number).st_ino)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "fsync", fsync)
            yield

    def cut(self, rng: Random) -> None:
        """What a machine finds when it starts again."""
        for path in self._names():
            if path.is_symlink():
                old = self._links.get(path)
                if old != os.readlink(path) and rng.random() < 0.5:
                    path.unlink()
                    if old is not None:
                        path.symlink_to(old)
            elif path.is_file() and path.stat().st_ino not in self._synced and self._safe.get(path) != signature(path):
                path.write_bytes(b"")

    def _names(self) -> list[Path]:
        return [Path(where) / name for where, folders, files in os.walk(self.root) for name in (*folders, *files)]


def signature(path: Path) -> tuple[int, int, int]:
    """Changes whenever the file is written to or becomes another one."""
    stat = path.lstat()
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def lines_of(deed: Callable[[], object], rooms: tuple[str, ...], stop_at: int | None = None) -> int:
    """Runs it and counts the lines of these files that are carried out; at line `stop_at` the power goes."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.endswith(rooms):
            return None
        if event == "line":
            count += 1
            if count == stop_at:
                raise PowerCutError
        return trace

    before = sys.gettrace()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # a power cut closes no file
        sys.settrace(trace)
        try:
            deed()
        except PowerCutError:
            pass
        finally:
            sys.settrace(before)
        gc.collect()  # what it left open goes here, not in another test
    return count


def copy_of(root: Path, to: Path) -> Path:
    """The same machine again."""
    shutil.copytree(root, to, symlinks=True)
    return to
