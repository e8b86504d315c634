"""The arrays that all rooms of the eyes share, by what they hold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
"""Geometry and linear algebra: millimetres, pixels, matrices."""

Values = npt.NDArray[np.float32]
"""Colours or lightness of many pixels, and what is computed from them."""

Mask = npt.NDArray[np.bool_]
"""True for the pixels that count."""

Indices = npt.NDArray[np.intp]
"""Positions in an array, or a selection of its rows."""
