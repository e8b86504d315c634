from __future__ import annotations

from random import Random

from companion.games.kamikaze_cans import GAME as CANS
from companion.games.yuzu_twist import GAME as YUZU
from companion.table import standing


def test_crates_that_are_put_down_are_bodies_with_their_slots() -> None:
    options = YUZU.read_options({}, 2)
    setup = YUZU.deal(2, options, Random(1))
    placement = YUZU.placement(YUZU.start(setup, options, 2))
    whole = YUZU.layout(setup)
    now = standing(whole, placement)
    assert {body.spot for body in now.bodies} == {spot for spot in placement if spot.startswith("cell:")}
    assert {place.spot for place in now.places} == {spot for spot in placement if spot.startswith("slot:")}
    assert {place.on for place in now.places} == {body.spot for body in now.bodies}
    assert now.zones == whole.zones


def test_other_layouts_stay_as_they_are() -> None:
    layout = CANS.layout({"colours": ["red", "blue"], "first": 0})
    assert standing(layout, {}) is layout
