"""One step of a robust registration: weighted least squares with a Gaussian prior, for several faces at once."""

from __future__ import annotations

import numpy as np

from vision.faces.light_basis import PIXEL_SD
from vision.faces.light_model import LIGHT_MEAN, LIGHT_PRIOR_SD
from vision.imaging.arrays import Floats, Values
from vision.imaging.least_squares import geman_mcclure
from vision.photometry.channel_noise import FULL_TRUST, Trust

GROSS_ERROR = 22.0
"""Scale of the robust loss: a pixel with a larger residual has little weight."""

SHIFT_SD_MM, TURN_SD_DEG = 0.8, 4.0
"""Prior of the pose about that of the coarse search (standard deviations)."""

MIN_EFFECTIVE_SAMPLES, POINTS_PER_SAMPLE = 4.0, 36.0
"""The least effective sample size of a face, and the points that count as one sample, as errors of neighbours are
correlated."""

_PRIOR_MEAN = np.array([*LIGHT_MEAN, 0.0, 0.0, 0.0])
_PRIOR_SD = np.array([*LIGHT_PRIOR_SD, SHIFT_SD_MM, SHIFT_SD_MM, np.radians(TURN_SD_DEG)])


def solve_step(design: Values, off: Values, here: Floats, trust: Trust = FULL_TRUST) -> Floats:
    """The update of the parameters (faces, p), which are `here`, from residuals `off` (faces, 3, n) and their Jacobian
    `design` (faces, p, 3, n), with so much trust in each channel: weighted least squares with a Gaussian prior."""
    faces, _, points = off.shape
    if trust != FULL_TRUST:
        channels = np.array(trust, np.float32)[:, None]
        design, off = design * channels, off * channels
    count = design.shape[1]
    share = max(points / POINTS_PER_SAMPLE, MIN_EFFECTIVE_SAMPLES) / points / PIXEL_SD ** 2
    weights = np.asarray(geman_mcclure(np.square(off).sum(axis=1), GROSS_ERROR), np.float32)
    flat = design.reshape(faces, count, points * 3)
    weighted = (design * (weights * np.float32(share))[:, None, None]).reshape(flat.shape)
    spread = _PRIOR_SD[:count] ** 2
    normal = (weighted @ flat.transpose(0, 2, 1)).astype(np.float64) + np.diag(1 / spread)
    right = (weighted @ off.reshape(faces, points * 3, 1)).astype(np.float64)
    right[:, :, 0] -= (here - _PRIOR_MEAN[:count]) / spread
    return np.asarray(np.linalg.solve(normal, right)[:, :, 0], np.float64)


def mean_loss(squares: Values) -> Values:
    """Mean losses (faces,) of squared residuals r² (faces, n) by Geman and McClure's r² / (1 + r²/c²), which is bounded
    by c², c = `GROSS_ERROR`."""
    return np.asarray((squares / (1 + squares / GROSS_ERROR ** 2)).mean(axis=1), np.float32)
