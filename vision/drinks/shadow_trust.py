"""How far the cast shadows of drinks are believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class ShadowTrust:
    """How far shadows are believed, as measured at enrolment: the cost of one nat (squared residuals, summed over mm²
    of the table), and the share of drinks whose shadow tells nothing at all."""

    cost_per_nat: float
    outlier_share: float

    def nats(self, costs: Mapping[str, float]) -> dict[str, float]:
        """Costs by shape as log-likelihoods that sum to 1."""
        likelihoods = np.exp((min(costs.values()) - np.array(list(costs.values()))) / self.cost_per_nat)
        shares = (1 - self.outlier_share) * likelihoods / likelihoods.sum() + self.outlier_share / len(costs)
        return {shape: float(each) for shape, each in zip(costs, np.log(shares))}


NO_TRUST = ShadowTrust(1.0, 1.0)
"""Shadows tell nothing."""
