"""The golden playthroughs come out as they were written: scores, words and views after each ply."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.lines import parse
from tests.golden.make import annotated

FILES = sorted(Path(__file__).parent.glob("*/*.jsonl"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_golden_playthrough_comes_out_as_it_was_written(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for line, again in zip(text.splitlines(), annotated(text)):
        assert parse(again) == parse(line)
    assert "".join(annotated(text)) == text
