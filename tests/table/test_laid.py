"""Where layouts lie on the real table, as people say it."""

from __future__ import annotations

from random import Random

import pytest

from companion.games import registry
from companion.table import Layout
from companion.table.laid import Laid, areas, as_drawn, middle_of, unmoved

CORNERS = ((0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (0.0, 30.0))


def layout_of(game: str, seats: int) -> Layout:
    found = registry.game(game)
    return found.layout(found.deal(seats, found.read_options({}, seats), Random(1)))


ALL = [(game, seats) for game in registry.ids() for seats in registry.game(game).seats]


@pytest.mark.parametrize(("game", "seats"), ALL)
def test_what_nobody_moved_lies_as_drawn(game: str, seats: int) -> None:
    layout = layout_of(game, seats)
    drawn, there = unmoved(layout), areas(layout, as_drawn(layout))
    assert set(there) == set(drawn) >= {zone.spot for zone in layout.zones}
    for spot, corners in drawn.items():
        assert [*there[spot]] == [pytest.approx(corner) for corner in corners]
    assert layout.block is None or layout.block in there


def test_all_is_moved_and_turned_about_the_middle_but_for_what_was_put_elsewhere() -> None:
    layout = layout_of("kamikaze-cans", 2)
    laid = Laid((100.0, 50.0), 90.0, {"stock:1": CORNERS})
    assert laid.of(layout, middle_of(layout)) == pytest.approx((100.0, 50.0))
    (mx, my), (x, y) = middle_of(layout), unmoved(layout)["stock:0"][0]
    there = areas(layout, laid)
    assert there["stock:0"][0] == pytest.approx((100.0 - (y - my), 50.0 + (x - mx)))
    assert there["stock:1"] == CORNERS
    assert areas(layout, Laid((0.0, 0.0), 0.0, {"elsewhere": CORNERS})).keys() == there.keys()


def test_seats_turn_with_the_table() -> None:
    assert as_drawn(layout_of("kamikaze-cans", 2)).directions(4) == {0: 270.0, 1: 0.0, 2: 90.0, 3: 180.0}
    assert Laid((0.0, 0.0), 100.0).directions(2) == {0: 10.0, 1: 190.0}
