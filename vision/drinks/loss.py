"""The robust loss of a predicted pixel."""

from __future__ import annotations

import cv2
import numpy as np

from vision.imaging.arrays import Values

LOSS_SCALE = 10.0
"""The scale of the loss: a larger residual rather shows something else."""


def cauchy_loss(seen: Values, predicted: Values) -> Values:
    """The loss (...) of each pixel whose lightness and opponent colours (3, ...) were predicted: Cauchy's,
    c² log(1 + r²/c²) with the scale c = `LOSS_SCALE` (Z. Zhang, "Parameter estimation techniques", Image and Vision
    Computing 15, 1997, table 1). Large residuals count little more than moderate ones, for something lies there that
    is not modelled."""
    off = seen - predicted
    off *= off
    total, a, b = off
    total += a
    total += b
    total *= np.float32(1 / LOSS_SCALE ** 2)
    total += np.float32(1)
    total = cv2.log(total.reshape(-1)).reshape(total.shape)
    total *= np.float32(LOSS_SCALE ** 2)
    return np.asarray(total, np.float32)
