import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.errors import InvalidError, SightError
from companion.main import eyes_session as table_eyes
from companion.main.eyes_session import Loaded, learn_pieces, open_table
from companion.main.messages import EyesConfig
from companion.session.config import SourceConfig
from vision.enrolment.picture_set import read_set

EXCERPT = Path(__file__).parents[1] / "data" / "kamikaze-1"


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Learning and loading without eyes: which files were learned."""
    learned: list[Path] = []

    def learn(folder: Path, file: Path, loaded: Loaded) -> bool:
        assert folder.is_dir()
        loaded(0.5)
        file.write_text("pieces")
        learned.append(file)
        return True

    monkeypatch.setattr(table_eyes, "learn_pieces", learn)
    monkeypatch.setattr(table_eyes, "load_piece_set", lambda file: file.read_text())
    return learned


def opened(source: SourceConfig, keep: Path) -> tuple[Any, list[str]]:
    told: list[str] = []
    return open_table(EyesConfig(source, keep), lambda why: told.append(why.id)), told


def test_pieces_are_learned_once_and_kept(tmp_path: Path, pieces: list[Path]) -> None:
    table, told = opened(SourceConfig("folder", EXCERPT), tmp_path)
    assert (table.pieces, table.pictures, told) == ("pieces", 10, ["house.learning"])
    _, told = opened(SourceConfig("folder", EXCERPT), tmp_path)
    assert (told, len(pieces)) == ([], 1)


def test_how_much_is_learned_is_told_meanwhile(tmp_path: Path, pieces: list[Path]) -> None:
    shares: list[float] = []
    open_table(EyesConfig(SourceConfig("folder", EXCERPT), tmp_path), lambda _: None, shares.append)
    assert shares == [0.5]


def test_a_process_that_learns_says_how_much_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "python"
    shares: list[float] = []
    for code in (0, 1):
        program.write_text(f"#!/bin/sh\necho 0.100; echo 1.000; exit {code}\n")
        program.chmod(0o700)
        monkeypatch.setattr(sys, "executable", str(program))
        assert learn_pieces(tmp_path, tmp_path / "pieces.zip", shares.append) is (code == 0)
    assert shares == [0.1, 1.0] * 2


def test_of_the_record_only_the_header_is_taken(tmp_path: Path, pieces: list[Path]) -> None:
    table, _ = opened(SourceConfig("folder", EXCERPT), tmp_path)
    assert (table.header["game"], table.header["setup"]["first"]) == ("kamikaze-cans", 1)
    assert "action" not in json.dumps(table.header)


def test_a_camera_may_take_lens_zones_and_pieces_from_a_folder(tmp_path: Path, pieces: list[Path]) -> None:
    table, _ = opened(SourceConfig("camera", EXCERPT), tmp_path)
    assert (table.header, table.zones) == (None, read_set(EXCERPT).zones)


def test_a_camera_without_pieces_is_told_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InvalidError) as told:
        opened(SourceConfig("camera"), tmp_path)
    assert told.value.phrase.id == "house.no_pieces"


def test_a_lens_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "lens.json").write_text("{")
    with pytest.raises(InvalidError) as told:
        opened(SourceConfig("camera", lens=tmp_path / "lens.json"), tmp_path)
    assert told.value.phrase.id == "house.no_lens"


def test_a_set_without_a_header_is_told(tmp_path: Path, pieces: list[Path]) -> None:
    folder = tmp_path / "set"
    shutil.copytree(EXCERPT, folder, ignore=shutil.ignore_patterns("record.jsonl"))
    with pytest.raises(InvalidError) as told:
        opened(SourceConfig("folder", folder), tmp_path)
    assert told.value.phrase.id == "house.no_header"


def test_pieces_that_cannot_be_learned_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_eyes, "learn_pieces", lambda folder, file, loaded: False)
    with pytest.raises(SightError) as told:
        opened(SourceConfig("folder", EXCERPT), tmp_path)
    assert told.value.phrase.id == "house.not_learned"
