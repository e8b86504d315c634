import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import InvalidError, SightError
from tests.vision.excerpt import EXCERPT, excerpt, picture
from vision.enrolment.picture_set import make_small, read_picture, read_set, read_truth


def copy_without(folder: Path, *left_out: str) -> Path:
    for path in EXCERPT.rglob("*"):
        if path.is_file() and path.name not in left_out:
            target = folder / path.relative_to(EXCERPT)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    return folder


def test_a_set_tells_its_game_its_lens_and_its_pieces() -> None:
    known = excerpt()
    assert known.game == "kamikaze-cans"
    assert (known.lens.width, known.lens.height) == (2304, 1296)
    assert len([piece for piece in known.pieces if piece.kind == "drink"]) == 36
    assert set(known.zones) == {"grid", "stock:0", "stock:1"}
    assert len(known.enrolments) == 4


def test_frames_come_in_order_with_a_small_picture() -> None:
    frame = excerpt().frame(3)
    assert frame.number == 3
    assert frame.image.shape == (1296, 2304, 3)
    assert frame.small.shape == (180, 320, 3)
    assert frame.at_s > excerpt().frame(2).at_s


def test_reading_needs_no_truth(tmp_path: Path) -> None:
    known = read_set(copy_without(tmp_path, "frames.jsonl", "record.jsonl"))
    assert len(known.pictures) == 10
    assert np.array_equal(known.frame(0).image, picture(0))


def test_the_truth_is_a_line_a_frame() -> None:
    assert [line["frame"] for line in read_truth(EXCERPT)] == list(range(10))


def test_a_truncated_picture_is_told(tmp_path: Path) -> None:
    cut = tmp_path / "0000.jpg"
    cut.write_bytes((EXCERPT / "frames/0000.jpg").read_bytes()[:200_000])
    with pytest.raises(SightError) as error:
        read_picture(cut, excerpt().lens)
    assert error.value.phrase.id == "eyes.picture_broken"


def test_an_empty_file_and_a_missing_one_are_told(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    for name, phrase_id in (("empty.jpg", "eyes.picture_broken"), ("none.jpg", "eyes.picture_missing")):
        with pytest.raises(SightError) as error:
            read_picture(tmp_path / name, excerpt().lens)
        assert error.value.phrase.id == phrase_id


def test_a_picture_of_another_size_is_told(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "small.jpg"), make_small(picture(0)))
    with pytest.raises(SightError) as error:
        read_picture(tmp_path / "small.jpg", excerpt().lens)
    assert error.value.phrase.id == "eyes.other_size"


def test_a_folder_that_is_no_set_is_told(tmp_path: Path) -> None:
    (tmp_path / "set.json").write_text(json.dumps({"game": "kamikaze-cans"}))
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InvalidError) as error:
            read_set(folder)
        assert error.value.phrase.id == "eyes.set_invalid"


def test_a_boards_print_that_is_not_there_is_told(tmp_path: Path) -> None:
    known = replace(read_set(copy_without(tmp_path)), board={"name": "board", "picture": "board.jpg"})
    with pytest.raises(SightError) as error:
        known.drawings()
    assert error.value.phrase.id == "eyes.picture_missing"
