"""The whole chain on the excerpt that comes with the project, and on pictures that cannot be read."""

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli.main import main

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
    assert answered[0] == {"setup": {"colours": ["green", "red"], "first": None}}


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

    assert (states[4], states[6]) == ("picture", "picture")
    assert states[7] not in ("free", "picture")  # no card is seen, or something hides the table
    assert all(line["odd"] for line in spoilt[1:] if line["state"] != "free")


def test_a_set_without_its_truth_is_read_the_same(answered: list[dict[str, Any]], spoilt: list[dict[str, Any]]) -> None:
    for told, alone in zip(answered[:5], spoilt[:5], strict=True):
        assert {k: v for k, v in told.items() if k != "ms"} == {k: v for k, v in alone.items() if k != "ms"}
