from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli import main as cli
from companion.engine import play
from companion.games import registry


def written(tmp_path: Path, seed: int = 1) -> Path:
    file = tmp_path / "game.jsonl"
    record = play.random_record(registry.game("kamikaze-cans"), 3, Random(seed), "2026-11-02T05:00:00Z")
    file.write_text("".join(record), encoding="utf-8")
    return file


def answer(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, list[dict[str, Any]]]:
    code = cli.main([*args, "--json"])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_record_that_holds_is_answered_with_its_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path)
    lines = file.read_text().splitlines()
    code, told = answer(capsys, "record", "check", str(file))
    assert code == 0
    assert told == [{"ok": True, "plies": len(lines) - 2, "result": json.loads(lines[-1])["result"]}]


def test_a_record_of_an_unfinished_game_has_no_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path)
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:5]))
    assert answer(capsys, "record", "check", str(file)) == (0, [{"ok": True, "plies": 4, "result": None}])
    assert cli.main(["record", "check", str(file)]) == 0
    assert capsys.readouterr().out.startswith("The record holds: 4 plies, not over yet, scores ")


def test_an_illegal_ply_is_told_with_line_ply_rule_and_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path)
    lines = file.read_text().splitlines()
    lines[2] = '{"n": 2, "player": 9, "action": {"type": "explode", "at": "a1"}}'
    file.write_text("\n".join(lines))
    code, told = answer(capsys, "record", "check", str(file))
    assert (code, told[0]["ok"], told[0]["line"], told[0]["n"], told[0]["rule"]) == (1, False, 3, 2, "KC 2.2")
    assert told[0]["error"].startswith("It is not this player's turn")
    assert cli.main(["record", "check", str(file)]) == 1
    assert f"{file}, line 3: It is not this player's turn" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = answer(capsys, "record", "check", str(tmp_path / "nowhere"))
    assert (code, told[0]["ok"], told[0]["line"]) == (2, False, None)
    assert cli.main(["record", "show", str(tmp_path)]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path)
    file.write_bytes(file.read_bytes().replace(b'"source": "simulation"', b'"x-note": "\xff"', 1))
    code, told = answer(capsys, "record", "check", str(file))
    assert (code, told[0]["line"], told[0]["error"]) == (1, 2, "This line is not UTF-8 text.")


def test_legal_lists_everything_before_each_ply(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path)
    plies = [json.loads(line) for line in file.read_text().splitlines()[1:-1]]
    code, told = answer(capsys, "record", "legal", str(file))
    assert code == 0
    assert [(each["n"], each["player"]) for each in told] == [(ply["n"], ply["player"]) for ply in plies]
    assert len(told[0]["legal"]) == 6 * 36
    assert all(ply["action"] in each["legal"] for ply, each in zip(plies, told))


def test_legal_stops_at_the_ply_that_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:2], lines[3]]))
    code, told = answer(capsys, "record", "legal", str(file))
    assert code == 1
    assert [each.get("ok") for each in told] == [None, False]
    assert told[-1]["line"] == 3


def test_show_says_each_ply_in_words_and_in_short_with_the_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path)
    assert cli.main(["record", "show", str(file)]) == 0
    shown = capsys.readouterr().out.splitlines()
    plies = [line for line in shown if not line.startswith("#")]
    assert shown[0] == "# Kamikaze Cans"
    assert len(plies) == len(file.read_text().splitlines()) - 2
    assert plies[0].endswith("]")
    assert "{place drink=" in plies[0]
    assert "a player has placed the last drink" in shown[-1]


def test_show_can_be_asked_for_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = answer(capsys, "record", "show", str(written(tmp_path)))
    assert code == 0
    assert list(told[0]) == ["header"]
    assert list(told[1]) == ["n", "player", "words", "short", "scores"]
    assert list(told[-1]) == ["result"]


def test_a_record_comes_from_the_standard_input_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with written(tmp_path).open() as opened:
        monkeypatch.setattr("sys.stdin", opened)
        assert cli.main(["record", "check", "-"]) == 0
