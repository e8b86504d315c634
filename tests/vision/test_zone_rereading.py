"""Drinks of a zone beside each other: what is dropped, and what is then read again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.table import EMPTY, Point
from tests.vision.test_zones import MODELS, VIEW, WHITE, picture
from vision.drinks import zone_rereading
from vision.drinks.classifier import read_drink
from vision.drinks.drawing import draw_reading
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkPrior, DrinkReading
from vision.drinks.models import Models
from vision.drinks.zone_rereading import (
    FAINT_SPACING_MM,
    FIRST_NEW_NUMBER,
    MIN_SPACING_MM,
    ZoneRereading,
    crowded,
    faint_gain,
)
from vision.scene.bare_table import Bare
from vision.scene.scene import Scene

CAN = "red/stub_can"
USUAL, FAINT = 1000.0, 100.0
BETWEEN_MM = (MIN_SPACING_MM + FAINT_SPACING_MM) / 2


def a_reading(at_mm: Point, gain: float = USUAL) -> DrinkReading:
    """A can that saves so much of the cost of the table."""
    pose = DrinkPose(np.array([*at_mm, 0.0]), 0.0)
    return DrinkReading(pose, {EMPTY: 5000.0, CAN: 5000.0 - gain}, {CAN: at_mm}, CAN, (0, 0), 0.0, 100,
                        {"stub_can": 0.0})


def named(*readings: DrinkReading) -> dict[int, DrinkReading]:
    return dict(enumerate(readings, FIRST_NEW_NUMBER))


def test_a_drink_cannot_stand_in_another_and_the_one_that_explains_less_is_dropped() -> None:
    strong, weak = a_reading((0.0, 0.0), 1200.0), a_reading((MIN_SPACING_MM - 1, 0.0))
    assert crowded(named(weak, strong), []) == [FIRST_NEW_NUMBER]
    assert crowded(named(weak), [strong]) == [FIRST_NEW_NUMBER]
    assert crowded(named(a_reading((MIN_SPACING_MM + 1, 0.0)), strong), []) == []


def test_what_is_faint_beside_another_is_a_shadow_and_what_is_not_is_a_drink() -> None:
    strong = a_reading((0.0, 0.0))
    for gain, dropped in ((FAINT, [FIRST_NEW_NUMBER + 1]), (USUAL, [])):
        assert crowded(named(strong, a_reading((BETWEEN_MM, 0.0), gain)), [a_reading((200.0, 0.0))]) == dropped
    alone = a_reading((FAINT_SPACING_MM + 1, 0.0), FAINT)
    assert crowded(named(strong, alone), [a_reading((200.0, 0.0))]) == []


def test_how_much_is_faint_goes_by_what_drinks_mostly_save() -> None:
    assert faint_gain([]) == 0.0
    assert faint_gain([a_reading((0.0, 0.0), gain) for gain in (800.0, 1000.0, 5000.0)]) == pytest.approx(300.0)


class Rereads:
    """Reads drinks as they were, but for some that turn out to be nothing; counts how often."""

    def __init__(self, patch: pytest.MonkeyPatch, nothing: set[int]) -> None:
        self.numbers: list[int] = []
        self._nothing = nothing
        patch.setattr(zone_rereading, "read_drink", self)
        patch.setattr(zone_rereading, "confirmed", lambda *_: None)

    def __call__(self, scene: Scene, pose: DrinkPose, models: Models, prior: DrinkPrior) -> DrinkReading:
        self.numbers.append(prior.number)
        assert prior.like is not None
        is_nothing = prior.number in self._nothing
        return replace(prior.like, costs={EMPTY: 0.0, CAN: 0.0}) if is_nothing else prior.like


def rereading(*found: DrinkReading) -> ZoneRereading:
    """Drinks that were found one after the other, drawn into a scene."""
    scene = Scene(picture({}), VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None)
    for number, reading in named(*found).items():
        draw_reading(scene, number, reading, MODELS)
    return ZoneRereading(scene, MODELS, found, [], min_gain=50.0)


NEIGHBOURS = a_reading((150.0, 0.0)), a_reading((162.0, 0.0)), a_reading((156.0, 11.0))
FIRST, SECOND, THIRD = range(FIRST_NEW_NUMBER, FIRST_NEW_NUMBER + 3)


def test_what_was_found_before_its_neighbours_is_read_again_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    reads, zone = Rereads(monkeypatch, set()), rereading(*NEIGHBOURS)
    zone.run()
    assert reads.numbers == [FIRST, SECOND]
    assert set(zone.readings) == {FIRST, SECOND, THIRD}


def test_beside_a_drink_that_is_not_there_after_all_what_is_left_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reads, zone = Rereads(monkeypatch, {SECOND}), rereading(*NEIGHBOURS)
    zone.run()
    assert set(zone.readings) == {FIRST, THIRD}
    assert reads.numbers == [FIRST, SECOND, THIRD, FIRST]


def test_what_its_new_neighbour_does_not_change_is_confirmed_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    stand = {(150.0, 0.0): CAN, (163.0, 3.0): "navy/tallest_bottle"}
    scene = Scene(picture(stand), VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None)
    found = [read_drink(scene, DrinkPose(np.array([*at_mm, 0.0]), 0.0), MODELS) for at_mm in stand]
    for number, reading in named(*found).items():
        draw_reading(scene, number, reading, MODELS)
    zone = ZoneRereading(scene, MODELS, found, [], min_gain=50.0)
    monkeypatch.setattr(zone_rereading, "read_drink", None)
    zone.run()
    assert [reading.best for reading in zone.readings.values()] == [*stand.values()]
    assert zone.readings[FIRST] is not found[0]
    assert zone.readings[SECOND] is found[1]


def test_a_drink_alone_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reads, zone = Rereads(monkeypatch, set()), rereading(a_reading((150.0, 0.0)), a_reading((300.0, 100.0)))
    zone.run()
    assert reads.numbers == []


def test_a_faint_drink_is_sought_once_again_by_its_lid(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = Rereads(monkeypatch, set())
    zone = rereading(a_reading((150.0, 0.0)), a_reading((200.0, 0.0)), a_reading((300.0, 100.0), FAINT))
    zone.run()
    assert reads.numbers == [THIRD]
