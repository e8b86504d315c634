"""Every line that was acknowledged survives `kill -9` at any moment: a short form of `make bench-journal`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.journal import kills


@pytest.mark.parametrize("many", [pytest.param(3, id="quick"), pytest.param(40, id="long", marks=pytest.mark.long)])
def test_no_acknowledged_ply_is_lost_when_the_writer_is_killed_at_random(tmp_path: Path, many: int) -> None:
    told = kills.measure(tmp_path, many, seed=22)
    assert told.kills == told.started == many
    assert len(told.acknowledged) > 50 * many
    assert kills.lost(tmp_path, told) == 0
    assert told.notices == 0
