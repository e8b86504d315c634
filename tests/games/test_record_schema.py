"""The JSON Schema of records agrees with what is written and read."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from companion.engine import Choose, play
from companion.games import registry
from tests.games.test_shared_tables import RECORDS, text_of

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "record.schema.json").read_text(encoding="utf-8"))
LINE = jsonschema.Draft202012Validator(SCHEMA)
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*/*.jsonl"))


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def only(definition: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]})


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.parent.name)
def test_records_of_picture_sets_have_this_form(file: Path) -> None:
    for line in lines(text_of(file)):
        LINE.validate(line)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_golden_games_have_this_form(file: Path) -> None:
    for line in lines(file.read_text(encoding="utf-8")):
        LINE.validate(line)


@pytest.mark.parametrize("id", registry.ids())
def test_games_of_every_number_of_players_and_all_that_is_legal_have_this_form(id: str) -> None:
    game = registry.game(id)
    action = only(f"{id}-action")
    for players in game.seats:
        rng = Random(players)
        head, *rest = lines("".join(play.random_record(game, players, rng, "2026-01-01T12:00:00Z", None, 60)))
        for line in (head, *rest):
            LINE.validate(line)
        state = game.start(head["setup"], head["options"], players)
        for before, _ in play.random_game(game, state, rng, 6):
            for ply in game.legal(before):
                if ply.player != "chance" and not isinstance(ply.action, Choose):
                    action.validate(game.write_action(ply.action))


CANS = registry.game("kamikaze-cans")
HEADER = lines("".join(play.random_record(CANS, 2, Random(1), "2026-01-01T12:00:00Z", None, 0)))[0]
PLY = {"n": 1, "player": 0, "action": {"type": "pass"}}


@pytest.mark.parametrize(
    "bad",
    [
        {}, [], 1,
        {**HEADER, "version": 2}, {**HEADER, "note": 1}, {**HEADER, "started": "yesterday"}, {**HEADER, "players": []},
        {**HEADER, "colours": ["red"] * 6}, {**HEADER, "setup": {**HEADER["setup"], "colours": ["red", "red"]}},
        {**HEADER, "options": {"points": "local"}}, {**HEADER, "game": "chess"},
        {**PLY, "n": 0}, {**PLY, "player": "nobody"}, {**PLY, "player": "chance"}, {**PLY, "confidence": 2},
        {**PLY, "source": "guess"}, {**PLY, "extra": 1}, {"n": 1, "player": 0},
        {**PLY, "action": {"type": "leap"}}, {**PLY, "action": {"type": "done", "why": 1}},
        {**PLY, "action": {"type": "swap", "a": [0, 0], "b": [0, 0.5]}},
        {**PLY, "action": {"type": "keep", "crate": 1, "drinks": ["red/stub_can"] * 6}},
        {**PLY, "action": {"type": "grab", "to": "g7", "crate": 1}},
        {**PLY, "player": "chance", "action": {"type": "vended", "crate": 7, "returned": []}},
        {"result": {"scores": [1], "winners": [], "reason": ""}},
    ],
)  # fmt: skip
def test_what_is_no_line_of_a_record_is_refused(bad: Any) -> None:
    assert not LINE.is_valid(bad)


def test_notes_of_ones_own_are_allowed_everywhere() -> None:
    assert LINE.is_valid({**HEADER, "x-club": "A", "setup": {**HEADER["setup"], "x-table": 3}})
    assert LINE.is_valid({**PLY, "x-clock": [1, 2], "action": {"type": "pass", "x-why": "tired"}})
