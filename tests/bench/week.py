"""A week of play at high speed: `python -m tests.bench.week` writes the part `week` of docs/reliability.md.

An hour of play is 60 plies, a week 168 such hours without a rest. Phones come and go meanwhile, and look at the table,
the history and past games. After each hour are counted: the memory of the service (PSS), its open files and sockets,
its threads, and what lies in its state folder.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from tests.bench.door.attacks import STREAM, connect
from tests.bench.door.health import size
from tests.bench.door.running import Running, running
from tests.bench.faults.playing import Playing
from tests.bench.idle import sizes_mb
from tests.bench.page import ROOT, machine, table, write_parts

DAYS: Final = 7
HOURS: Final = 24
PLIES_AN_HOUR: Final = 60
PHONES: Final = 4
PAGES: Final = ("/", "/games", "/games/1", "/score", "/eyes", "/table.json", "/corrections.json", "/metrics", "/invite")
SEED: Final = 1
GROWTH: Final = 0.1
"""How much more memory the last day may take than the second."""


@dataclass(frozen=True)
class Hour:
    """What the service holds after an hour of play."""

    memory_mb: float
    handles: int
    threads: int
    disk_mb: float


@dataclass(frozen=True)
class Week:
    """All hours, and how long they took."""

    hours: Sequence[Hour]
    plies: int
    took_s: float

    def days(self) -> list[Sequence[Hour]]:
        """The hours of each day."""
        return [self.hours[at : at + HOURS] for at in range(0, len(self.hours), HOURS)]

    def is_level(self) -> bool:
        """Whether nothing grows but the journal, and that by the ply."""
        second, last = self.days()[1], self.days()[-1]
        grown = median(each.memory_mb for each in last) / median(each.memory_mb for each in second) - 1
        same = all(max(each[what] for each in map(_counts, last)) <= max(each[what] for each in map(_counts, second))
                   for what in (0, 1))
        return grown <= GROWTH and same


def _counts(hour: Hour) -> tuple[int, int]:
    return hour.handles, hour.threads


def play(hours: int, seed: int = SEED) -> Week:
    """Plays so many hours."""
    rng, began_s = Random(seed), time.monotonic()
    found: list[Hour] = []
    playing = Playing(rng)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service:
        for _ in range(hours):
            with ExitStack() as phones:
                for number in range(PHONES):
                    phone = phones.enter_context(closing(connect(service.port, f"127.0.3.{1 + number}")))
                    phone.sendall(STREAM)
                for _ in range(PLIES_AN_HOUR):
                    assert playing.ply(service)
                    service.ask(rng.choice(PAGES), "127.0.3.200")
            found.append(hour_of(service))
        lost = playing.lost(Path(folder)) if service.stop() else 0
    assert lost == 0
    return Week(found, hours * PLIES_AN_HOUR, time.monotonic() - began_s)


def hour_of(service: Running) -> Hour:
    """Counts, once the phones that have gone are noticed."""
    pid = service.process.pid
    service.wait_for(lambda: b'"streams":0' in service.ask("/health").replace(b" ", b""))
    folder = Path(f"/proc/{pid}")
    return Hour(sum(sizes_mb([pid]).values()), len(list((folder / "fd").iterdir())),
                len(list((folder / "task").iterdir())), size(service.state) / 1e6)


def report(week: Week) -> Iterator[str]:
    """The part `week` of the page."""
    yield "## A week of play\n"
    yield f"`python -m tests.bench.week`: {week.plies} plies (seed {SEED}), 60 an hour of a week without a rest, played"
    yield f"in {week.took_s / 60:.0f} minutes. {PHONES} phones come and go with each hour, and with each ply a page is"
    yield "looked at. Counted after each hour: the service's memory, open files and sockets, threads, and its state"
    yield "folder. Promised: no more of the first three on the last day than on the second, memory"
    yield f"within {GROWTH:.0%}.\n"
    rows, before = [], 0.0
    for number, day in enumerate(week.days(), 1):
        rows.append((str(number), f"{median(each.memory_mb for each in day):.1f}",
                     f"{max(each.memory_mb for each in day):.1f}", str(max(each.handles for each in day)),
                     str(max(each.threads for each in day)), f"{day[-1].disk_mb - before:.2f}"))
        before = day[-1].disk_mb
    yield from table(("day", "memory, MB", "at most", "handles", "threads", "more on the disk, MB"), rows)


def main(days: int = DAYS) -> int:
    week = play(days * HOURS)
    part = "\n".join([*report(week), "", machine()])
    sys.stdout.write(part + "\n")
    write_parts({"week": part}, ROOT / "docs" / "reliability.md")
    return 0 if week.is_level() else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
