"""What is learned of drinks from corrections, tried on an excerpt with one drink that was enrolled in another hue."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from companion.engine import record
from companion.games import registry
from companion.table import EMPTY, Layout, Observation, Sight, colour_of
from companion.words import load
from vision.enrolment.drink_separability import DrinksAlike, confusable_drinks
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set, read_truth
from vision.learning.label_assignment import is_certain
from vision.learning.online_learning import RereadWith, learn_labels, reread_with
from vision.photometry.background_model import Lab
from vision.pieces.exemplars import Learned
from vision.pieces.piece_set import PieceSet
from vision.pipeline.reader import Reader

EXCERPT = Path(__file__).parents[1] / "data" / "kamikaze-1"
TINTED, SPOT, TOWARDS = "green/short_can", "grid:b2", "blue/short_can"
NEAR_MM, APART_NATS = 6.0, 8.0

pytestmark = [pytest.mark.usefixtures("learned_once"), pytest.mark.wide]


@cache
def layout() -> Layout:
    header = json.loads((EXCERPT / "record.jsonl").read_text(encoding="utf-8").splitlines()[0])
    opened = record.read_header(header, registry.game)
    return opened.game.layout(opened.setup)


@cache
def enrolled() -> PieceSet:
    return enrol_set(read_set(EXCERPT), registry.kinds("kamikaze-cans"))


def free() -> list[int]:
    return [index for index, line in enumerate(read_truth(EXCERPT)) if line["free"]]


@cache
def reads() -> RereadWith:
    """The last look, in which the drink stands in its slot."""
    known = read_set(EXCERPT)
    return reread_with(known.frame(free()[-1]), known.lens, layout(), known.zones, known.seats)


def seen(pieces: PieceSet) -> Observation:
    found = reads()(pieces)
    assert found is not None
    return found.observation


def at(observation: Observation, spot: str) -> Sight:
    return next(sight for sight in observation.sights if sight.spot == spot)


def ahead(sight: Sight) -> float:
    return sight.loglik[TINTED] - max(nats for name, nats in sight.loglik.items() if name != TINTED)


@cache
def tinted() -> tuple[PieceSet, Lab]:
    """The drink as if it had been enrolled in a hue in which it is taken for another, but not far behind it, and that
    for its hue; and by how much (3,) that is off."""
    textures = enrolled().crate_textures
    way = (textures[TOWARDS] - textures[TINTED]).mean(axis=0) * (0, 1, 1)
    least = min(0.0, ahead(at(seen(enrolled()), SPOT))) - 2.0
    for share in np.arange(0.15, 0.9, 0.05):
        off = (share * way).astype(np.float32)
        pieces = replace(enrolled(), crate_textures={**textures, TINTED: textures[TINTED] + off})
        if -APART_NATS < ahead(at(seen(pieces), SPOT)) < least:
            return pieces, off
    raise AssertionError("no such hue")


@cache
def corrected() -> Learned:
    learned = Learned(tinted()[0])
    for _ in range(2):
        learned = learn_labels(learned, layout(), {SPOT: (TINTED,)}, reads())
    return learned


def _apart_mm(one: Sight, other: Sight) -> float:
    return float(np.hypot(*np.subtract(one.at_mm, other.at_mm)))


@pytest.mark.long
def test_the_hue_of_a_drink_is_learned_from_a_correction() -> None:
    pieces, off = tinted()
    assert list(corrected().means) == [("crate", TINTED)]
    mean = corrected().means["crate", TINTED]
    assert np.linalg.norm(mean.colours + off) < np.linalg.norm(off)
    assert np.linalg.norm(mean.colours + off) < 2.5
    assert ahead(at(seen(corrected().pieces), SPOT)) > ahead(at(seen(pieces), SPOT)) + 1.0


@pytest.mark.long
def test_all_that_was_certain_in_other_looks_stays_so() -> None:
    known = read_set(EXCERPT)
    readers = [Reader(known.lens, pieces, layout(), known.zones, known.seats)
               for pieces in (tinted()[0], corrected().pieces)]
    for index in free():
        its_own = {piece["spot"] for piece in read_truth(EXCERPT)[index]["pieces"] if piece["appearance"] == TINTED}
        before, after = (reader.look(known.frame(index)).observation for reader in readers)
        assert before is not None
        assert after is not None
        for sight in before.sights:
            if is_certain(sight) and sight.likeliest not in (EMPTY, TINTED) and sight.spot not in its_own:
                near = min((each for each in after.sights if each.spot == sight.spot),
                           key=partial(_apart_mm, sight))
                assert near.likeliest == sight.likeliest, (index, sight.spot)
                assert is_certain(near), (index, sight.spot)


@pytest.mark.parametrize("slip", ["blue/not_tallest_bottle", "orange/stub_can"])
def test_a_drink_that_is_named_as_quite_another_teaches_nothing(slip: str) -> None:
    spot = next(sight.spot for sight in seen(enrolled()).sights if sight.spot.startswith("grid:") and is_certain(sight)
                and sight.likeliest not in (EMPTY, slip))
    assert not learn_labels(Learned(enrolled()), layout(), {spot: (slip,)}, reads()).means


# ---------------------------------------------------------------- what is said after an enrolment


def test_the_colours_and_shapes_that_are_most_alike_are_named() -> None:
    known = read_set(EXCERPT)
    colours, shapes = confusable_drinks(enrolled(), replace(known, enrolments=known.enrolments[:1]))
    assert colour_of(colours.one) != colour_of(colours.other)
    assert colour_of(shapes.one) == colour_of(shapes.other)
    assert colours.nats > shapes.nats


def test_drinks_that_stood_in_each_others_place_are_told() -> None:
    known, there = read_set(EXCERPT), {"red/tall_can": "blue/tall_can", "blue/tall_can": "red/tall_can"}
    first = known.enrolments[0]
    exchanged = tuple(replace(laid, appearance=there.get(laid.appearance, laid.appearance)) for laid in first.pieces)
    colours, _ = confusable_drinks(enrolled(), replace(known, enrolments=(replace(first, pieces=exchanged),)))
    assert {colours.one, colours.other} & there.keys()
    assert "each other's place" in load().say(colours.verdict)


def test_what_to_do_depends_on_what_is_alike() -> None:
    words = load()
    assert "told apart well" in words.say(DrinksAlike("red/stub_can", "blue/stub_can", 9.0).verdict)
    assert "softer light" in words.say(DrinksAlike("red/stub_can", "orange/stub_can", 2.0).verdict)
    assert "Tilt the camera" in words.say(DrinksAlike("red/stub_can", "red/short_can", -2.0).verdict)
