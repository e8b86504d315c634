"""Log-likelihoods that leave room for the unforeseen."""

from __future__ import annotations

import numpy as np

from vision.imaging.arrays import Floats

OUTLIER_RATE = 5e-4
"""How often a sight is fooled by what no model says: a reflection, a crumb."""

OUTLIER_TEMPERATURE, MIN_OUTLIER_NATS = 8.0, -6.0
"""How many times less log-likelihoods are believed then, and the least that is left of any."""


def with_outliers(nats: Floats) -> Floats:
    """Log-likelihoods (n,) of n hypotheses, normalised to sum to 1 and mixed with what they would be if the sight were
    an outlier: an ε-contaminated model (P. Huber, Ann. Math. Statist. 35, 1964), whose contamination is the same
    likelihoods at a higher temperature."""
    nats = nats - nats.max()
    sure, doubtful = np.exp(nats), np.exp(np.maximum(nats / OUTLIER_TEMPERATURE, MIN_OUTLIER_NATS))
    shares = (1 - OUTLIER_RATE) * sure / sure.sum() + OUTLIER_RATE * doubtful / doubtful.sum()
    return np.asarray(np.log(shares), np.float64)
