"""The whole chain on the excerpt that comes with the project, and on pictures that cannot be read."""

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from companion.errors import InvalidError
from vision.enrolment.picture_set import read_truth

EXCERPT = Path(__file__).parents[1] / "data" / "kamikaze-1"


def read(folder: Path, out: Path, *more: str) -> list[dict[str, Any]]:
    assert main(["read", str(folder), "--out", str(out), *more]) == 0
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory, learned_once: None) -> list[dict[str, Any]]:
    out = tmp_path_factory.mktemp("read") / "read.jsonl"
    return read(EXCERPT, out, "--answer", str(EXCERPT / "record.jsonl"))


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory, learned_once: None) -> list[dict[str, Any]]:
    """The excerpt without its truth, its later frames spoilt one by one."""
    folder = tmp_path_factory.mktemp("spoilt") / "set"
    shutil.copytree(EXCERPT, folder)
    (folder / "frames.jsonl").unlink()
    record = folder / "record.jsonl"
    record.write_text(record.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    frames = sorted((folder / "frames").glob("*.jpg"))
    picture = cv2.imread(str(frames[4]))
    assert picture is not None
    frames[4].write_bytes(frames[4].read_bytes()[:20000])
    cv2.imwrite(str(frames[6]), cv2.resize(picture, (1280, 720)))
    cv2.imwrite(str(frames[7]), np.full_like(picture, 90))
    for late in frames[9:]:
        late.unlink()
    return read(folder, folder / "out.jsonl")


def test_the_set_up_comes_first_as_it_was_seen(answered: list[dict[str, Any]]) -> None:
    assert answered[0] == {"setup": {"colours": ["green", "red"], "first": None}, "sight": "fair"}


def test_the_plies_of_the_excerpt_are_given_out_or_asked(answered: list[dict[str, Any]]) -> None:
    played = [json.loads(line) for line in (EXCERPT / "record.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    given = [ply for line in answered[1:] for ply in line["plies"]]

    assert [(p["n"], p["player"], p["action"]) for p in given] == [(p["n"], p["player"], p["action"]) for p in played]
    assert all(line["taken_back"] == 0 for line in answered[1:])


def test_only_free_frames_say_what_stands_where(answered: list[dict[str, Any]]) -> None:
    for line in answered[1:]:
        assert ("believed" in line) == ("seen" in line) == (line["state"] == "free")
    free = [line for line in answered[1:] if line["state"] == "free"]
    assert all(sum(s["spot"].startswith("crate:") for s in line["believed"]) == 6 for line in free)
    assert all(s["appearance"] or len(s["among"]) > 1 for line in free for s in line["believed"])


def test_pictures_that_cannot_be_read_are_told_and_nothing_is_lost(spoilt: list[dict[str, Any]]) -> None:
    states = {line["frame"]: line["state"] for line in spoilt[1:]}

    assert [states[number] for number in (4, 6, 7)] == ["picture"] * 3  # cut off, of another size, grey all over
    assert all(line["odd"] for line in spoilt[1:] if line["state"] != "free")


def test_a_set_without_its_truth_is_read_the_same(answered: list[dict[str, Any]], spoilt: list[dict[str, Any]]) -> None:
    for told, alone in zip(answered[:5], spoilt[:5], strict=True):
        assert {k: v for k, v in told.items() if k != "ms"} == {k: v for k, v in alone.items() if k != "ms"}


@pytest.mark.parametrize(("lacks", "said"), [
    ("set.json", "is not a whole picture set"), ("record.jsonl", "record.jsonl cannot be read"),
    ("enrol.json", "No picture shows the pieces laid out"), ("frames", "There are no pictures in"),
])
def test_a_set_that_is_not_whole_is_told_with_its_folder(
    lacks: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my_set"
    shutil.copytree(EXCERPT, folder)
    if lacks == "frames":
        shutil.rmtree(folder / lacks)
    else:
        (folder / lacks).unlink()
    assert main(["read", str(folder), "--out", str(tmp_path / "out.jsonl")]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert lacks == "enrol.json" or "my_set" in told


def test_what_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], learned_once: None) -> None:
    assert main(["read", str(EXCERPT), "--out", str(tmp_path / "nowhere" / "out.jsonl")]) == 2
    assert "out.jsonl cannot be opened" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"frame": 0}'])
def test_a_truth_that_is_none_is_told(line: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidError) as told:
        read_truth(tmp_path)
    (tmp_path / "frames.jsonl").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InvalidError) as told:
        read_truth(tmp_path)
    assert told.value.phrase.id == "eyes.truth_invalid"
