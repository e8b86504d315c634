"""Live enrolment, with the enrolment pictures of an excerpt as what the camera sees."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from companion.games import registry
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set
from vision.pieces.piece_set import PieceSet
from vision.pieces.piece_set_file import load_piece_set

EXCERPT = Path(__file__).parents[1] / "data" / "war-chest-1"
BOARD, COINS = EXCERPT / "enrol" / "0.jpg", EXCERPT / "enrol" / "1.jpg"
HAND = EXCERPT / "frames" / "0004.jpg"


@cache
def enrolled() -> PieceSet:
    return enrol_set(read_set(EXCERPT), registry.kinds("war-chest"))


@pytest.fixture
def camera(tmp_path: Path) -> Path:
    """A folder that stands for a camera; pictures are put into it in the order in which it shows them."""
    folder = tmp_path / "camera"
    (folder / "frames").mkdir(parents=True)
    shutil.copyfile(EXCERPT / "set.json", folder / "set.json")
    assert enrolled().bare is not None
    cv2.imwrite(str(tmp_path / "bare.jpg"), enrolled().bare.image, [cv2.IMWRITE_JPEG_QUALITY, 98])
    return folder


def shows(camera: Path, *pictures: Path) -> None:
    """Each picture twice: only what stays the same is still."""
    for number, picture in enumerate(picture for picture in pictures for _ in range(2)):
        shutil.copyfile(picture, camera / "frames" / f"{number:04}.jpg")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What people type, in order; then nobody is there any more."""
    lines: list[str] = []

    def read() -> str:
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr("builtins.input", read)
    return lines


def enrol(camera: Path, *more: str) -> int:
    return main(["enrol", str(EXCERPT), "--source", str(camera), "--out", str(camera.parent / "my.pieces"), *more])


def test_pieces_are_laid_out_looked_at_and_learned(
    camera: Path, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    bare = camera.parent / "bare.jpg"
    shows(camera, bare, HAND, BOARD, COINS)
    typed += ["", "", ""]
    assert enrol(camera) == 0
    told = capsys.readouterr().err
    assert "Hands off the table" in told
    assert "hand" in told.lower().replace("hands off", "")
    assert "told apart well" in told or "much alike" in told
    learned = load_piece_set(camera.parent / "my.pieces")
    assert learned.faces.keys() == enrolled().faces.keys()
    for name, face in enrolled().faces.items():
        if name.startswith("coin"):
            assert np.median(np.abs(learned.faces[name].colours - face.colours)) < 4.0
    kept = read_set(camera.parent / "my.pieces.pictures")
    assert [len(each.pieces) for each in kept.enrolments] == [0, 1, 15]
    asked = {laid.appearance: laid for each in read_set(EXCERPT).enrolments for laid in each.pieces}
    for each in kept.enrolments:
        for laid in each.pieces:
            assert np.hypot(*np.subtract(laid.at_mm, asked[laid.appearance].at_mm)) < 1.5


@pytest.mark.long
def test_what_does_not_lie_there_is_told_and_people_may_go_on_without(
    camera: Path, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    bare = camera.parent / "bare.jpg"
    shows(camera, bare, bare, BOARD, bare, COINS)
    typed += ["", "", "", "", ""]
    assert enrol(camera) == 0
    told = capsys.readouterr().err
    assert "Nothing seems to lie at 1 (board)" in told
    assert "1 coin knight" in told


def test_the_plan_shows_cards_and_numbered_pieces(
    camera: Path, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    bare = camera.parent / "bare.jpg"
    shows(camera, bare)
    typed += [""]
    assert enrol(camera) == 1
    told = capsys.readouterr().err
    for card in range(4):
        assert f"[{card}]" in told
    assert "Stopped: 1 pictures" in told
    about = json.loads((camera.parent / "my.pieces.pictures" / "enrol.json").read_text(encoding="utf-8"))
    assert about == [{"picture": "enrol/0.jpg", "pieces": []}]


def test_without_an_enrol_json_it_says_itself_what_to_lay_where(
    camera: Path, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    bare = camera.parent / "bare.jpg"
    shows(camera, bare, bare)
    typed += ["", ""]
    given = ["enrol", str(EXCERPT / "set.json"), "--source", str(camera), "--out", str(camera.parent / "x")]
    assert main(given) == 1
    told = capsys.readouterr().err
    assert "Picture 1 of 2" in told
    assert "1 board" in told


def test_pictures_that_were_taken_before_are_not_overwritten(
    camera: Path, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (camera.parent / "old").mkdir()
    (camera.parent / "old" / "mine.txt").write_text("mine")
    assert enrol(camera, "--keep", str(camera.parent / "old")) == 2
    assert "--keep" in capsys.readouterr().err
