"""`companion journal`, on whole, damaged and put-aside journals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.session.journal import JOURNAL_NAME
from tests.session.journals import opened, written

STORED = Path(__file__).parents[1] / "data" / "journals" / "two-games"


def cut(folder: Path) -> None:
    bytes_ = (folder / JOURNAL_NAME).read_bytes()
    (folder / JOURNAL_NAME).write_bytes(bytes_[: len(bytes_) // 2])


def test_check_says_that_a_journal_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = written(tmp_path)
    for where in (tmp_path, tmp_path / JOURNAL_NAME):
        assert main(["journal", "check", str(where)]) == 0
        assert f"is whole: {sum(map(len, games.values()))} lines of {max(games)} games." in capsys.readouterr().out


def test_check_can_be_asked_while_the_journal_is_in_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with opened(tmp_path) as journal:
        journal.play(20)
        assert main(["journal", "check", str(tmp_path)]) == 0
        journal.play(1)
    with opened(tmp_path) as again:
        assert again.notices == []


def test_check_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path)
    cut(tmp_path)
    assert main(["journal", "check", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "is damaged" in said
    assert "Missing: " in said


def test_check_of_an_older_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "check", str(STORED)]) == 0
    assert "older version" in capsys.readouterr().out
    assert not list(STORED.glob("journal.sqlite-*"))


def test_export_prints_records_that_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = written(tmp_path)
    assert main(["journal", "export", str(tmp_path), "--to", str(tmp_path / "out")]) == 0
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == max(games)
    for file in files:
        assert main(["record", "check", str(file)]) == 0
    capsys.readouterr()
    assert main(["journal", "export", str(tmp_path), "--game", "2"]) == 0
    assert capsys.readouterr().out == files[1].read_text(encoding="utf-8")


def test_export_and_recover_read_a_journal_that_was_put_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = written(tmp_path / "journal", 120)
    cut(tmp_path / "journal")
    with opened(tmp_path / "journal") as salvaged:
        salvaged.journal.notices.read()
        kept = salvaged.contents()
    [aside] = (tmp_path / "journal").glob("journal-*.sqlite")
    assert main(["journal", "export", str(aside), "--to", str(tmp_path / "out")]) == 1
    first = (tmp_path / "out" / "game-00001.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(first[0])["players"] == before[1][0]["header"]["players"]
    assert main(["journal", "recover", str(aside), "--to", str(tmp_path / "new")]) == 1
    assert "Saved into a new journal" in capsys.readouterr().out
    with opened(tmp_path / "new") as recovered:
        assert (recovered.notices, recovered.contents()) == ([], kept)


def test_recover_never_writes_over_a_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path)
    assert main(["journal", "recover", str(tmp_path), "--to", str(tmp_path)]) == 2
    assert "already" in capsys.readouterr().err


def test_delete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path)
    assert main(["journal", "delete", "1", "--state", str(tmp_path)]) == 0
    assert main(["journal", "delete", "77", "--state", str(tmp_path)]) == 2
    assert main(["journal", "check", str(tmp_path)]) == 0


def test_a_journal_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "check", str(tmp_path)]) == 2
    assert "There is no journal" in capsys.readouterr().err
