"""Calibration of costs: the cost of one nat, from drinks that were held out from learning.

Temperature scaling of likelihoods (C. Guo et al., "On calibration of modern neural networks", ICML 2017): the one scale
that maximises the likelihood of the truths in a cross-validation. Before it a bias for each shape, as in vector scaling
there: what is dark beside a drink may be its side or a shadow of any depth, so that cans are told too low.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from companion.table import EMPTY, Appearance, Drink, colour_of, shape_of
from vision.drinks.band_texture import LearnedTextures, learn_textures
from vision.drinks.classifier import read_drink
from vision.drinks.crate_texture import learn_crate_textures
from vision.drinks.drink_reading import DrinkPrior, DrinkReading, loglik
from vision.drinks.models import Models
from vision.drinks.ring_solid import Solid
from vision.enrolment.drink_exemplars import USUAL_COST_PER_NAT, PicturedDrink, exemplars_of
from vision.scene.scene import Scene

MIN_COST_PER_NAT, COST_RATIO, COSTS_TRIED = 300.0, 1.15, 45

GAME_COST_FACTOR = 1.4
"""The factor of the cost of one nat in a game against cross-validation, which looks at the very places where colours
were learned. With feet and neighbours known, the truth is likeliest at 1 to 2 (`tests/vision/score_learning.py`)."""

LEAST_MISFIT = 1.0
"""What a pixel costs by the noise of any camera."""

SHAPE_BIAS_SD, NEWTON_ROUNDS = 1.0, 8
"""Prior of the bias of a shape in nats (standard deviation), and the rounds in which it is found."""


@dataclass(frozen=True, eq=False)
class HeldOutReading:
    """The true `drink` of a held-out place in a `picture`, and what was read there."""

    drink: Drink
    picture: int
    reading: DrinkReading

    @cached_property
    def costs(self) -> dict[Appearance, float]:
        """The costs of all drinks by their renderings."""
        return {drink: cost for drink, cost in self.reading.rendered_costs.items() if drink != EMPTY}


def held_out_on_table(scenes: Sequence[Scene], drinks: Sequence[PicturedDrink], solids: Mapping[str, Solid]
                      ) -> list[HeldOutReading]:
    """Readings on the open table for leave-one-picture-out cross-validation; none where there is but one picture."""
    readings: list[HeldOutReading] = []
    pictures = sorted({each.picture for each in drinks})
    if len(pictures) < 2:
        return readings
    for held_out in pictures:
        others = exemplars_of([each for each in drinks if each.picture != held_out])
        models = Models(solids, *learn_textures(others, solids), USUAL_COST_PER_NAT)
        readings += [_read(scenes, each, models) for each in drinks
                     if each.picture == held_out and each.exemplar.drink in models.textures]
    return readings


def held_out_in_crates(scenes: Sequence[Scene], drinks: Sequence[PicturedDrink], solids: Mapping[str, Solid],
                       on_table: LearnedTextures) -> list[HeldOutReading]:
    """Readings in crates for leave-one-colour-out cross-validation."""
    readings = []
    for colour in sorted({colour_of(each.exemplar.drink) for each in drinks}):
        others = exemplars_of([each for each in drinks if colour_of(each.exemplar.drink) != colour])
        models = Models(solids, *learn_crate_textures(others, solids, on_table), USUAL_COST_PER_NAT)
        readings += [_read(scenes, each, models) for each in drinks
                     if colour_of(each.exemplar.drink) == colour]
    return readings


def game_cost_per_nat(costs_per_nat: Sequence[float]) -> float:
    """`GAME_COST_FACTOR` times the geometric mean: a game is played at other places and in other light than those of
    the cross-validation, on the table among neighbours, in crates whose empty look is known; so neither the easy trials
    on the open table nor the hard ones in full crates are representative alone."""
    return GAME_COST_FACTOR * float(np.exp(np.mean(np.log(costs_per_nat))))


def _read(scenes: Sequence[Scene], drink: PicturedDrink, models: Models) -> HeldOutReading:
    exemplar = drink.exemplar
    pose = exemplar.pose
    if pose.opening_mm is not None:  # a game knows only the slot that a drink stands in
        pose = replace(pose, foot_mm=np.array([*pose.opening_mm.mean(axis=0), pose.foot_mm[2]]))
    reading = read_drink(scenes[drink.picture], pose, models, DrinkPrior(exemplar.number))
    return HeldOutReading(exemplar.drink, drink.picture, reading)


def usual_misfit(readings: Sequence[HeldOutReading]) -> float:
    """The median misfit; infinite where none were held out. No picture is better than `LEAST_MISFIT`."""
    return max(statistics.median(each.reading.misfit for each in readings), LEAST_MISFIT) if readings else math.inf


def likeliest_scale(readings: Sequence[HeldOutReading]) -> float:
    """The cost of one nat that maximises the likelihood of the truths."""
    if not readings:
        return USUAL_COST_PER_NAT
    candidates = [float(cost) for cost in MIN_COST_PER_NAT * COST_RATIO ** np.arange(COSTS_TRIED)]
    return max(candidates, key=lambda cost: sum(loglik(each.costs, cost)[each.drink] for each in readings))


def shape_costs(readings: Sequence[HeldOutReading], cost_per_nat: float) -> dict[str, float]:
    """So much more than by its rendering a drink of each shape has to cost for the true shapes to be likeliest: the
    biases of a multinomial logistic regression of the true drink among those of its colour, by Newton's method, with a
    Gaussian prior. They sum to 0, so that drinks are found as before; none where nothing was held out. The cost of a
    nat, their `likeliest_scale`, stays that without them, for in other places the bias may be another."""
    shapes = sorted({shape_of(drink) for each in readings for drink in each.costs})
    alike = [each for each in readings if all(f"{colour_of(each.drink)}/{shape}" in each.costs for shape in shapes)]
    if not alike:
        return {}
    nats = -np.array([[each.costs[f"{colour_of(each.drink)}/{shape}"] for shape in shapes] for each in alike])
    nats = (nats - nats.max(axis=1, keepdims=True)) / cost_per_nat
    true = np.array([[shape == shape_of(each.drink) for shape in shapes] for each in alike])
    precision = np.eye(len(shapes)) / SHAPE_BIAS_SD ** 2
    bias = np.zeros(len(shapes))
    for _ in range(NEWTON_ROUNDS):
        likely = np.exp(nats + bias)
        likely /= likely.sum(axis=1, keepdims=True)
        slope = (true - likely).sum(axis=0) - precision @ bias
        bias = bias + np.linalg.solve(np.diag(likely.sum(axis=0)) - likely.T @ likely + precision, slope)
    return dict(zip(shapes, (-cost_per_nat * bias).tolist()))
