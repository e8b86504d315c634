"""What is learned from corrections, tried on an excerpt with one coin that was enrolled out of focus."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from companion.engine import record
from companion.games import registry
from companion.main.eyes_session import TableEyes
from companion.main.messages import LookFor
from companion.table import EMPTY, Layout, Observation, Placement, Sight, Zone
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set, read_truth
from vision.faces.templates import Face
from vision.learning.acceptance import objection
from vision.learning.label_assignment import is_certain, labelled_sights
from vision.learning.online_learning import Reread, RereadWith, can_learn_from, learn_labels, reread_with
from vision.pieces.exemplars import MIN_ENROLLED_SHARE, Learned, examples_file, with_examples
from vision.pieces.piece_set import PieceSet
from vision.pieces.piece_set_file import load_piece_set, save_piece_set
from vision.pipeline.reader import Reader
from vision.scene.scene import Scene

pytestmark = pytest.mark.wide

EXCERPT = Path(__file__).parents[1] / "data" / "war-chest-1"
BLURRED = "coin:royal_guard"
NEAR_MM = 6.0


@cache
def layout() -> Layout:
    header = json.loads((EXCERPT / "record.jsonl").read_text(encoding="utf-8").splitlines()[0])
    opened = record.read_header(header, registry.game)
    return opened.game.layout(opened.setup)


@cache
def enrolled() -> PieceSet:
    return enrol_set(read_set(EXCERPT), registry.kinds("war-chest"))


@cache
def out_of_focus() -> PieceSet:
    face = enrolled().faces[BLURRED]
    blurred = Face(face.piece, np.asarray(cv2.GaussianBlur(face.colours, (0, 0), 6.0), np.float32))
    return replace(enrolled(), faces={**enrolled().faces, BLURRED: blurred})


def free() -> list[int]:
    return [index for index, line in enumerate(read_truth(EXCERPT)) if line["free"]]


@cache
def reads(which: int = 0) -> RereadWith:
    """Reads the first free look, or another one."""
    known = read_set(EXCERPT)
    return reread_with(known.frame(free()[which]), known.lens, layout(), known.zones, known.seats)


def looks(pieces: PieceSet) -> dict[int, Observation]:
    """All free looks but the one that is learned from, read one after the other."""
    known = read_set(EXCERPT)
    reader = Reader(known.lens, pieces, layout(), known.zones, known.seats)
    found = {index: reader.look(known.frame(index)).observation for index in free()[1:]}
    return {index: seen for index, seen in found.items() if seen is not None}


def _apart_mm(one: Sight, other: Sight) -> float:
    return float(np.hypot(*np.subtract(one.at_mm, other.at_mm)))


def is_right(sight: Sight, pieces: list[Mapping[str, Any]]) -> bool:
    """Whether what is most likely there lies on the table there."""
    return sight.likeliest in {piece["appearance"] for piece in pieces
                           if np.hypot(*np.subtract(piece["at"], sight.at_mm)) < NEAR_MM}


def told_of(observation: Observation, spot: str) -> Placement:
    """What stands at a spot, as clear eyes see it."""
    return {spot: tuple(sight.likeliest for sight in observation.sights if sight.spot == spot)}


@cache
def clear() -> Observation:
    """The first look, read with the pieces as they were enrolled in focus."""
    seen = reads()(enrolled())
    assert seen is not None
    return seen.observation


@cache
def corrected() -> Learned:
    spot = next(sight.spot for sight in clear().sights if sight.likeliest == BLURRED)
    learned = Learned(out_of_focus())
    for _ in range(2):
        learned = learn_labels(learned, layout(), told_of(clear(), spot), reads())
    return learned


def sights_of(observation: Observation, name: str) -> list[Sight]:
    where = [sight for sight in clear().sights if sight.likeliest == name]
    return [sight for sight in observation.sights for other in where
            if sight.spot == other.spot and np.hypot(*np.subtract(sight.at_mm, other.at_mm)) < NEAR_MM]


def test_a_piece_that_was_corrected_is_read_surely() -> None:
    before, after = reads()(out_of_focus()), reads()(corrected().pieces)
    assert before is not None
    assert after is not None
    was, now = (sights_of(seen.observation, BLURRED)[0] for seen in (before, after))
    assert not (is_certain(was) and was.likeliest == BLURRED)
    assert is_certain(now)
    assert now.likeliest == BLURRED


@cache
def unlearned() -> Mapping[int, Observation]:
    return looks(out_of_focus())


def expect_as_certain(after: Mapping[int, Observation]) -> None:
    """What was certain in other looks before something was learned is read the same, and is certain."""
    assert unlearned().keys() == after.keys() == set(free()[1:])
    for index, seen in after.items():
        for sight in filter(is_certain, unlearned()[index].sights):
            now = min((each for each in seen.sights if each.spot == sight.spot),
                      key=partial(_apart_mm, sight))
            assert now.likeliest == sight.likeliest, (index, sight.spot)
            assert is_certain(now), (index, sight.spot)


def test_what_was_certain_at_other_looks_is_as_certain_and_more_is() -> None:
    after = looks(corrected().pieces)
    expect_as_certain(after)
    for index, seen in after.items():
        sure = [sight for sight in seen.sights if is_certain(sight)]
        assert all(is_right(sight, read_truth(EXCERPT)[index]["pieces"]) for sight in sure if sight.likeliest != EMPTY)
    counts = [sum(map(is_certain, seen.sights)) for each in (unlearned(), after) for seen in each.values()]
    assert sum(counts[len(after):]) > sum(counts[:len(after)])


def unclear_hex() -> str:
    """Where the coin lies on the board in the last look; it is not read surely."""
    return next(str(piece["spot"]).rpartition(":")[0] for piece in read_truth(EXCERPT)[free()[-1]]["pieces"]
                if piece["appearance"] == BLURRED and piece["spot"].startswith("hex"))


def test_a_slip_that_would_make_another_coin_less_sure_is_dropped_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "vision.learning.online_learning"):
        learned = learn_labels(Learned(out_of_focus()), layout(), {unclear_hex(): ("coin:mercenary",)}, reads(-1))
    assert not learned.means
    assert "coin:mercenary at supply:1 would be less sure" in caplog.text


def test_a_slip_that_is_taken_makes_nothing_less_sure_that_was_certain() -> None:
    learned = learn_labels(Learned(out_of_focus()), layout(), {unclear_hex(): ("coin:cavalry",)}, reads(-1))
    assert list(learned.means) == [("face", "coin:cavalry")]
    expect_as_certain(looks(learned.pieces))


@pytest.mark.parametrize("other", ["coin:mercenary", "coin:knight"])
def test_a_coin_that_is_named_as_quite_another_teaches_nothing(other: str, caplog: pytest.LogCaptureFixture) -> None:
    spot, pieces = next((sight.spot, told_of(clear(), sight.spot)[sight.spot]) for sight in clear().sights
                        if sight.likeliest == BLURRED)
    slip = tuple(other if name == BLURRED else name for name in pieces)
    with caplog.at_level(logging.INFO, "vision.learning.online_learning"):
        learned = learn_labels(Learned(enrolled()), layout(), {spot: slip}, reads())
    assert not learned.means


def test_what_is_known_well_is_left_as_it_is() -> None:
    told = {spot: told_of(clear(), spot)[spot] for spot in ("supply:0", "supply:1")}
    assert not learn_labels(Learned(enrolled()), layout(), told, reads()).means


# ---------------------------------------------------------------- the guard by itself


def a_sight(spot: str, at: float = 0.0, **nats: float) -> Sight:
    return Sight(spot, (at, 0.0), {name.replace("nothing", EMPTY): value for name, value in nats.items()})


def an_example(sight: Sight, name: str, others: list[Sight], now: Sight, others_now: list[Sight]) -> str:
    layout = Layout((), (), (Zone("z", ((0, 0), (9, 0), (9, 9), (0, 9)), ("coin",)),), (9.0, 9.0))
    before, after = Observation(0.0, (sight, *others)), Observation(1.0, (now, *others_now))
    example, = labelled_sights(before.sights, layout, {"z": (*(each.likeliest for each in others), name)})
    return objection(before, after, example)


UNSURE, BETTER, SURE = a_sight("z", a=-1.0, b=0.0), a_sight("z", a=0.0, b=-1.0), a_sight("z", 20.0, c=0.0, a=-8.0)


def test_an_example_is_taken_when_its_thing_is_likelier_and_the_others_as_sure() -> None:
    assert an_example(UNSURE, "a", [SURE], BETTER, [replace(SURE, at_mm=(20.5, 0.0))]) == ""


def test_an_example_that_makes_another_thing_less_sure_is_not_taken() -> None:
    assert "less sure" in an_example(UNSURE, "a", [SURE], BETTER, [a_sight("z", 20.0, c=0.0, a=-6.5)])
    assert "less sure" in an_example(UNSURE, "a", [SURE], BETTER, [a_sight("z", 20.0, c=-9.0, a=0.0)])
    assert "less sure" in an_example(UNSURE, "a", [SURE], BETTER, [])


def test_an_example_that_does_not_help_is_not_taken() -> None:
    assert "not be read any better" in an_example(UNSURE, "a", [SURE], UNSURE, [SURE])


def test_of_two_unclear_things_none_is_named() -> None:
    layout = Layout((), (), (Zone("z", ((0, 0), (9, 0), (9, 9), (0, 9)), ("coin",)),), (9.0, 9.0))
    other = a_sight("z", 40.0, a=0.0, b=-0.5)
    assert list(labelled_sights([UNSURE, other], layout, {"z": ("a", "b")})) == []


def test_what_was_taught_by_mistake_is_forgotten_when_people_name_otherwise_what_is_sure_since() -> None:
    layout = Layout((), (), (Zone("z", ((0, 0), (9, 0), (9, 9), (0, 9)), ("coin",)),), (9.0, 9.0))
    seen = Reread(Observation(0.0, (a_sight("z", a=0.0, b=-9.0),)), cast(Scene, None))
    colours = enrolled().faces[BLURRED].colours
    taught = Learned(enrolled()).with_example(("face", "a"), colours).with_example(("face", "c"), colours)
    assert can_learn_from(taught, seen.observation, layout, {"z": ("b",)})
    assert list(learn_labels(taught, layout, {"z": ("b",)}, lambda _: seen).means) == [("face", "c")]
    assert learn_labels(taught, layout, {"z": ("a",)}, lambda _: seen) is taught
    assert not can_learn_from(Learned(enrolled()), seen.observation, layout, {"z": ("b",)})


# ---------------------------------------------------------------- what is kept


def test_examples_are_averaged_and_the_enrolment_never_counts_less_than_its_share() -> None:
    face = enrolled().faces[BLURRED]
    learned = Learned(enrolled())
    for _ in range(20):
        learned = learned.with_example(("face", BLURRED), face.colours + np.float32(10))
    now = learned.pieces.faces[BLURRED].colours
    assert np.allclose(now - face.colours, 10 * (1 - MIN_ENROLLED_SHARE), atol=0.01)
    once = Learned(enrolled()).with_example(("face", BLURRED), face.colours + np.float32(10))
    assert np.allclose(once.pieces.faces[BLURRED].colours - face.colours, 2.5, atol=0.01)
    assert enrolled().faces[BLURRED] is face


def test_examples_are_kept_beside_the_enrolment_and_dropped_when_that_is_made_anew(tmp_path: Path) -> None:
    file = tmp_path / "my.pieces"
    save_piece_set(enrolled(), file)
    first = file.read_bytes()
    learned = Learned(enrolled()).with_example(("face", BLURRED), enrolled().faces[BLURRED].colours + np.float32(4))
    learned.save(file)
    assert file.read_bytes() == first
    again = with_examples(enrolled(), file)
    assert np.allclose(again.pieces.faces[BLURRED].colours, learned.pieces.faces[BLURRED].colours)
    file.write_bytes(first + b" ")
    assert not with_examples(enrolled(), file).means
    examples_file(file).write_bytes(b"no")
    assert not with_examples(enrolled(), file).means


def test_the_eyes_of_a_table_learn_at_once_and_keep_it(tmp_path: Path) -> None:
    known, file = read_set(EXCERPT), tmp_path / "my.pieces"
    save_piece_set(out_of_focus(), file)
    eyes = TableEyes(known.lens, with_examples(out_of_focus(), file), file, known.zones, known.seats)
    eyes.learn({"supply:0": (BLURRED,)})
    eyes.look_for(LookFor(layout(), 2))
    eyes.look(known.frame(free()[0]), lambda: None)
    eyes.learn({"hex:0,0": ("coin:knight",)})  # nothing lies there, and that is certain
    assert not eyes.learned.means
    spot = next(sight.spot for sight in clear().sights if sight.likeliest == BLURRED)
    eyes.learn(told_of(clear(), spot))
    assert list(eyes.learned.means) == [("face", BLURRED)]
    assert with_examples(load_piece_set(file), file).means.keys() == eyes.learned.means.keys()
