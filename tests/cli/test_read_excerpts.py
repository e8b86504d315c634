"""The excerpts of the other games through the whole chain, with the eyes that a table has. Each takes some time."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.cli.evaluate import compared
from companion.cli.main import main

DATA = Path(__file__).parents[1] / "data"
MOST_WRONG = 0.01
Line = dict[str, Any]


def read(folder: Path, out: Path, *more: str) -> list[Line]:
    assert main(["read", str(folder), "--out", str(out), *more]) == 0
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def without_times(line: Line) -> Line:
    return {key: value for key, value in line.items() if key != "ms"}


@pytest.mark.long
@pytest.mark.usefixtures("learned_once")
@pytest.mark.parametrize("name", ["crate-wars-1", "pick-1", "war-chest-1", "yuzu-1"])
def test_an_excerpt_is_read_as_it_was_played_and_without_its_truth_the_same(name: str, tmp_path: Path) -> None:
    record = DATA / name / "record.jsonl"
    lines = read(DATA / name, tmp_path / "read.jsonl", "--answer", str(record))
    score = compared(DATA / name, lines).score

    assert (score.busy_read, score.free_unread, score.silently_wrong) == (0, 0, 0)
    assert score.setup["told"] == score.setup["right"] > 0
    assert score.spots - score.spots_right - score.spots_open <= MOST_WRONG * score.spots
    assert score.right + score.asked == score.plies > 0

    alone = tmp_path / "alone"
    shutil.copytree(DATA / name, alone)
    (alone / "frames.jsonl").unlink()
    (alone / "record.jsonl").write_text(record.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    for late in sorted((alone / "frames").glob("*.jpg"))[3:]:
        late.unlink()
    blind = read(alone, tmp_path / "alone.jsonl", "--answer", str(record))

    assert [without_times(line) for line in blind] == [without_times(line) for line in lines[: len(blind)]]
    assert len(blind) == 4
