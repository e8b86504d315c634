"""Drinks named together: there is one of each, so no name is given twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.table import Drink, shape_of
from vision.drinks.drink_reading import DrinkReading
from vision.drinks.models import Models
from vision.imaging.arrays import Floats

NOT_NAMED_NATS = 30.0
"""What excludes a name."""


def rendered_nats(readings: Sequence[DrinkReading], drinks: Sequence[Drink], models: Models, settled: int) -> Floats:
    """The log-likelihoods (n, m) of drinks by readings, the best one's 0; the first so many readings are `settled`."""
    rows = []
    for number, reading in enumerate(readings):
        if number < settled:
            rows.append([0.0 if drink == reading.best else -NOT_NAMED_NATS for drink in drinks])
            continue
        best, per_nat = min(reading.costs[drink] for drink in drinks), models.effective_cost_per_nat(reading)
        rows.append([max((best - reading.costs[drink]) / per_nat, -NOT_NAMED_NATS) for drink in drinks])
    return np.array(rows, np.float64)


def named_together(nats: Floats, drinks: Sequence[Drink]) -> list[Drink]:
    """The drinks of all readings that are likeliest together, given the log-likelihoods (n, m)."""
    import lap  # here, so that a camera that only watches does not wait for it

    _, columns, _ = lap.lapjv(-nats, extend_cost=nats.shape[0] != nats.shape[1])
    return [drinks[int(column) if column >= 0 else int(row.argmax())] for row, column in zip(nats, columns)]


def by_shape(nats: Mapping[str, float], drinks: Sequence[Drink]) -> Floats:
    """What shapes are worth (nats), for each drink (m,); shapes that are not named are worth the least."""
    least = min(nats.values())
    return np.array([nats.get(shape_of(drink), least) for drink in drinks])
