"""Log-likelihoods with an outlier model."""

from __future__ import annotations

import numpy as np

from vision.imaging.arrays import Floats

OUTLIER_RATE = 5e-4
"""Prior probability that a sight is an outlier, which no model explains: a reflection, a crumb."""

OUTLIER_TEMPERATURE, MIN_OUTLIER_NATS = 8.0, -6.0
"""Of an outlier: what log-likelihoods are divided by, and the lowest (in nats) that any hypothesis then has."""


def with_outliers(nats: Floats) -> Floats:
    """Log-likelihoods (n,) in nats of n hypotheses, normalised so that the likelihoods sum to 1, and mixed with those
    of an outlier: an ε-contaminated model (P. Huber, Ann. Math. Statist. 35, 1964), whose contamination is the same
    likelihoods at a higher temperature."""
    nats = nats - nats.max()
    sure, doubtful = np.exp(nats), np.exp(np.maximum(nats / OUTLIER_TEMPERATURE, MIN_OUTLIER_NATS))
    shares = (1 - OUTLIER_RATE) * sure / sure.sum() + OUTLIER_RATE * doubtful / doubtful.sum()
    return np.asarray(np.log(shares), np.float64)
