"""Every record among the picture sets replays, and at each ply the list of legal plies holds the one that was played.

The sets lie in the folder that the environment variable TABLES names, or beside the project.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.engine import Choose, record
from companion.engine.record import OpenedGame, RecordStep
from companion.games import registry

FOLDER = Path(os.environ.get("TABLES", Path(__file__).parents[3] / "shared" / "tables"))
RECORDS = sorted(FOLDER.glob("*/record.jsonl")) or [FOLDER / "none" / "record.jsonl"]


def text_of(file: Path) -> str:
    if not file.exists():
        pytest.skip(f"no picture sets in {FOLDER}: set TABLES to their folder")
    text = file.read_text(encoding="utf-8")
    if not any(f'"game": "{id}"' in text.splitlines()[0] for id in registry.ids()):
        pytest.skip("its game is not registered")
    return text


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.parent.name)
def test_a_record_of_a_picture_set_replays_and_all_its_plies_are_listed(file: Path) -> None:
    text = text_of(file)
    checked = record.check(text, registry.game)
    assert checked.text == record.check(checked.text, registry.game).text
    opened, *steps, _ = record.replay(text, registry.game)
    assert isinstance(opened, OpenedGame)
    for step in steps:
        assert isinstance(step, RecordStep)
        listed = list(opened.game.legal(step.before))
        chosen = [each.action for each in listed if isinstance(each.action, Choose)]
        unlisted = step.ply.player == "chance" and not listed
        assert step.ply in listed or any(each.type == step.ply.action.type for each in chosen) or unlisted, step.n
