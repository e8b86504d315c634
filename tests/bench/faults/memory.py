"""Memory runs out while it is played: a control group with a limit of its own, and a program in it that wants more."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import getpid
from pathlib import Path
from random import Random
from typing import Final

from tests.bench.door.running import Running, running
from tests.bench.faults.playing import Playing

GROUPS: Final = Path("/sys/fs/cgroup")
LEFT_MB: Final = 100
"""So much more is left: a greedy program is by far the largest when it is gone, and the kernel takes the largest unless
another one has asked to go first."""
GREEDY: Final = "kept = []\nwhile True: kept.append(b'x' * 1_000_000)"
PLIES: Final = 3
TOLD_S: Final = 5.0
"""So soon it is told that the eyes have gone."""


class NoGroupError(Exception):
    """Why no such group can be had here."""


@dataclass(frozen=True)
class Group:
    """A control group of Linux: its folder, and the names that limit and use have there."""

    folder: Path
    limit: str
    used: str

    @property
    def enter(self) -> tuple[str, ...]:
        """A command before others, which are in the group with all their children."""
        return "sh", "-c", f'echo $$ > {self.folder}/cgroup.procs && exec "$@"', "sh"

    def leave(self, free_mb: int) -> None:
        """What is in it may take so much more than it has."""
        used = dict(line.split() for line in (self.folder / "memory.stat").read_text().splitlines())
        (self.folder / self.limit).write_text(str(int(used[self.used]) + free_mb * 1_000_000))


@contextmanager
def group() -> Iterator[Group]:
    """One of our own, in the newer or the older kind. Raises `NoGroupError`."""
    name = f"companion-{getpid()}"
    if (GROUPS / "cgroup.subtree_control").exists():
        made = Group(GROUPS / name, "memory.max", "anon")
    else:
        made = Group(GROUPS / "memory" / name, "memory.limit_in_bytes", "rss")
    try:
        made.folder.mkdir()
    except OSError as error:
        raise NoGroupError(str(error)) from error
    try:
        if not (made.folder / made.limit).exists():
            raise NoGroupError(f"memory cannot be limited in {made.folder}")
        yield made
    finally:
        with suppress(OSError):  # something in it still runs after a failure
            made.folder.rmdir()


def runs_out(folder: Path, times: int, seed: int = 1) -> tuple[Playing, float]:
    """Memory runs out so many times while it is played; the service must be the same process all the time. Gives what
    was played, and the seconds until other eyes run, at worst."""
    playing, back_s = Playing(Random(seed)), [0.0]
    with group() as limited, running(folder, "camera", under=limited.enter) as service:
        for _ in range(times):
            service.wait_for(lambda: _looks(service))
            eyes = service.eyes_pid()
            assert playing.plies(service, PLIES)
            limited.leave(LEFT_MB)
            greedy = subprocess.Popen([*limited.enter, sys.executable, "-c", GREEDY])
            assert greedy.wait(60) < 0, "it goes too, but only once it has taken what they left"
            assert service.eyes_pid() != eyes, "they went first"
            assert service.wait_for(lambda: _gone(service)) < TOLD_S
            assert playing.plies(service, PLIES), "the game goes on without them"
            back_s.append(service.wait_for(service.eyes_pid))
        service.stop()
    return playing, max(back_s)


def _gone(service: Running) -> bool:
    """Whether people are told that the eyes have ended; a camera that is away is told otherwise."""
    return "have stopped" in str(service.eyes()["words"])


def _looks(service: Running) -> bool:
    """Whether the eyes have looked for a camera, with all that they load for it."""
    said = service.eyes()
    return said["picture"] or "No camera" in str(said["words"])
