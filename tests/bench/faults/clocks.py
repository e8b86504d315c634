"""The clock of a service that runs is set back and forth. Its processes are shown another time than the machine has."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

from tests.bench.door.running import Running, running
from tests.bench.faults.playing import Playing, lines
from tests.bench.page import ROOT

YEAR_S: Final = 365.25 * 86400
SHOWN: Final = '''
import datetime, os, time
real = time.time
def shift():
    try: return float(open(os.environ["CLOCK_IS_OFF_BY"]).read())
    except (OSError, ValueError): return 0.0
class Shown(datetime.datetime):
    @classmethod
    def now(cls, tz=None): return datetime.datetime.fromtimestamp(real() + shift(), tz)
time.time = lambda: real() + shift()
datetime.datetime = Shown
'''
PLIES: Final = 3


@contextmanager
def with_a_clock(state: Path, folder: Path) -> Iterator[Running]:
    """A service whose clock is off by what the file `shift` in `folder` says."""
    (folder / "sitecustomize.py").write_text(SHOWN)
    environ = {"CLOCK_IS_OFF_BY": str(folder / "shift"), "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    with running(state, environ=environ) as service:
        yield service


def measure(folder: Path, jumps: int, seed: int = 1) -> tuple[Playing, int]:
    """Plays while the clock jumps so many times, up to 30 years either way; every fifth time the service is killed.
    Gives what was played, and how often the times of two lines, one after the other, went back."""
    state, rng = folder / "state", Random(seed)
    playing, left = Playing(rng), jumps
    while left:
        with with_a_clock(state, folder) as service:
            for _ in range(min(5, left)):
                left -= 1
                (folder / "shift").write_text(str(rng.uniform(-30, 30) * YEAR_S))
                assert playing.plies(service, PLIES), "the host's cookie opens the table as before"
                assert json.loads(service.ask("/health"))["ok"]
            os.kill(service.process.pid, signal.SIGKILL)
    times = [at for _, at in lines(state)]
    return playing, sum(after < before for before, after in pairwise(times))
