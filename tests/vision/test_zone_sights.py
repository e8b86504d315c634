import numpy as np
import pytest

from companion.table import Sight
from vision.imaging.box import grow
from vision.pipeline.zone_sights import counted_once

LONG = np.array([(0.0, 0.0), (200.0, 0.0), (200.0, 40.0), (0.0, 40.0)])
BESIDE = np.add(LONG, (205.0, 0.0))
ZONES = {"supply:0": LONG, "discard:0": BESIDE}


def sight(spot: str, x: float, y: float = 20.0) -> Sight:
    return Sight(spot, (x, y), {"priest": 0.0})


def test_each_side_of_a_zone_moves_out_as_far_however_long_it_is() -> None:
    assert grow(LONG, 10.0) == pytest.approx(np.array([(-10, -10), (210, -10), (210, 50), (-10, 50)]))


def test_a_turned_zone_or_one_that_goes_round_the_other_way_grows_as_well() -> None:
    turn = np.array([(0.6, -0.8), (0.8, 0.6)])
    assert grow(LONG @ turn, 10.0) == pytest.approx(grow(LONG, 10.0) @ turn)
    assert grow(LONG[::-1], 10.0) == pytest.approx(grow(LONG, 10.0)[::-1])


def test_a_zone_with_a_corner_that_is_none_still_has_corners() -> None:
    straight = np.array([(0.0, 0.0), (100.0, 0.0), (200.0, 0.0), (100.0, 90.0)])
    assert np.isfinite(grow(straight, 10.0)).all()


def test_a_piece_between_two_zones_counts_in_the_one_that_it_lies_deeper_in() -> None:
    seen = [sight("supply:0", 207.0), sight("discard:0", 208.0), sight("supply:0", 100.0)]
    assert counted_once(seen, ZONES) == seen[1:]


def test_two_pieces_side_by_side_count_both() -> None:
    seen = [sight("supply:0", 195.0), sight("discard:0", 210.0)]
    assert counted_once(seen, ZONES) == seen


def test_a_piece_that_one_zone_alone_sees_counts_there_however_far_outside() -> None:
    seen = [sight("supply:0", 209.0)]
    assert counted_once(seen, ZONES) == seen


def test_pieces_of_one_zone_are_not_compared() -> None:
    seen = [sight("supply:0", 100.0), sight("supply:0", 103.0)]
    assert counted_once(seen, ZONES) == seen
