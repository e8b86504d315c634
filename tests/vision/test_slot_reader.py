"""Reading all slots of a painted crate: what is read again, and what empty slots teach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from companion.table import EMPTY, Drink, Sight
from tests.vision.painted_crate import CRATE, Slot, centre_mm, crate_scene, places
from tests.vision.test_zones import MODELS
from vision.drinks import classifier, slot_reader
from vision.drinks.classifier import read_drink
from vision.drinks.coarse_level import Compared
from vision.drinks.coarse_to_fine import CoarseToFineSearch
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkReading
from vision.drinks.models import Models
from vision.drinks.slot_geometry import learn_empty_slots
from vision.drinks.slot_reader import DrinkSlots
from vision.imaging.box import Box
from vision.scene.reading_cache import ReadingCache
from vision.scene.scene import Scene

TALL = "red/tallest_bottle"


class Reads:
    """The slots that were read, in order."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.slots: list[tuple[float, float]] = []
        patch.setattr(slot_reader, "read_drink", self)

    def __call__(self, scene: Scene, pose: DrinkPose, *more: Any) -> DrinkReading:
        self.slots.append((float(pose.foot_mm[0]), float(pose.foot_mm[1])))
        return read_drink(scene, pose, *more)

    def times(self, slot: Slot) -> int:
        return sum(np.allclose(at, centre_mm(slot)) for at in self.slots)


