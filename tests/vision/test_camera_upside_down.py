"""A camera that hangs upside down over tag cards: a whole excerpt, enrolled and read in pictures turned by half."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.changed_pictures import WAYS
from tests.bench.worse import read_changed

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.long
@pytest.mark.parametrize("name", ["kamikaze-1", "pick-1"])
def test_a_set_is_read_by_a_camera_upside_down(name: str) -> None:
    score = read_changed(DATA / name, WAYS["upside down"])

    assert (score.free_unread, score.busy_read) == (0, 0)
    assert score.tables_right == score.free > 0
    assert (score.missed, score.silently_wrong) == (0, 0)
    assert score.right + score.asked == score.plies > 0
