"""Pictures of what the eyes saw when a ply was decided: kept beside the journal by game and ply, within a quota.

The eyes' process writes the newest pictures as `evidence/look-NUMBER.jpg`; when a ply appears, one of them is linked as
`evidence/KEY/ply-N.jpg`. The service itself never holds a picture: it only renames, links and deletes. When there is
too much, the games that were looked at longest ago go first.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

EVIDENCE_NAME: Final = "evidence"
"""The folder, beside the journal."""
AT_ONCE: Final = 4
"""More plies than so many are not new at once."""
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{8,64}", re.A)
_LOOK: Final = re.compile(r"look-(\d{1,12})\.jpg", re.A)
_PLY: Final = re.compile(r"ply-(\d{1,6})\.jpg", re.A)


@dataclass(frozen=True, slots=True)
class PliesSeen:
    """The plies of the game that is played: the number of the look that showed each, None where a person told it."""

    key: str = ""
    looks: tuple[int | None, ...] = ()


class EvidenceKeeper:
    """Gives plies their pictures, in one life of the eyes: numbers of looks begin anew with each. Use from one
    thread."""

    def __init__(self, folder: Path, quota_mb: int) -> None:
        self._folder, self._quota = folder / EVIDENCE_NAME, quota_mb * 1_000_000
        self._known: dict[str, tuple[int | None, ...]] = {}
        """The looks of the plies of each game, as they were told last."""

    def follow(self, now: PliesSeen) -> None:
        """The game stands so now: plies that are new since the last call get a picture. A game that is met in its
        middle was seen by other eyes. A disk that takes no picture costs the picture alone."""
        old = self._known.get(now.key, () if len(now.looks) <= AT_ONCE else now.looks)
        self._known = {**dict(list(self._known.items())[-AT_ONCE:]), now.key: now.looks}
        if _KEY.fullmatch(now.key) is None:
            return
        new = [n for n, look in enumerate(now.looks, 1) if n > len(old) or old[n - 1] != look]
        if new:
            with suppress(OSError):
                for n in new:
                    self._keep(now.key, n, now.looks[n - 1])
                self._make_room(now.key)

    def _keep(self, key: str, n: int, look: int | None) -> None:
        """A ply that a person told keeps the picture on which it was decided before."""
        kept = self._folder / key / f"ply-{n}.jpg"
        if look is None and kept.exists():
            return
        found = ((_number(_LOOK, file), file) for file in self._folder.glob("look-*.jpg"))
        looks = {number: file for number, file in found if number is not None and (look is None or number <= look)}
        if looks:  # a look that was like the one before has no picture of its own
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.unlink(missing_ok=True)
            _link(looks[max(looks)], kept)

    def _make_room(self, current: str) -> None:
        """Of the games that were looked at longest ago all pictures go, then of this game the oldest."""
        games = sorted((each for each in self._folder.iterdir() if each.is_dir() and _KEY.fullmatch(each.name)),
                       key=lambda each: (each.name == current, each.stat().st_mtime))
        sizes = {game: _size(game) for game in games}
        for game in games:
            if sum(sizes.values()) <= self._quota or game.name == current:
                break
            shutil.rmtree(game)
            sizes[game] = 0
        files = sorted((self._folder / current).glob("ply-*.jpg"), key=lambda file: _number(_PLY, file) or 0)
        while files and _size(self._folder / current) > self._quota:
            files.pop(0).unlink()


class PlyPictures:
    """The pictures of the table that is played, for pages. Any thread may call."""

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder

    def plies(self, key: str) -> tuple[int, ...]:
        """The numbers of the plies of a game that have a picture, in order."""
        if _KEY.fullmatch(key) is None:
            return ()
        found = (_number(_PLY, file) for file in (self._folder() / EVIDENCE_NAME / key).glob("ply-*.jpg"))
        return tuple(sorted(n for n in found if n is not None))

    def picture(self, key: str, n: int) -> bytes | None:
        """The picture of a ply, as JPEG; None where there is none."""
        if _KEY.fullmatch(key) is None:
            return None
        with suppress(OSError):
            return (self._folder() / EVIDENCE_NAME / key / f"ply-{n}.jpg").read_bytes()
        return None


def forget_pictures(folder: Path, keys: Iterable[str]) -> None:
    """Deletes the pictures of these games of a table, and the newest ones, which may be of one of them. Raises
    `OSError`."""
    for key in keys:
        if _KEY.fullmatch(key):
            with suppress(FileNotFoundError):
                shutil.rmtree(folder / EVIDENCE_NAME / key)
    for file in (folder / EVIDENCE_NAME).glob("look-*.jpg"):
        file.unlink(missing_ok=True)


def old_looks(names: Collection[str], most: int) -> tuple[str, ...]:
    """Of these names of files, those of looks that are older than the newest `most`."""
    looks = sorted((int(found[1]), name) for name in names if (found := _LOOK.fullmatch(name)))
    return tuple(name for _, name in looks[:-most]) if most else tuple(name for _, name in looks)


def _number(form: re.Pattern[str], file: Path) -> int | None:
    found = form.fullmatch(file.name)
    return int(found[1]) if found else None


def _size(folder: Path) -> int:
    """Bytes of the files in a folder; plies of one look share a picture."""
    found = [each.stat() for each in folder.iterdir()] if folder.is_dir() else []
    return sum({each.st_ino: each.st_size for each in found}.values())


def _link(here: Path, there: Path) -> None:
    """The same file under another name too; a copy, where the disk knows no such thing."""
    try:
        os.link(here, there)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copyfile(here, there)
