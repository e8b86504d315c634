"""Faults while it runs: nothing that was acknowledged is lost. `python -m tests.bench.faults`, with few of each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.bench.faults import kinds
from tests.bench.faults.disks import NoDiskError
from tests.bench.faults.kinds import Fault
from tests.bench.faults.memory import NoGroupError

pytestmark = pytest.mark.long


def test_the_clock_is_set_back_and_forth() -> None:
    found = kinds.clock(10)
    assert (found.lost, found.refused) == (0, 0)
    assert found.acknowledged > 30
    assert "0 times" not in found.told, "the clock was really another"


@pytest.mark.parametrize("fault", [kinds.full, kinds.read_only])
def test_the_disk_takes_no_more(fault: Callable[[int], Fault]) -> None:
    try:
        found = fault(2)
    except NoDiskError as error:
        pytest.skip(f"no disk of its own can be had here: {error}")
    assert found.lost == 0
    assert found.refused >= 2
    assert found.acknowledged > 10


def test_it_is_told_to_stop_while_many_watch() -> None:
    found = kinds.stopped(2)
    assert (found.lost, found.refused) == (0, 0)
    assert found.acknowledged > 10


def test_memory_runs_out_and_the_kernel_takes_the_eyes_alone() -> None:
    try:
        found = kinds.out_of_memory(2)
    except NoGroupError as error:
        pytest.skip(f"memory cannot be limited here: {error}")
    assert (found.lost, found.refused) == (0, 0)
    assert found.acknowledged > 10
