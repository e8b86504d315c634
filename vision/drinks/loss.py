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


def convex_bound(off: Values) -> Values:
    """No less than `cauchy_loss` of residuals (..., 3), and convex: the same up to its scale, from there on its
    tangent. So between pixels, where colours are interpolated, the loss is at most this, interpolated."""
    squares = np.einsum("...c,...c->...", off, off) / np.float32(LOSS_SCALE ** 2)
    beyond = np.maximum(np.sqrt(squares) - 1, 0)
    return np.asarray(LOSS_SCALE ** 2 * (np.log1p(np.minimum(squares, 1)) + beyond), np.float32)
