"""The stories of `tests/data/stories` are told as they were written. `python -m tests.interpret.told_stories` writes
them anew, and their diff shows what changed in what is seen, explained and asked."""

from __future__ import annotations

import pytest

from companion.interpret.trial_eyes import LaidThing, TrialEyes
from tests.interpret.told_evidence import LAYOUT, told_evidence
from tests.interpret.told_stories import FOLDER, STORIES, told


@pytest.mark.parametrize("name", STORIES)
def test_a_story_is_told_as_it_was_written(name: str) -> None:
    assert told(name).splitlines() == (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()


def test_what_a_table_without_a_game_costs_is_as_it_was_written() -> None:
    assert told_evidence().splitlines() == (FOLDER / "evidence.txt").read_text("utf-8").splitlines()


def test_each_file_is_a_story() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == {*STORIES, "evidence"}


def test_one_thing_at_a_place_shifts_all_empty_places_and_turns_none() -> None:
    eyes = TrialEyes(LAYOUT, {}, None)
    seen = eyes.look(0.0, [LaidThing("hex:0", "coin:ant", (42.0, 245.0), 0.0)])
    at = {sight.spot: sight.at_mm for sight in seen.sights}
    assert at["tray:0:1"] == (152.0, 255.0)
    assert at["hex:1"] == (77.0, 245.0)
