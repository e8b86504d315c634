"""Which other programs have a device open, as far as this user may see: so that people are told a name.

    >>> programs_with(Path("/dev/null"), proc=Path("/nowhere"))
    ()
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.errors import Phrase, phrase

PROC: Final = Path("/proc")
MAX_NAMED: Final = 3


def programs_with(device: Path, proc: Path = PROC, own: Callable[[], int] = os.getpid) -> tuple[str, ...]:
    """The programs that have the device open, each with its process: `python3 (1234)`; this process is none of them.

    Processes of other users show their files to root alone: an empty answer means "nobody that can be seen".
    """
    wanted = os.path.realpath(device)
    return tuple(sorted(set(_holding(wanted, proc, own()))))[:MAX_NAMED]


def busy_phrase(where: str, *devices: Path) -> Phrase:
    """That another program has the camera, and which, if that can be seen."""
    programs = tuple(dict.fromkeys(each for device in devices for each in programs_with(device)))
    return phrase("hw.camera_busy_by", where=where, given=programs) if programs else phrase(
        "hw.camera_busy", where=where)


def _holding(wanted: str, proc: Path, own: int) -> Iterator[str]:
    for process in proc.glob("[0-9]*"):
        if process.name == str(own):
            continue
        with suppress(OSError):  # it has ended, or is another user's
            if any(_points_to(file, wanted) for file in (process / "fd").iterdir()):
                yield f"{(process / 'comm').read_text(encoding='utf-8', errors='replace').strip()} ({process.name})"


def _points_to(file: Path, wanted: str) -> bool:
    try:
        return os.readlink(file) == wanted
    except OSError:
        return False
