"""What a start and the idle service take: `python -m tests.bench.idle`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.bench import idle
from tests.bench.door.running import running

MAX_MB = 180.0
START_S = 2.0


@pytest.mark.long
def test_service_and_eyes_fit_into_180_mb_at_their_worst_moment() -> None:
    memory = idle.measure(str(idle.EXCERPT), watched_s=8.0)["memory_mb"]
    assert memory["moments"] > 20
    assert len(memory["worst"]) == 3, "the service, the eyes, and both"
    assert memory["worst"]["all"] <= MAX_MB, memory


@pytest.mark.long
def test_the_pages_answer_after_two_seconds_of_work(tmp_path: Path) -> None:
    """Processor time of the service, which other tests beside this one do not stretch as they do the clock's."""
    with running(tmp_path) as service:
        after_name = Path(f"/proc/{service.process.pid}/stat").read_text().rpartition(")")[2].split()
    user, system = map(int, after_name[11:13])
    assert 0.1 < (user + system) / os.sysconf("SC_CLK_TCK") <= START_S
