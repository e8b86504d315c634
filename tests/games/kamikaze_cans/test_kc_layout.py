from __future__ import annotations

import pytest

from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.layout import layout
from companion.table import COLOURS
from companion.table.crate import SLOT_MM


def test_six_crates_stand_three_by_two_without_gaps_counted_from_the_front_left() -> None:
    bodies = {body.spot: body for body in layout(2).bodies}
    assert list(bodies) == [f"crate:{number}" for number in range(1, 7)]
    x, y = bodies["crate:1"].at_mm
    assert [(body.at_mm[0] - x, body.at_mm[1] - y) for body in bodies.values()] == [
        (0, 0), (31, 0), (62, 0), (0, 46), (31, 46), (62, 46)
    ]
    assert {body.size_mm for body in bodies.values()} == {(31, 46, 12)}


def test_each_cell_is_a_slot_of_its_crate() -> None:
    laid = layout(4)
    crates = {body.spot: body for body in laid.bodies}
    places = {place.spot: place for place in laid.places}
    assert len(places) == 36
    assert places["grid:a1"].on == "crate:1"
    assert places["grid:c3"].on == "crate:2"
    assert places["grid:f6"].on == "crate:6"
    for place in places.values():
        crate = crates[place.on]
        for axis in (0, 1):
            reach = abs(place.at_mm[axis] - crate.at_mm[axis]) + SLOT_MM[axis] / 2
            assert reach <= crate.size_mm[axis] / 2 - 1.5 + 1e-9
    assert places["grid:b1"].at_mm[0] - places["grid:a1"].at_mm[0] == pytest.approx(14.75)
    assert places["grid:c1"].at_mm[0] - places["grid:b1"].at_mm[0] == pytest.approx(16.25)
    assert places["grid:a2"].at_mm[1] - places["grid:a1"].at_mm[1] == pytest.approx(44.5 / 3)
    assert places["grid:a4"].at_mm[1] - places["grid:a3"].at_mm[1] == pytest.approx(44.5 / 3 + 1.5)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_each_seat_has_a_stock_clear_of_the_others_and_of_the_crates(players: int) -> None:
    laid = GAME.layout({"colours": list(COLOURS[:players]), "first": 0})
    areas = [(*zone.corners_mm[0], *zone.corners_mm[2]) for zone in laid.zones]
    assert [zone.seat for zone in laid.zones] == list(range(players))
    middle = [sum(body.at_mm[axis] for body in laid.bodies) / 6 for axis in (0, 1)]
    areas.append((middle[0] - 46.5, middle[1] - 46, middle[0] + 46.5, middle[1] + 46))
    for index, (left, front, right, back) in enumerate(areas):
        assert -1e-9 <= left < right <= laid.size_mm[0] + 1e-9
        assert -1e-9 <= front < back <= laid.size_mm[1] + 1e-9
        for other in areas[:index]:
            assert right <= other[0] or other[2] <= left or back <= other[1] or other[3] <= front
    assert areas[0][3] <= areas[-1][1], "seat 0 sits at the front edge"
