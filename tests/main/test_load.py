"""A stuck phone never blocks the table, and the service stops with all phones open: `make bench-load`, with few changes
and five times the time that is promised, as other tests run beside it."""

from __future__ import annotations

import pytest

from tests.bench import load


@pytest.mark.long
def test_two_hundred_phones_some_of_them_stuck() -> None:
    found = load.load(changes=4, watched_s=2.0, starts=0)
    assert found.health.failed == 0
    assert found.health.at(0.99) < 5 * 1000 * load.PROMISED["health"]
    assert max(found.changes_s) < 5 * load.PROMISED["change"], "every phone that reads is told, and waits for none"
    assert found.refused == (b"HTTP/1.1 503 SERVICE UNAVAILABLE", b"10")
    assert found.stop_s < 5.0
