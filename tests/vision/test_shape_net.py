"""The network on pictures that it has not learned from, and on drinks that it was not made for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.table import EMPTY
from tests.bench.shapes.crops import Example, examples, lit
from vision.enrolment.picture_set import read_set, read_truth
from vision.shapes.shape_net import BOX_HEIGHTS_MM, KINDS_TOLD, knows, shape_nats

DATA = Path(__file__).parents[1] / "data"

Told = list[tuple[Example, dict[str, float]]]


@pytest.fixture(scope="module", params=["kamikaze-1", "yuzu-1", "crate-wars-1"])
def told(request: pytest.FixtureRequest) -> Told:
    """What is told of all places of a first look."""
    known, line = read_set(DATA / request.param), read_truth(DATA / request.param)[0]
    picture = lit(known.frame(line["frame"]).image, known.lens)
    places = examples(line["pieces"], np.random.default_rng(1))
    return [(each, shape_nats(picture, each.foot_mm, each.in_slot)) for each in places]


def test_likelihoods_sum_to_one_and_nothing_is_impossible(told: Told) -> None:
    for _, nats in told:
        assert tuple(nats) == KINDS_TOLD
        assert np.exp(list(nats.values())).sum() == pytest.approx(1.0)
        assert min(nats.values()) > -7


def test_it_tells_drinks_from_what_is_empty(told: Told) -> None:
    wrong = sum((max(nats, key=nats.__getitem__) == EMPTY) != (each.kind == EMPTY) for each, nats in told)
    assert wrong <= 0.02 * len(told)


def test_it_tells_shapes(told: Told) -> None:
    drinks = [(each, nats) for each, nats in told if each.kind != EMPTY]
    wrong = sum(max(nats, key=nats.__getitem__) != each.kind for each, nats in drinks)
    assert len(drinks) >= 10
    assert wrong <= 0.25 * len(drinks)


def test_it_was_made_for_the_drinks_of_the_box() -> None:
    assert knows(BOX_HEIGHTS_MM)
    assert knows({"stub_can": 12.4})
    assert not knows({**BOX_HEIGHTS_MM, "stub_can": 14.0})
    assert not knows({"jug": 30.0})
