"""Held-out drinks that are told too low make low shapes dearer."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from companion.table import EMPTY, colour_of, shape_of
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkReading
from vision.enrolment.cost_calibration import HeldOutReading, likeliest_scale, shape_costs

SHAPES = ("short_can", "stub_can", "tall_can")
TOO_LOW = {"stub_can": -1500.0, "short_can": 0.0, "tall_can": 1500.0}


def held_out(colour: str, true: str, noise: np.random.Generator) -> HeldOutReading:
    """A drink for which each shape but the true one costs 4000 more, lower ones less than they should."""
    costs = {f"{colour}/{shape}": TOO_LOW[shape] + (4000.0 if shape != true else 0.0) + float(noise.normal(0, 1500))
             for shape in SHAPES}
    best = min(costs, key=costs.__getitem__)
    reading = DrinkReading(DrinkPose(np.zeros(3), 0.0), {EMPTY: 9e4, **costs}, dict.fromkeys(costs, (0.0, 0.0)), best,
                           (0, 0), 0.0, 1000, {})
    return HeldOutReading(f"{colour}/{true}", 0, reading)


@pytest.fixture
def readings() -> list[HeldOutReading]:
    noise = np.random.default_rng(3)
    return [held_out(colour, shape, noise) for colour in ("red", "blue") for shape in SHAPES for _ in range(30)]


def wrong(readings: list[HeldOutReading], costs: Mapping[str, float]) -> int:
    """How many drinks another shape would be cheaper for, with what shapes cost besides."""
    return sum(min(SHAPES, key=lambda shape: each.costs[f"{colour_of(each.drink)}/{shape}"] + costs.get(shape, 0.0))
               != shape_of(each.drink) for each in readings)


def test_a_bias_is_found_and_taken_away(readings: list[HeldOutReading]) -> None:
    costs = shape_costs(readings, likeliest_scale(readings))
    assert costs["stub_can"] == pytest.approx(1500, abs=500)
    assert costs["tall_can"] == pytest.approx(-1500, abs=500)
    assert sum(costs.values()) == pytest.approx(0, abs=1)
    assert wrong(readings, costs) < 0.7 * wrong(readings, {})


def test_what_is_told_right_costs_nothing_besides(readings: list[HeldOutReading]) -> None:
    unbiased = []
    for each in readings:
        costs = {drink: cost - TOO_LOW[shape_of(drink)] for drink, cost in each.costs.items()}
        unbiased.append(replace(each, reading=replace(each.reading, costs=costs)))
    assert np.abs(list(shape_costs(unbiased, likeliest_scale(unbiased)).values())).max() < 400


def test_without_held_out_drinks_nothing_is_known() -> None:
    assert shape_costs([], 2000.0) == {}
