from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from companion.cli import main as cli
from companion.engine import record
from companion.games import registry


def play(tmp_path: Path, *args: str) -> Path:
    out = tmp_path / "out.jsonl"
    started = ["--started", "2026-11-02T05:00:00Z"]
    assert cli.main(["selfplay", "kamikaze-cans", "--out", str(out), *started, *args]) == 0
    return out


def test_one_game_is_written_as_a_record_that_holds(tmp_path: Path) -> None:
    text = play(tmp_path, "--seed", "7", "--players", "4").read_text()
    assert record.check(text, registry.game).text == text


def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    one, two = (play(tmp_path, "--seed", "7").read_text() for _ in range(2))
    assert one == two != play(tmp_path, "--seed", "8").read_text()


def test_several_games_have_numbered_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(tmp_path, "--games", "3")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out-001.jsonl", "out-002.jsonl", "out-003.jsonl"]
    shown = capsys.readouterr().err
    assert "game 2 of 3" in shown
    assert f"written to {tmp_path / 'out-001.jsonl'} … {tmp_path / 'out-003.jsonl'}" in shown
    play(tmp_path)
    assert f"written to {tmp_path / 'out.jsonl'}\n" in capsys.readouterr().err


def test_options_are_taken_and_long_games_abandoned(tmp_path: Path) -> None:
    options = ["--option", "quiet_limit=null", "--option", "stub_cans_chain=false"]
    text = play(tmp_path, *options, "--plies", "3").read_text()
    checked = record.check(text, registry.game)
    assert checked.opened.options == {"stub_cans_chain": False, "quiet_limit": None}
    assert (len(checked.plies), checked.result["reason"]) == (3, "abandoned")


@pytest.mark.parametrize(("args", "told"), [
    (["chess", "--out", "x"], 'There is no game "chess"'),
    (["kamikaze-cans", "--out", "x", "--players", "9"], "Kamikaze Cans is played by 2, 3, 4, 5 and 6, not by 9."),
    (["kamikaze-cans", "--out", "x", "--option", "quiet_limit"], "NAME=VALUE"),
    (["kamikaze-cans", "--out", "x", "--option", "quiet_limit=soon"], 'not "soon"'),
    (["kamikaze-cans", "--out", "/nowhere/at/all/x"], "cannot be written"),
])
def test_what_cannot_be_played_is_said_in_words(args: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["selfplay", *args]) == 2
    assert told in capsys.readouterr().err


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    shown = capsys.readouterr().out
    assert all(name in shown for name in cli.COMMANDS)


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = import_module(f"companion.cli.{cli.COMMANDS[command][0]}")
    assert callable(module.run)
    with pytest.raises(SystemExit) as caught:
        cli.main([command, "--help"])
    assert caught.value.code == 0
    assert f"companion {command}" in capsys.readouterr().out
