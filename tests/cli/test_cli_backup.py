"""`companion backup` and `companion restore`."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.main import main
from companion.session.journal import lock_folder
from tests.session.backups import contents, files, lived_in


def test_a_backup_is_made_looked_at_and_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state, file = lived_in(tmp_path / "state"), tmp_path / "kept.zip"
    assert main(["backup", str(file), "--state", str(state)]) == 0
    made = capsys.readouterr().out
    assert "kept.zip" in made
    assert "7 files" in made
    assert main(["restore", str(file), "--look", "--state", str(tmp_path / "new")]) == 0
    looked = capsys.readouterr().out
    assert "your table: " in looked
    assert "yuzu-1: " in looked
    assert "Nothing was changed." in looked
    assert set(files(tmp_path / "new")) == set()
    assert main(["restore", str(file), "--state", str(tmp_path / "new")]) == 0
    assert "There was nothing in its place before." in capsys.readouterr().out
    assert contents(tmp_path / "new") == contents(state)
    assert main(["restore", str(file), "--state", str(tmp_path / "new")]) == 0
    assert "before-restore-" in capsys.readouterr().out


def test_while_a_companion_runs_it_is_told_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state, file = lived_in(tmp_path / "state"), tmp_path / "kept.zip"
    with lock_folder(state / "sets/yuzu-1"):
        assert main(["backup", str(file), "--state", str(state)]) == 0
        before = files(state)
        capsys.readouterr()
        assert main(["restore", str(file), "--state", str(state)]) == 2
    assert "Stop it" in capsys.readouterr().err
    assert files(state) == before


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_what_cannot_be_done_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert main([command, str(tmp_path / "none" / "x.zip"), "--state", str(tmp_path)]) == 2
    assert capsys.readouterr().err.strip().endswith(".")
