"""What comes from the border: hands beside bowls, over cards and among the places, and things like them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tests.vision.test_foreground import AREA, BLUE, LIGHT_SKIN, area, bar, drawn, round_thing, table
from vision.presence.foreground import looks_like_a_thing
from vision.presence.outline import blob_shape


@pytest.mark.parametrize(("on_play", "is_thing"), [(0.0, True), (0.01, False), (0.9, False), (1.0, True)])
def test_a_hand_in_one_with_a_bowl_over_the_places_is_a_hand_however_round_both_are(
        on_play: float, is_thing: bool) -> None:
    bowl = round_thing(48, BLUE, at=(160, 190))
    bowl.image[148:160, 150:164] = LIGHT_SKIN
    assert looks_like_a_thing(bowl, table(), AREA, on_play=on_play) is is_thing


def test_half_an_outline_on_a_circle_makes_a_thing_beside_the_places_only() -> None:
    outline = [*((160 + 22 * np.cos(turn), 20 + 22 * np.sin(turn)) for turn in np.linspace(0.2, np.pi - 0.2, 40)),
               (138, 12), (118, 10), (118, 0), (210, 0), (208, 14)]
    dark = drawn(outline, (26, 28, 30))
    share = blob_shape(dark, table(), AREA.px_per_mm).round_share
    assert 0.5 <= share < 0.6
    assert looks_like_a_thing(dark, table(), AREA, on_play=0.0)
    assert not looks_like_a_thing(dark, table(), AREA, on_play=0.5)


def test_a_pencil_whose_point_reaches_among_the_places_is_a_thing() -> None:
    pencil = dataclasses.replace(bar(60, 5, LIGHT_SKIN), at_border=True)
    assert looks_like_a_thing(pencil, table(), AREA, on_play=0.2)
    assert not looks_like_a_thing(pencil, table(), AREA, on_play=0.5)


def test_what_comes_from_the_border_over_a_tag_card_is_a_hand() -> None:
    outline = np.array([(0, 0), (0, 40), (10, 34), (18, 40), (30, 30), (34, 0)])
    over, beside = (drawn(outline + np.array((left, 0)), (26, 28, 30)) for left in (5, 50))
    assert not looks_like_a_thing(over, table(), area(0.35), on_play=0.0)
    assert looks_like_a_thing(beside, table(), area(0.35), on_play=0.0)