class EmptySlots:
    """The middles of the slots that taught how empty ones look, look after look."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.learned: list[set[tuple[int, int]]] = []
        patch.setattr(slot_reader, "learn_empty_slots", self)

    def __call__(self, scene: Scene, crates: Any, openings_mm: list[Any], before: Any) -> Any:
        self.learned.append({tuple(np.rint(each.mean(axis=0)).astype(int).tolist()) for each in openings_mm})
        return learn_empty_slots(scene, crates, openings_mm, before)


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[Compared]:
    """What is compared with drinks, search after search."""
    searched: list[Compared] = []

    def search(with_drinks: Compared) -> CoarseToFineSearch:
        searched.append(with_drinks)
        return CoarseToFineSearch(with_drinks)

    monkeypatch.setattr(classifier, "CoarseToFineSearch", search)
    return searched


def read(slots: DrinkSlots, stood: Mapping[Slot, Drink]) -> dict[str, Sight]:
    here, centres = places()
    return {sight.spot: sight for sight in slots.read(crate_scene(stood, MODELS), here, centres, [CRATE])}


def rounded(slot: Slot) -> tuple[int, int]:
    x, y = centre_mm(slot)
    return round(x), round(y)


def test_each_slot_holds_what_stands_in_it() -> None:
    stood = {(0, 0): "red/stub_can", (1, 1): TALL}
    found = read(DrinkSlots(MODELS, ReadingCache()), stood)
    assert {spot: sight.likeliest for spot, sight in found.items() if sight.likeliest != EMPTY} == {
        "slot:0,0": "red/stub_can", "slot:1,1": TALL}


def test_what_was_read_beside_a_drink_that_came_to_light_later_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = Reads(monkeypatch)
    read(DrinkSlots(MODELS, ReadingCache()), {(0, 1): TALL, (1, 1): TALL})
    near, far = sorted(((0, 1), (1, 1)), key=lambda slot: float(np.hypot(*centre_mm(slot))))
    assert (reads.times(near), reads.times(far)) == (2, 1)


def test_nothing_is_read_twice_where_no_drink_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = Reads(monkeypatch)
    read(DrinkSlots(MODELS, ReadingCache()), {})
    assert len(reads.slots) == len(set(reads.slots)) == 6


def test_only_what_changed_is_read_at_the_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    slots = DrinkSlots(MODELS, ReadingCache())
    read(slots, {(0, 0): TALL})
    reads = Reads(monkeypatch)
    read(slots, {(0, 0): TALL})
    assert reads.slots == []
    read(slots, {(0, 0): TALL, (1, 2): "red/stub_can"})
    assert reads.times((1, 2)) >= 1
    assert reads.times((0, 0)) == 0


def test_only_slots_that_surely_hold_nothing_teach_how_empty_ones_look(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = EmptySlots(monkeypatch)
    read(DrinkSlots(MODELS, ReadingCache()), {(0, 1): "red/stub_can"})
    taught, = empty.learned
    assert rounded((0, 1)) not in taught
    assert rounded((1, 2)) in taught


def test_what_empty_slots_taught_is_forgotten_when_the_crates_move() -> None:
    slots = DrinkSlots(MODELS, ReadingCache())
    read(slots, {})
    assert slots._emptied is not None
    slots.crates_moved()
    assert slots._emptied is None


def test_a_slot_that_was_seen_bare_is_judged_as_the_open_table_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def loglik(_: Models, __: DrinkReading, was_bare: bool = False) -> dict[str, float]:
        asked.append(was_bare)
        return {EMPTY: 0.0}

    monkeypatch.setattr(Models, "loglik", loglik)
    slots = DrinkSlots(MODELS, ReadingCache())
    read(slots, {(0, 0): TALL})
    assert not any(asked), "nothing was seen before"
    asked.clear()
    read(slots, {(0, 0): TALL, (1, 2): "red/stub_can"})
    assert any(asked)
    slots.crates_moved()
    asked.clear()
    read(slots, {})
    assert asked
    assert not any(asked)


def test_a_slot_that_looks_bare_is_compared_with_drinks_where_the_network_sees_one(
    monkeypatch: pytest.MonkeyPatch, compared: list[Compared]
) -> None:
    read(DrinkSlots(MODELS, ReadingCache()), {})
    doubtful = len(compared)
    monkeypatch.setattr(classifier, "is_seen", lambda *_: True)
    monkeypatch.setattr(classifier, "is_surely_unseen", lambda *_: False)
    read(DrinkSlots(MODELS, ReadingCache()), {})
    assert len(compared) == doubtful + 6
    assert doubtful < 6


@pytest.mark.parametrize(("uneven_nats", "unseen", "searched"), [
    (0.0, False, 2),  # two do not look wholly bare
    (1.0, True, 2),
    (1.0, False, 6),  # the network was not asked, or is not sure
    (4.0, True, 6),
])
def test_a_bare_floor_that_looks_slightly_uneven_is_empty_where_the_network_surely_sees_none(
    monkeypatch: pytest.MonkeyPatch, compared: list[Compared], uneven_nats: float, unseen: bool, searched: int
) -> None:
    monkeypatch.setattr(classifier, "uneven_cost", lambda *_: uneven_nats * MODELS.cost_per_nat)
    monkeypatch.setattr(classifier, "raised_cost", lambda *_: 0.0)
    monkeypatch.setattr(classifier, "is_surely_unseen", lambda _: unseen)
    sights = read(DrinkSlots(MODELS, ReadingCache()), {})
    assert len(compared) == searched
    assert all(sight.likeliest == EMPTY for sight in sights.values())


@pytest.mark.parametrize(("lead_nats", "share"), [(1.0, 0.45), (3.0, 0.6), (6.0, 1.0)])
def test_a_doubtful_colour_is_read_again_after_a_slighter_change(lead_nats: float, share: float) -> None:
    scene = crate_scene({}, MODELS)
    slots = DrinkSlots(MODELS, memory := ReadingCache())
    nats = {"red/stub_can": 0.0, "orange/stub_can": -lead_nats, TALL: -0.5}
    memory.keep(scene, "slot:0,0", Box(0, 0, 20, 20), (Sight("slot:0,0", (0.0, 0.0), nats),))
    assert slots._tolerance("slot:0,0") == share


@pytest.mark.parametrize(("drink", "searched"), [("red/stub_can", 0), (TALL, 1)])
def test_in_a_slot_that_changed_by_noise_drinks_are_searched_for_only_if_another_stands_there(
    monkeypatch: pytest.MonkeyPatch, drink: Drink, searched: int
) -> None:
    slots, spot = DrinkSlots(MODELS, memory := ReadingCache()), "slot:0,0"
    read(slots, {(0, 0): "red/stub_can"})
    changes = {spot: 0.9}
    monkeypatch.setattr(memory, "changed", lambda _scene, at, _box, _least=1.0: changes.get(at, 0.0))
    monkeypatch.setattr(slots, "_tolerance", lambda _: 0.5)
    searches: list[object] = []
    find = CoarseToFineSearch.find
    monkeypatch.setattr(CoarseToFineSearch, "find", lambda *given: (searches.append(given), find(*given))[1])
    assert read(slots, {(0, 0): drink})[spot].likeliest == drink
    assert min(len(searches), 1) == searched
