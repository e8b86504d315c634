"""Each fault, a number of times, and what came of it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from tests.bench.door.health import watching
from tests.bench.door.running import running
from tests.bench.faults import clocks, disks, memory
from tests.bench.faults.playing import Playing

STREAMS: Final = 200


@dataclass(frozen=True)
class Fault:
    """What came of a fault that happened so many times."""

    times: int
    acknowledged: int
    refused: int
    lost: int
    told: str

    def row(self, what: str) -> tuple[str, ...]:
        return what, str(self.times), str(self.acknowledged), str(self.refused), str(self.lost), self.told


def clock(jumps: int) -> Fault:
    """The clock jumps up to 30 years either way."""
    with tempfile.TemporaryDirectory() as folder:
        playing, back = clocks.measure(Path(folder), jumps)
        lost = playing.lost(Path(folder) / "state")
    return _fault(jumps, playing, lost, f"in order by number; {back} times a line is dated before the one above")


def full(times: int) -> Fault:
    """The disk fills."""
    with tempfile.TemporaryDirectory() as folder:
        disk = disks.Disk.made(Path(folder))
        playing, told_s = disks.full(disk, times)
        with disk.opened() as state:
            lost = playing.lost(state)
    return _fault(times, playing, lost, f"on the page within {told_s:.2f} s; goes on by itself once there is room")


def read_only(times: int) -> Fault:
    """The file system allows no more writing."""
    with tempfile.TemporaryDirectory() as folder:
        disk = disks.Disk.made(Path(folder))
        playing, told_s = disks.read_only(disk, times)
        with disk.opened() as state:
            lost = playing.lost(state)
    return _fault(times, playing, lost, f"on the page within {told_s:.2f} s; goes on after a start")


def stopped(times: int, streams: int = STREAMS) -> Fault:
    """SIGTERM in the midst of play, while so many phones watch."""
    playing, took_s = Playing(Random(1)), []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(times):
            with running(Path(folder)) as service, watching(service, streams):
                assert playing.plies(service, 5)
                took_s.append(service.stop())
        lost = playing.lost(Path(folder))
    return _fault(times, playing, lost, f"ended after at most {max(took_s):.2f} s")


def out_of_memory(times: int) -> Fault:
    """Memory runs out."""
    with tempfile.TemporaryDirectory() as folder:
        playing, back_s = memory.runs_out(Path(folder), times)
        lost = playing.lost(Path(folder))
    told = f"the kernel takes the eyes first, never the service; others run after at most {back_s:.1f} s"
    return _fault(times, playing, lost, told)


def _fault(times: int, playing: Playing, lost: int, told: str) -> Fault:
    return Fault(times, len(playing.acknowledged), playing.refused, lost, told)
