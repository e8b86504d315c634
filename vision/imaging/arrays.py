"""The arrays that all rooms of the eyes share, by what they hold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
"""Millimetres, pixels, matrices: whatever is computed with."""

Values = npt.NDArray[np.float32]
"""Colours or lightness of many pixels."""

Mask = npt.NDArray[np.bool_]
"""Which pixels count."""
