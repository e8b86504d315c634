"""The chain on the excerpts of all games, with eyes that know the truth: what comes out, and how it is judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli.chain import Chain
from companion.cli.evaluate import compared
from companion.cli.one_look import one_look
from companion.cli.played import opened_by
from companion.cli.report import write_report
from companion.cli.scoring import Score
from companion.table import EMPTY, Layout, Observation, Sight
from tests.cli.truth_chain import NoPictures, TruthReader, read, scored, words
from tests.interpret.truth_eyes import TruthEyes
from vision.enrolment.picture_set import read_set, read_truth

DATA = Path(__file__).parents[1] / "data"
NAMES = ["crate-wars-1", "kamikaze-1", "pick-1", "war-chest-1", "yuzu-1"]


@pytest.mark.parametrize("name", NAMES)
def test_eyes_that_see_all_make_a_faultless_reading(name: str) -> None:
    score = scored(DATA / name, read(DATA / name))

    assert score.setup["right"] == score.setup["told"] > 0
    assert (score.setup["open"], score.busy_read, score.free_unread) == (0, 0, 0)
    assert (score.spots_right, score.tables_right) == (score.spots, score.free)
    assert (score.right + score.asked, score.missed, score.silently_wrong) == (score.plies, 0, 0)
    assert score.plies >= 4
    assert score.asked <= 1  # a vending whose drinks all come back shows in nothing but one coin that lies anew


@pytest.mark.parametrize("name", NAMES)
def test_every_piece_is_named_as_in_the_set(name: str) -> None:
    lines = read(DATA / name, confidence=False)
    names = {piece.name for piece in read_set(DATA / name).pieces}
    free = [line for line in lines[1:] if line["state"] == "free"]

    assert set(lines[0]) == {"setup", "sight"}
    assert {stand["appearance"] for line in free for key in ("believed", "seen") for stand in line[key]} <= names
    assert all(set(stand) == {"appearance", "at", "spot"} for line in free for stand in line["seen"])
    bodies = {"crate-wars-1": "crate_upside_down", "pick-1": "board:pp", "war-chest-1": "board:wc"}
    wanted = bodies.get(name, "crate")
    assert all(any(stand["appearance"] == wanted for stand in line["believed"]) for line in free)


def test_crates_of_a_read_set_up_are_lettered_from_the_front_left_and_none_is_turned() -> None:
    crates = read(DATA / "yuzu-1")[0]["setup"]["crates"]

    assert list(crates) == list("ABCDEF")
    assert [crate["cell"] for crate in crates.values()] == [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]
    assert not any(crate["turned"] for crate in crates.values())


def test_war_chest_is_opened_as_a_referee_whatever_the_header_says(tmp_path: Path) -> None:
    header = json.loads((DATA / "war-chest-1" / "record.jsonl").read_text(encoding="utf-8").splitlines()[0])
    for knowledge in ({}, {"knowledge": "open"}, {"knowledge": "referee"}):
        file = tmp_path / "record.jsonl"
        file.write_text(json.dumps(header | {"options": knowledge}) + "\n", encoding="utf-8")

        assert opened_by(file).options["knowledge"] == "referee"


def test_where_places_follow_from_the_set_up_it_is_read_by_eyes_that_do_not_know_it() -> None:
    name = "war-chest-1"
    known, opened = read_set(DATA / name), opened_by(DATA / name / "record.jsonl")
    pieces = json.loads((DATA / name / "set.json").read_text(encoding="utf-8"))["pieces"]
    lines = {line["frame"]: line for line in read_truth(DATA / name)}
    looked: list[str] = []

    class Telling(TruthReader):
        who = ""

        def look(self, frame: Any) -> Any:
            looked.append(self.who)
            return super().look(frame)

    eyes, setup_eyes = (Telling(TruthEyes(opened.game.layout(opened.setup), pieces), lines) for _ in range(2))
    eyes.who, setup_eyes.who = "eyes", "set-up"
    list(Chain(eyes, opened, words(), setup_eyes=setup_eyes).lines(NoPictures(known)))  # type: ignore[arg-type]

    assert looked.count("set-up") == 1
    assert looked[:2] == ["eyes", "set-up"]


def test_drinks_are_decided_together_and_coins_each_for_itself() -> None:
    red, blue = "red/stub_can", "blue/stub_can"
    sights = (
        Sight("a", (0.0, 0.0), {red: 0.0, blue: -1.0, EMPTY: -9.0}),
        Sight("b", (1.0, 0.0), {red: 0.0, blue: -8.0, EMPTY: -9.0}),
        Sight("c", (2.0, 0.0), {"yen:100": 0.0, EMPTY: -5.0}), Sight("d", (3.0, 0.0), {"yen:100": 0.0, EMPTY: -5.0}),
        Sight("e", (4.0, 0.0), {"yen:100": -5.0, EMPTY: 0.0}),
    )
    shown = {each.spot: each for each in one_look(Observation(0.0, sights), Layout((), (), (), (1.0, 1.0)))}

    assert {spot: each.appearance for spot, each in shown.items()} == {
        "a": blue, "b": red, "c": "yen:100", "d": "yen:100"}
    assert shown["c"].confidence == pytest.approx(0.9933, abs=1e-4)
    assert 0.5 < shown["a"].confidence < 1.0


def test_the_report_shows_what_went_wrong(tmp_path: Path) -> None:
    folder, pooled = DATA / "pick-1", Score()
    lines = read(folder)
    spoilt = [replaced(line) if line.get("frame") == 4 else line for line in lines]
    found = compared(folder, spoilt)
    pooled += found.score

    page = write_report(tmp_path / "report", [found], pooled)

    text = page.read_text(encoding="utf-8")
    assert "plies silently wrong" in text
    assert "pick-1, frame 4" in text
    assert "tray:1" in text
    pictures = sorted((page.parent / "pictures").glob("pick-1-0004-*.jpg"))
    picture = cv2.imread(str(pictures[0]))
    assert picture is not None
    assert np.asarray(picture).shape[1] == 1152


def replaced(line: Any) -> Any:
    """The line with a tray read as another one, and its plies lost."""
    believed = [{**each, "appearance": "tray:1"} if each["spot"] == "grid:c3" else each for each in line["believed"]]
    return line | {"believed": believed, "plies": []}
