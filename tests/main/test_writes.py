"""What an hour of play writes to a memory card, besides pictures: `python -m tests.bench.writes`, a shorter game."""

from __future__ import annotations

import pytest

from tests.bench import writes


@pytest.mark.long
def test_an_hour_of_play_writes_20_mb_at_most() -> None:
    found = writes.measure(plies=4, idle_s=5.0)
    assert found.a_ply > 0, "the folder lies on a disk, and what is written there was counted"
    assert found.an_hour_mb <= writes.PROMISED_MB
