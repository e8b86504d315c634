"""Kills a process that writes a journal, again and again, and looks for every line that it had acknowledged.

    python -m tests.bench.journal.kills [KILLS]      # 120 kills, about two minutes; docs/reliability.md

All in one journal: each writer goes on where the one before was killed. A line is acknowledged when its game, number
and hash have come out of the writer's pipe; since each hash covers all lines of the game before it, equal hashes are
equal games.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from companion.session.clock import SystemClock
from companion.session.journal import open_journal
from companion.session.journal.chain import line_of
from tests.bench.journal.play import rules
from tests.bench.page import ROOT, table, write_parts

PAGE = ROOT / "docs" / "reliability.md"
KILLS = 120
LINES_A_LIFE = (60, 140)
"""A writer is killed after so many lines, by chance."""
MAX_WAIT_S = 0.004
"""And after so long: in the middle of an append, as often as not."""


@dataclass
class Killed:
    """What came of it."""

    kills: int = 0
    started: int = 0
    acknowledged: dict[tuple[int, int], str] = field(default_factory=dict)
    lost: int = 0
    ahead: int = 0
    """Lives whose last lines were on the disk, and their acknowledgement was cut off."""
    notices: int = 0
    opening_ms: list[float] = field(default_factory=list)


def measure(folder: Path, kills: int, seed: int = 1) -> Killed:
    """Kills so many writers of one journal."""
    told, rng = Killed(), random.Random(seed)
    for number in range(kills):
        _one_life(folder, seed + number, rng, told)
        _look(folder, told)
    return told


def _one_life(folder: Path, seed: int, rng: random.Random, told: Killed) -> None:
    command = [sys.executable, "-m", "tests.bench.journal.killed_writer", str(folder), str(seed)]
    lines = rng.randint(*LINES_A_LIFE)
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=environ) as life:
        assert life.stdout is not None
        opened = life.stdout.readline().decode()
        told.started += opened.startswith("open")
        told.notices += opened != "open 0\n"
        said = [life.stdout.readline() for _ in range(lines)]
        time.sleep(rng.uniform(0, MAX_WAIT_S))
        life.send_signal(signal.SIGKILL)
        said += life.stdout.read().splitlines(keepends=True)
    told.kills += 1
    for each in said:
        if each.endswith(b"\n"):
            game, n, _, hash = each.decode().split()
            told.acknowledged.setdefault((int(game), int(n)), hash)  # a later life that says it again has lost it


def _look(folder: Path, told: Killed) -> None:
    """Compares the last game with what was acknowledged of it; the ends of all others are verified by opening."""
    began_s = time.perf_counter()
    resumed = open_journal(folder, rules(), SystemClock())
    told.opening_ms.append(1000 * (time.perf_counter() - began_s))
    told.notices += len(resumed.notices)
    last = max(told.acknowledged, default=(0, 0))
    tip = resumed.journal.tip
    told.ahead += (tip.game, tip.n) > last
    resumed.journal.close()


def lost(folder: Path, told: Killed) -> int:
    """How many acknowledged lines are not there, or are others."""
    resumed = open_journal(folder, rules(), SystemClock())
    found = {line_of(id): hash.hex() for id, hash in resumed.journal.hashes()}
    resumed.journal.close()
    return sum(found.get(key) != hash for key, hash in told.acknowledged.items())


def page(told: Killed, took_s: float) -> Iterator[str]:
    yield "## Kills"
    yield ""
    yield (f"`python -m tests.bench.journal.kills {told.kills}`: a process that writes as fast as the disk takes it is "
           "ended by `kill -9` in the middle of its work, and another goes on with the same journal. It took "
           f"{took_s:.0f} s.")
    yield ""
    ms = sorted(told.opening_ms)
    yield from table(
        ("kills", "started again", "lines acknowledged", "lost", "lives that wrote more than they could say", "notices",
         "opening, median ms"),
        [tuple(map(str, (told.kills, told.started, len(told.acknowledged), told.lost, told.ahead, told.notices,
                         f"{ms[len(ms) // 2]:.0f}")))],
    )


def main(kills: int = KILLS) -> int:
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        told = measure(Path(place), kills)
        told.lost = lost(Path(place), told)
    write_parts({"kills": "\n".join(page(told, time.monotonic() - began_s))}, PAGE)
    print(*page(told, time.monotonic() - began_s), sep="\n")
    return 1 if told.lost or told.started < told.kills or told.notices else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
