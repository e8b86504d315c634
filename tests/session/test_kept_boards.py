"""The file with the corners of boards: by source and game, read as it was written, and nothing else taken for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import ConfigError, InvalidError
from companion.session.backup.contents import belongs
from companion.session.config import SourceConfig
from companion.session.kept_boards import BOARDS_NAME, boards_of, keep_board

CORNERS = "a1=10,300 h1=300,300 h8=300,10 a8=10,10"
CAMERA = SourceConfig("camera", camera=0)


def test_a_board_is_kept_by_the_camera_and_the_game(tmp_path: Path) -> None:
    file = tmp_path / BOARDS_NAME
    kept = replace(CAMERA, boards=file)
    keep_board(file, CAMERA, "chess", CORNERS)
    keep_board(file, CAMERA, "draughts", CORNERS)
    keep_board(file, replace(CAMERA, camera=1), "go", CORNERS)
    keep_board(file, SourceConfig("video", video=tmp_path / "game.avi"), "chess", CORNERS)

    assert boards_of(kept) == {"chess": CORNERS, "draughts": CORNERS}
    assert boards_of(replace(kept, camera=1)) == {"go": CORNERS}
    assert boards_of(SourceConfig("video", video=tmp_path / "game.avi", boards=file)) == {"chess": CORNERS}
    assert boards_of(CAMERA) == {}
    keep_board(file, CAMERA, "chess", None)
    assert boards_of(kept) == {"draughts": CORNERS}


def test_the_password_of_a_camera_in_the_network_is_not_kept_with_its_board(tmp_path: Path) -> None:
    file = tmp_path / BOARDS_NAME
    camera = SourceConfig("camera", camera="http://ann:secret@192.0.2.7:8080/video?key=other", boards=file)
    keep_board(file, camera, "chess", CORNERS)
    assert boards_of(camera) == {"chess": CORNERS}
    assert "secret" not in file.read_text()
    assert "other" not in file.read_text()


@pytest.mark.parametrize("told", ["", "[]", "{}", '{"version": 2, "boards": {}}', '{"version": 1, "boards": []}',
                                  "[" * 5000, f'{{"version": 1, "boards": {{"a": "{"x" * 300}"}}}}'])
def test_a_file_of_another_kind_is_told_and_made_good(tmp_path: Path, told: str) -> None:
    file = tmp_path / BOARDS_NAME
    file.write_text(told, encoding="utf-8")
    with pytest.raises(InvalidError) as error:
        boards_of(replace(CAMERA, boards=file))
    assert error.value.phrase.id == "board.damaged"
    keep_board(file, CAMERA, "chess", CORNERS)
    assert boards_of(replace(CAMERA, boards=file)) == {"chess": CORNERS}


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        keep_board(tmp_path / "no" / BOARDS_NAME, CAMERA, "chess", CORNERS)


def test_it_belongs_to_a_backup() -> None:
    assert belongs(BOARDS_NAME)
