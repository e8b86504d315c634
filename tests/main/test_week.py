"""Some hours of play at high speed: `python -m tests.bench.week`, a short form of it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.bench import week


@pytest.mark.long
def test_nothing_but_the_journal_grows_by_the_hour() -> None:
    hours = week.play(8).hours
    settled = hours[2:]
    assert {each.handles for each in settled} == {settled[0].handles}
    assert max(each.threads for each in settled) <= settled[0].threads
    assert settled[-1].memory_mb - settled[0].memory_mb < 5.0
    grown = [after.disk_mb - before.disk_mb for before, after in pairwise(settled)]
    assert max(grown) < 1.0, grown
