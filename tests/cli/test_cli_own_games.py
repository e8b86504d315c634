"""`companion record` and `companion analyse` reach one's own games by their numbers."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.session.clock import FakeClock
from companion.session.commands import GoOnFrom
from companion.session.journal import open_journal
from tests.session.journals import opened, written
from tests.session.tables import library, played


@pytest.fixture
def state(tmp_path: Path) -> Path:
    written(tmp_path / "state", 60)
    return tmp_path / "state"


def test_a_game_is_shown_by_its_number_also_while_it_is_played(
        state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with opened(state) as journal:
        games = journal.journal.tip.game
        assert games > 1
        for number in range(1, games + 1):
            assert main(["record", "check", str(number), "--state", str(state), "--json"]) == 0
            assert json.loads(capsys.readouterr().out)["ok"]
        assert main(["record", "show", "1", "--state", str(state)]) == 0
        assert "1. " in capsys.readouterr().out


def test_a_game_is_analysed_by_its_number(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "1", "--playouts", "1", "--state", str(state)]) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("command", [["record", "show"], ["record", "check"], ["record", "legal"], ["analyse"]])
@pytest.mark.parametrize("number", ["0", "99", "123456789012345"])
def test_a_game_that_is_not_there_is_told(
        state: Path, capsys: pytest.CaptureFixture[str], command: list[str], number: str) -> None:
    assert main([*command, number, "--state", str(state)]) == 2
    assert "There is no game" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["record", "show"], ["analyse"]])
def test_without_a_journal_it_is_told_where_none_is(
        tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    assert main([*command, "1", "--state", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_a_file_named_like_a_number_is_a_file(
        state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(state)
    Path("1").write_text("no record\n")
    assert main(["record", "check", "1", "--state", str(state)]) == 1
    assert capsys.readouterr().err


def test_a_game_that_went_on_from_a_position_is_no_record(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = played()
    table.ask(GoOnFrom, "host", {"stock:0": ["red/stub_can"], "stock:1": ["green/stub_can"]}, 0)
    with closing(open_journal(tmp_path, library(), FakeClock()).journal) as journal:
        journal.append(tuple(each.event for each in table.state.lately), table.state)
    assert main(["record", "show", "1", "--state", str(tmp_path)]) == 2
    assert "it is kept as its result" in capsys.readouterr().err
    assert main(["journal", "export", str(tmp_path)]) == 0
    header, = capsys.readouterr().out.splitlines()
    assert json.loads(header)["x-result-alone"] is True
