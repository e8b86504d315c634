"""Records of tables: what `record check` and `record legal` answer where coins are hidden (WC 9.2)."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli import main as cli
from companion.engine import play
from companion.engine.lines import line
from companion.games.war_chest import GAME
from companion.games.war_chest.actions import as_seen

UNITS = [["swordsman", "pikeman", "crossbowman", "light_cavalry"], ["archer", "cavalry", "lancer", "scout"]]
FACE_DOWN = ("pass", "recruit", "initiative")


def hidden(seed: int, tell: float = 0.0, players: int = 2) -> list[str]:
    """The record of a game as a table shows it; `tell` is the share of the hidden coins that were told."""
    rng = Random(seed)
    written = play.random_record(GAME, players, rng, "2026-11-02T05:00:00Z", most_plies=150)
    lines = [json.loads(each) for each in written]
    lines[0]["options"]["knowledge"] = "referee"
    for each in lines[1:-1]:
        if rng.random() >= tell:
            each["action"] = GAME.write_action(as_seen(GAME.read_action(each["action"])))
    return [line(each) for each in lines]


def answer(tmp_path: Path, capsys: Any, what: str, lines: list[str]) -> tuple[int, list[Any]]:
    file = tmp_path / "table.jsonl"
    file.write_text("".join(lines), encoding="utf-8")
    code = cli.main(["record", what, str(file), "--json"])
    return code, [json.loads(each) for each in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(("seed", "tell", "players"), [(1, 0.0, 2), (2, 0.5, 2), (3, 1.0, 2), (4, 0.3, 4)])
def test_records_with_all_some_or_no_hidden_coins_told_hold(
    seed: int, tell: float, players: int, tmp_path: Path, capsys: Any
) -> None:  # WC 9.2
    lines = hidden(seed, tell, players)
    code, told = answer(tmp_path, capsys, "check", lines)
    assert (code, told) == (0, [{"ok": True, "plies": len(lines) - 2, "result": json.loads(lines[-1])["result"]}])


@pytest.mark.parametrize("tell", [0.0, 0.5])
def test_face_down_plies_are_listed_once_without_their_coin_and_draws_not_at_all(
    tell: float, tmp_path: Path, capsys: Any
) -> None:  # WC 9.2
    lines = hidden(5, tell)
    plies = [json.loads(each) for each in lines[1:-1]]
    code, told = answer(tmp_path, capsys, "legal", lines)
    assert code == 0
    assert [(each["n"], each["player"]) for each in told] == [(ply["n"], ply["player"]) for ply in plies]
    for ply, each in zip(plies, told):
        action, legal = ply["action"], each["legal"]
        if action["type"] in ("draw", "priest"):
            assert legal == []
            continue
        if action["type"] in FACE_DOWN:
            action.pop("coin", None)
        assert action in legal
        assert all("coin" not in one for one in legal if one["type"] in FACE_DOWN)
        assert len({json.dumps(one) for one in legal}) == len(legal)


def test_a_table_allows_whatever_some_hidden_state_allows(tmp_path: Path, capsys: Any) -> None:  # WC 9.2
    lines = hidden(6)[:2]
    unit = json.loads(lines[0])["setup"]["units"][json.loads(lines[0])["setup"]["initiative"]]
    lines.append(line({"n": 2, "player": json.loads(lines[0])["setup"]["initiative"], "action": {"type": "pass"}}))
    _, told = answer(tmp_path, capsys, "legal", lines)
    assert {one["coin"] for one in told[1]["legal"] if one["type"] == "deploy"} == set(unit)


def start(*plies: tuple[Any, dict[str, Any]]) -> list[str]:
    header = {
        "format": "tabletop-record", "version": 1, "game": "war-chest", "options": {"knowledge": "referee"},
        "players": [{"name": "A"}, {"name": "B"}], "started": "2026-11-02T05:00:00Z",
        "setup": {"units": UNITS, "initiative": 0},
    }  # fmt: skip
    return [line(header)] + [line({"n": n, "player": who, "action": what}) for n, (who, what) in enumerate(plies, 1)]


DRAW = ("chance", {"type": "draw"})
PIKEMAN = (0, {"type": "deploy", "coin": "pikeman", "at": [2, -3]})
AGAIN = (0, {"type": "move", "coin": "pikeman", "from": [2, -3], "to": [2, -2]})
PASS = (1, {"type": "pass"})


@pytest.mark.parametrize(
    ("plies", "rule", "words"),
    [
        ([DRAW, PIKEMAN, PASS, AGAIN, PASS, (0, {"type": "pass", "coin": "pikeman"})], "WC 9.2",
         "There can be no pikeman coin in the hand: the count is 1 discarded this cycle, 1 on the board and"
         " 2 in the supply."),
        ([DRAW, (0, {"type": "pass", "coin": "archer"})], "WC 3.2", "Player A has no archer coins in this game."),
        ([("chance", {"type": "draw", "coins": {"0": ["royal", "royal"]}})], "WC 4.1",
         "Player A cannot draw 2 royal: the count is 1 in the bag."),
        ([("chance", {"type": "draw", "coins": {"0": ["royal"] * 4}})], "WC 4.1", "Player A draws 3 coins, not 4."),
        ([("chance", {"type": "draw", "coins": {"0": ["royal", "pikeman", "pikeman"]}}),
          (0, {"type": "deploy", "coin": "swordsman", "at": [2, -3]})], "WC 9.2",
         "There can be no swordsman coin in the hand: what was told of the hidden coins speaks against it."),
        ([DRAW, (0, {"type": "pass", "coin": "dragon"})], None, None),
        ([("chance", {"type": "draw", "coins": {"7": ["royal"]}})], None, None),
    ],
)  # fmt: skip
def test_what_no_hidden_state_allows_is_refused_with_line_rule_and_reason(
    plies: Any, rule: str | None, words: str | None, tmp_path: Path, capsys: Any
) -> None:  # WC 9.2, WC 4.1
    lines = start(*plies)
    for what in ("check", "legal"):
        code, told = answer(tmp_path, capsys, what, lines)
        assert code == 1
        assert (told[-1]["ok"], told[-1]["line"], told[-1]["n"]) == (False, len(lines), len(lines) - 1)
        assert told[-1]["rule"] == rule
        assert words is None or told[-1]["error"] == words
