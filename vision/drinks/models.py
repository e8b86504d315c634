"""The models of drinks: all that reading one needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from companion.table import Appearance, Drink, shape_of
from vision.drinks.drink_reading import DrinkReading, loglik
from vision.drinks.ring_solid import Solid
from vision.drinks.shadow_trust import NO_TRUST, ShadowTrust
from vision.shapes.shape_net import knows

Texture = npt.NDArray[np.float32]
"""The colours of a drink by band, (bands, 3) Lab."""

Shading = npt.NDArray[np.float32]
"""(bands, SECTORS): the brightness of each band from each side, relative to its mean."""


@dataclass(frozen=True, eq=False)
class Models:
    """The models of drinks, on the open table or in a crate: `solids` by shape, `textures` of all drinks, `shading` of
    each shape, the cost of one nat where the picture is explained as well as held-out drinks were at enrolment, and
    their `usual_misfit` (`DrinkReading.misfit`); `clear_misfit` is that before a ground that was seen bare;
    `shadows`: how far cast shadows are believed; `shape_costs`: so much more than its rendering a drink of each shape
    costs, where held-out drinks were told too high or too low."""

    solids: Mapping[str, Solid]
    textures: Mapping[Drink, Texture]
    shading: Mapping[str, Shading]
    cost_per_nat: float
    usual_misfit: float = np.inf
    clear_misfit: float = np.inf
    shadows: ShadowTrust = NO_TRUST
    shape_costs: Mapping[str, float] = field(default_factory=dict)

    def loglik(self, reading: DrinkReading, was_bare: bool = False) -> dict[Appearance, float]:
        """A reading as log-likelihoods in nats. Where even the best explanation leaves more of the picture unexplained
        than is usual, as in a lamp's reflection, its differences tell less, as with a variance that is profiled out.
        In a slot that `was_bare` before, less is usual than in crates that were never seen but full."""
        return loglik(reading.costs, self.effective_cost_per_nat(reading, was_bare))

    def effective_cost_per_nat(self, reading: DrinkReading, was_bare: bool = False) -> float:
        """The cost of one nat of a reading, as `loglik` takes it."""
        usual = min(self.usual_misfit, self.clear_misfit) if was_bare else self.usual_misfit
        return self.cost_per_nat * max(1.0, reading.misfit / usual)

    @property
    def network_knows(self) -> bool:
        """Whether the network was made for these drinks, so that it is asked."""
        return knows(self.heights_mm)

    @cached_property
    def of_shape(self) -> dict[str, list[Drink]]:
        """All drinks of each shape."""
        return {shape: [drink for drink in self.textures if shape_of(drink) == shape] for shape in self.solids}

    @cached_property
    def heights_mm(self) -> dict[str, float]:
        """The height of each shape in mm."""
        return {shape: float(solid.heights_mm[-1]) for shape, solid in self.solids.items()}

    @cached_property
    def by_height(self) -> list[str]:
        """The shapes, shortest first."""
        return sorted(self.heights_mm, key=self.heights_mm.__getitem__)
