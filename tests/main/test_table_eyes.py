import json
import shutil
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.errors import InvalidError, SightError
from companion.games import registry
from companion.main import eyes_session as table_eyes
from companion.main.eyes_session import Loaded, learn_pieces, open_table
from companion.main.messages import EyesConfig, LookFor
from companion.session.config import SourceConfig
from companion.session.kept_zones import write_zones
from companion.table.laid import Laid, areas
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


def test_where_people_said_that_a_game_lies_goes_before_what_a_folder_says(
    tmp_path: Path, pieces: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = registry.game("kamikaze-cans")
    layout = game.layout(game.deal(2, game.read_options({}, 2), Random(1)))
    laid, given = Laid((200.0, 100.0), 30.0), list[Any]()
    write_zones(tmp_path / "zones.json", {"kamikaze-cans 2": laid})
    monkeypatch.setattr(table_eyes, "Reader", lambda *args: given.append(args[3:]))
    table, _ = opened(SourceConfig("camera", EXCERPT, zones=tmp_path / "zones.json"), tmp_path)
    table.look_for(LookFor(layout, 2, game="kamikaze-cans"))
    table.look_for(LookFor(layout, 3, game="kamikaze-cans"))
    known = read_set(EXCERPT)
    assert given == [(areas(layout, laid), laid.directions(2)), (known.zones, known.seats)]
    (tmp_path / "zones.json").write_text("{", encoding="utf-8")
    with pytest.raises(InvalidError) as told:
        opened(SourceConfig("camera", EXCERPT, zones=tmp_path / "zones.json"), tmp_path)
    assert told.value.phrase.id == "zones.damaged"
