"""What the idle service with its eyes takes of a small Pi's memory: `python -m tests.bench.idle`."""

from __future__ import annotations

import pytest

from tests.bench import idle

MAX_MB = 180.0


@pytest.mark.long
def test_service_and_eyes_fit_into_180_mb_at_their_worst_moment() -> None:
    memory = idle.measure(str(idle.EXCERPT), watched_s=8.0)["memory_mb"]
    assert memory["moments"] > 20
    assert len(memory["worst"]) == 3, "the service, the eyes, and both"
    assert memory["worst"]["all"] <= MAX_MB, memory
