"""Colours told by how each looked where it was known to stand, in crates that are drawn up as sights."""

from __future__ import annotations

import pytest

from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.known_colours import liken, with_known_colours
from companion.interpret.layout_index import LayoutIndex
from companion.interpret.tracks import Track
from companion.table import EMPTY, Placement
from tests.interpret.test_carried import crate

RED, ORANGE, TALL = "red/stub_can", "orange/stub_can", "red/tall_can"
LOOKED_RED, LOOKED_ORANGE = {RED: 0.0, ORANGE: 1.0, EMPTY: 9.0}, {RED: 0.0, ORANGE: 0.2, EMPTY: 9.0}
"""In this light both are taken for red."""


def test_of_two_that_are_both_taken_for_red_the_less_red_is_orange() -> None:
    known = {RED: LOOKED_RED, ORANGE: LOOKED_ORANGE}

    assert liken({RED: 0.0, ORANGE: 0.9}, known)[RED] == 0.0
    assert liken({RED: 0.0, ORANGE: 0.9}, known)[ORANGE] > 2.0
    assert liken({RED: 0.0, ORANGE: 0.3}, known)[ORANGE] == 0.0
    assert liken({RED: 0.0, ORANGE: 0.3}, known)[RED] > 2.0


def test_colours_that_looked_alike_are_told_by_nothing() -> None:
    assert liken({RED: 0.0, ORANGE: 0.9}, {RED: LOOKED_RED, ORANGE: LOOKED_RED}) == {RED: 0.0, ORANGE: 0.0}


def test_however_far_colours_differed_one_look_does_not_settle_it() -> None:
    known = {RED: {RED: 0.0, ORANGE: 15.0}, ORANGE: {RED: 15.0, ORANGE: 0.0}}

    assert liken({RED: 0.0, ORANGE: 15.0}, known)[ORANGE] == pytest.approx(5.0, abs=0.2)


def evidence(index: LayoutIndex, slots: list[str], stood: Placement, looks: int) -> Evidence:
    """A crate in which the third slot looks like an orange can among reds."""
    seen = {slots[0]: LOOKED_RED, slots[1]: LOOKED_ORANGE, slots[2]: {TALL: 0.0, EMPTY: 9.0}}
    last = TableTracks({}, {spot: Track(spot, (0, 0), costs) for spot, costs in seen.items()})
    now = {slots[0]: Track(slots[0], (0, 0), LOOKED_ORANGE, looks)}
    return with_known_colours(Evidence(now, {}, last, index), stood)


def test_a_place_that_is_read_anew_costs_what_it_is_least_like() -> None:
    index, slots = crate()
    stood = {slots[0]: (RED,), slots[1]: (ORANGE,), slots[2]: (TALL,)}

    read_anew = evidence(index, slots, stood, looks=1)
    assert read_anew.place_cost(slots[0], (RED,)) > 2.0
    assert read_anew.place_cost(slots[0], (ORANGE,)) == 0.2, "what it was read as counts as well"
    assert read_anew.place_cost(slots[0], ()) == 9.0
    assert evidence(index, slots, stood, looks=0).place_cost(slots[0], (RED,)) == 0.0, "that is repeated"


def test_where_nothing_stood_nothing_is_known() -> None:
    index, slots = crate()

    assert evidence(index, slots, {}, looks=1).likened == {slots[0]: {}}
