"""A power cut on a journal's files: what of an append is on the disk when the power goes in the middle of it.

An append writes in stages, and waits for the disk after each: the log, then the anchor. When the log is carried over,
the main file comes first, then the log is cut. A power cut comes in one stage. What came before it is on the disk, what
comes after it is not, and of its own writes any sectors are there, in whatever order the card took them, and any length
that the file had.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

from companion.session.journal import JOURNAL_NAME
from companion.session.journal.anchor import ANCHOR_NAME

STAGES: Final = (f"{JOURNAL_NAME}-wal", JOURNAL_NAME, ANCHOR_NAME)
SECTOR_BYTES: Final = 512

Files = Mapping[str, bytes]
"""What is in each file, by its name. What SQLite keeps of the log in memory is not among them: it goes with the power.
"""


def files_of(folder: Path) -> Files:
    """The journal's files as they are now."""
    return {name: (folder / name).read_bytes() for name in STAGES if (folder / name).exists()}


def cut_between(before: Files, after: Files, rng: Random) -> dict[str, bytes]:
    """What is there after a cut in the middle of what led from one to the other."""
    log, main, _ = STAGES
    is_folded = len(after.get(log, b"")) < len(before.get(log, b""))
    order = (main, log, ANCHOR_NAME) if is_folded else STAGES
    changed = [name for name in order if before.get(name) != after.get(name)]
    if not changed:
        return dict(after)
    stage = rng.choice(changed)
    done = changed[:changed.index(stage)]
    left = {**before, **{name: after[name] for name in done}}
    left[stage] = _torn(before.get(stage, b""), after[stage], rng)
    return left


def _torn(before: bytes, after: bytes, rng: Random) -> bytes:
    """Some sectors as they were, some as they were to be; where the file grew, also some of nothing."""
    share = rng.choice((0.0, 0.1, 0.5, 0.9, 1.0))
    long = rng.choice((len(before), len(after), rng.randint(*sorted((len(before), len(after))))))
    old, new = before.ljust(long, b"\0"), after.ljust(long, b"\0")
    return b"".join((new if rng.random() < share else old)[at:at + SECTOR_BYTES]
                    for at in range(0, long, SECTOR_BYTES))[:long]


def put(files: Files, folder: Path) -> Path:
    """The files in a new folder."""
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder
