"""What the SD card has to bear: `python -m tests.bench.writes` writes the part `writes` of docs/reliability.md.

Measured is `write_bytes` of /proc/PID/io, which counts the pages that a process makes the system write, for all
processes of the service. A ply is played every few seconds: faster than people do, but so slowly that what the journal
does when nothing happens is done after each. What a ply costs is measured by the ply, what passes with time alone by
the second, and both are added up for an hour. Not in it: pictures of what was seen, which have a quota of their own,
and what the file system writes for itself.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from tests.bench.door.health import watching
from tests.bench.door.memory import play
from tests.bench.door.running import Running, running
from tests.bench.idle import family
from tests.bench.page import ROOT, machine, table, write_parts

PHONES: Final = 4
PLIES: Final = 40
BETWEEN_PLIES_S: Final = 5.0
IDLE_S: Final = 60.0
PLIES_AN_HOUR: Final = 60
PROMISED_MB: Final = 20.0
SEED: Final = 1


@dataclass(frozen=True)
class Written:
    """In bytes: at the start, by the ply, by the second without a ply."""

    start: int
    a_ply: float
    a_second: float

    @property
    def an_hour_mb(self) -> float:
        return (PLIES_AN_HOUR * self.a_ply + 3600 * self.a_second) / 1e6


def written(service: Running) -> int:
    """Bytes that all processes of the service have made the system write."""
    said = (Path(f"/proc/{pid}/io").read_text(encoding="ascii") for pid in family(service.process.pid))
    return sum(int(line.split()[1]) for text in said for line in text.splitlines() if line.startswith("write_bytes"))


def measure(plies: int = PLIES, idle_s: float = IDLE_S) -> Written:
    """Lets the table rest, then plays, with phones that watch."""
    with tempfile.TemporaryDirectory(dir=ROOT) as folder, running(Path(folder)) as service:
        start = written(service)
        with watching(service, PHONES):
            playing = play(service, Random(SEED))
            next(playing)
            time.sleep(BETWEEN_PLIES_S)
            before = written(service)
            time.sleep(idle_s)
            idle = written(service) - before
            for _ in islice(playing, plies):
                time.sleep(BETWEEN_PLIES_S)
            played = written(service) - before - idle
        a_second = idle / idle_s
        return Written(start, (played - a_second * plies * BETWEEN_PLIES_S) / plies, a_second)


def report(found: Written) -> Iterator[str]:
    yield "## What is written\n"
    yield f"`python -m tests.bench.writes`: `write_bytes` of all processes, {PHONES} phones watching, {IDLE_S:.0f} s"
    yield f"without a ply, then {PLIES} plies of Kamikaze Cans, one in {BETWEEN_PLIES_S:.0f} s (seed {SEED}). " \
          "An hour of"
    yield f"play is {PLIES_AN_HOUR} plies and 3,600 s, added up from these; pictures, and what the file system " \
          "writes for"
    yield f"itself, are not in it. Promised: {PROMISED_MB:.0f} MB.\n"
    yield from table(("what", "written"), [
        ("a start", f"{found.start / 1e6:.2f} MB"), ("a ply", f"{found.a_ply / 1000:.1f} kB"),
        ("an hour without a ply", f"{3600 * found.a_second / 1e6:.2f} MB"),
        ("**an hour of play**", f"{found.an_hour_mb:.2f} MB")])


def main() -> int:
    found = measure()
    part = "\n".join([*report(found), "", machine()])
    sys.stdout.write(part + "\n")
    write_parts({"writes": part}, ROOT / "docs" / "reliability.md")
    return 0 if found.an_hour_mb <= PROMISED_MB else 1


if __name__ == "__main__":
    sys.exit(main())
