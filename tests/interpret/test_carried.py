"""What it tells that a drink stands in its slot where it stood, to a tenth of a millimetre."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.interpret.carried import moved_on_carrier_mm
from companion.interpret.handling import exchange_nats
from companion.interpret.layout_index import LayoutIndex, index_layout
from companion.interpret.tracks import Track
from companion.table import Appearance, Point, Spot
from tests.interpret.perfect_table import Table

CAN: Appearance = "red/stub_can"


def crate() -> tuple[LayoutIndex, list[Spot]]:
    """The slots of one crate."""
    index = index_layout(Table("yuzu-twist").layout)
    carrier = next(iter(sorted(index.carrier.values())))
    return index, sorted(spot for spot, on in index.carrier.items() if on == carrier)


def seen(slots: list[Spot], moved: Mapping[Spot, Point] = {}, all_moved: Point = (0.0, 0.0)) -> dict[Spot, Track]:
    """A drink in each, 15 mm apart, some of them moved."""
    places = {}
    for number, slot in enumerate(slots):
        dx, dy = moved.get(slot, all_moved)
        at = 15.0 * number + dx, dy
        places[slot] = Track(slot, at, {CAN: 0.0, "": 9.0}, feet_mm={CAN: at, "red/tall_can": (at[0] + 0.6, dy)})
    return places


def test_a_drink_moved_so_far_in_its_slot_as_it_did_beside_the_others() -> None:
    index, slots = crate()
    now = seen(slots, {slots[0]: (0.3, 0.2)}, all_moved=(0.3, -0.2))
    assert moved_on_carrier_mm(slots[0], seen(slots), now, index) == pytest.approx(0.4)
    assert moved_on_carrier_mm(slots[1], seen(slots), now, index) == pytest.approx(0.0)


def test_where_the_crate_was_moved_or_only_two_are_seen_nothing_is_told() -> None:
    index, slots = crate()
    assert moved_on_carrier_mm(slots[0], seen(slots), seen(slots, all_moved=(0.6, 0.0)), index) is None
    assert moved_on_carrier_mm(slots[0], seen(slots), seen(slots[:3]), index) is None


def test_what_looks_like_another_height_now_is_followed_as_what_it_was() -> None:
    index, slots = crate()
    now = seen(slots)
    now[slots[0]] = Track(slots[0], (0.6, 0.0), {CAN: 1.0, "red/tall_can": 0.0}, feet_mm=now[slots[0]].feet_mm)
    assert moved_on_carrier_mm(slots[0], seen(slots), now, index) == pytest.approx(0.0)


@pytest.mark.parametrize(("moved_mm", "same", "another"), [
    (0.0, 0.0, 2.67), (0.1, 0.0, 2.1), (0.2, 0.0, 0.39), (0.3, 2.04, 0.0), (0.5, 3.0, 0.0), (9.0, 3.0, 0.0)])
def test_nobody_sets_a_drink_down_just_where_another_stood(moved_mm: float, same: float, another: float) -> None:
    was, now = (Track("slot", (0.0, 0.0), {CAN: cost}, looks=1) for cost in (0.0, 0.1))
    assert exchange_nats(was, now, moved_mm) == pytest.approx((same, another), abs=0.01)
