"""Whoever comes into the pictures of a kept game is made unrecognisable, and the game stays readable."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.cli.blur import blur
from companion.cli.main import main
from companion.main.board_eyes import BoardEyes
from companion.main.keeper import Keeper
from companion.session.keeping import ABOUT, kept_tables
from hardware.sources.kept_table import read_kept
from tests.main.kept_games import played_again, watched
from tests.main.test_keeper import AFTER, CORNERS, WANTED, film
from tests.vision.chequered import START

BESIDE = np.s_[:15, :15, 0]
"""Far from the board, within one tile."""


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    hand = [0.1, 0.5, 0.1]
    game = film((START, [None] * 6), (AFTER, hand), (AFTER, [None] * 8))
    watched(BoardEyes(CORNERS), game, WANTED, Keeper(tmp_path, 100, lambda _: None))
    return tmp_path


def test_what_is_beside_the_board_becomes_tiles_and_the_readings_stay(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, _ = played_again(kept, WANTED)
    sharp = [frame.image for frame in read_kept(kept).frames()]

    assert main(["blur", str(kept)]) == 0
    assert "can no longer be recognised" in capsys.readouterr().out

    after, _ = played_again(kept, WANTED)
    frames = list(read_kept(kept).frames())
    assert len(frames) == len(sharp)
    assert np.std(frames[0].image[BESIDE]) < 0.5 < np.std(sharp[0][BESIDE])
    middle = np.s_[200:280, 280:360]
    assert np.abs(frames[0].image[middle].astype(int) - sharp[0][middle]).mean() < 3
    assert [each.state for each in after.sighted] == [each.state for each in before.sighted]
    assert read_at(after.sighted[-2]) == read_at(before.sighted[-2])


def read_at(said: object) -> dict[str, str]:
    sights = said.observation.sights  # type: ignore[attr-defined]
    return {each.spot: each.likeliest for each in sights}


def test_what_cannot_be_told_from_the_table_is_left_as_it_is(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part, = kept_tables(kept)
    about = json.loads((part / ABOUT).read_text("utf-8"))
    (part / ABOUT).write_text(json.dumps({**about, "eyes": {}}), "utf-8")
    before = {file: file.read_bytes() for file in part.rglob("*") if file.is_file()}

    assert main(["blur", str(kept)]) == 2
    assert "Nothing was changed" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in part.rglob("*") if file.is_file()} == before


def test_a_folder_without_a_kept_game_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blur", str(tmp_path)]) == 2
    assert "holds no game that was kept" in capsys.readouterr().err


def test_how_many_pictures_were_blurred_is_said(kept: Path) -> None:
    part, = kept_tables(kept)
    assert blur(part) == len(list((part / "looks").iterdir())) + len(list(read_kept(part).frames()))


def test_a_damaged_picture_is_named_before_anything_is_changed(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part, = kept_tables(kept)
    damaged = sorted((part / "looks").iterdir())[-1]
    damaged.write_bytes(b"\xff\xd8")
    before = {file: file.read_bytes() for file in part.rglob("*") if file.is_file()}

    assert main(["blur", str(kept)]) == 2
    assert f"{damaged} is damaged" in " ".join(capsys.readouterr().err.split())
    assert {file: file.read_bytes() for file in part.rglob("*") if file.is_file()} == before


def test_of_a_small_picture_that_is_damaged_nothing_is_left(kept: Path) -> None:
    part, = kept_tables(kept)
    small = (part / "small.mjpeg").read_bytes()
    number = len(list(read_kept(part).lines()))
    (part / "small.mjpeg").write_bytes(small[:-100])

    blur(part)

    lines = list(read_kept(part).lines())
    assert [line["small"][1] > 0 for line in lines] == [True] * (number - 1) + [False]
