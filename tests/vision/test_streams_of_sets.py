"""Streams made from picture sets, a hand's pictures between two looks: the first free look comes within half a second
after the hand is gone, and never before; lamps of the companion's own are no change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.vision.excerpt import EXCERPT, excerpt, whole_sets
from tests.vision.test_watch import watcher
from vision.enrolment.picture_set import read_set, read_truth
from vision.imaging.frame import Image

RATES = (5.0, 10.0, 30.0)
COMES_S, LIES_S = 0.8, 0.8
"""For so long a hand is there, and then none."""
WITHIN_S = 0.5


def noisy(small: Image, rng: np.random.Generator) -> Image:
    """No two pictures of a camera are the same."""
    return np.asarray((small + rng.normal(0.0, 1.5, small.shape)).clip(0, 255), np.uint8)


def stream(folder: Path, rate: float) -> Iterator[tuple[Image, float, bool, float]]:
    """Pictures with their times, whether they are free, and for how long they have been so: all pictures of a set in
    their order, each for a while."""
    known, rng, at_s = read_set(folder), np.random.default_rng(3), 0.0
    for line in read_truth(folder):
        small, lasts_s = known.frame(line["frame"]).small, LIES_S if line["free"] else COMES_S
        for n in range(round(lasts_s * rate)):
            yield noisy(small, rng), at_s, bool(line["free"]), n / rate
            at_s += 1.0 / rate


def check(folder: Path, rate: float) -> None:
    watch = watcher(read_set(folder) if folder != EXCERPT else None)
    is_waiting, looks = False, 0
    for small, at_s, is_free, since_s in stream(folder, rate):
        state = watch.look(small, at_s).state
        assert is_free or state != "free", f"a hand is read at {at_s:.2f} s"
        is_waiting = is_free and (is_waiting or since_s == 0.0) and state != "free"
        assert not (is_waiting and since_s > WITHIN_S), f"still {state} at {at_s:.2f} s"
        looks += is_free and state == "free"
    assert looks > 0


@pytest.mark.parametrize("rate", RATES)
def test_each_free_look_comes_soon_after_the_hand_and_never_before(rate: float) -> None:
    check(EXCERPT, rate)


@pytest.mark.long
@pytest.mark.parametrize("folder", whole_sets(), ids=lambda folder: str(folder.name))
def test_so_it_is_in_whole_sets(folder: Path) -> None:
    check(folder, 10.0)


def test_lamps_of_its_own_that_light_and_blink_are_no_change() -> None:
    """A lamp a seat at the front edge, and a coloured one: each tints the table around it, off and on."""
    watch, rng = watcher(), np.random.default_rng(5)
    down, across = np.mgrid[0:180, 0:320].astype(np.float32)
    glows = [(np.exp(-((across - x) ** 2 + (down - 172) ** 2) / 400.0)[..., None] * np.array(bgr, np.float32))
             for x, bgr in ((90, (8, 10, 30)), (230, (8, 10, 30)), (160, (25, 30, 6)))]
    small = excerpt().frame(0).small
    states = []
    for n in range(60):
        lit = small + sum((glow for each, glow in enumerate(glows) if (n // 5 + each) % 2), np.zeros((1, 1, 3)))
        states.append(watch.look(noisy(np.asarray(lit.clip(0, 255), np.uint8), rng), 0.1 * n).state)

    assert "hand" not in states
    assert states.count("free") >= 40
    assert states[-1] == "free"
