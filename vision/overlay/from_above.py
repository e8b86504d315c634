"""The table as if seen from straight above: on it, millimetres are the same everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.fiducials.tag_pose import Arrangement
from vision.imaging.frame import Image

AROUND_CARDS_MM: Final = 160.0
"""So much of the table is shown around the tag cards, as far as the picture goes."""
MOST_PX: Final = 1000
"""The longer side of the picture."""
OUTSIDE_BGR: Final = (96, 96, 96)
BORDER: Final = 24
"""So many points of each side of the picture say how much of the table it shows."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenFromAbove:
    """A picture (h, w, 3) B G R whose upper left corner lies at `left_mm`, `back_mm` of the table frame, and which
    shows `wide_mm` by `deep_mm`, the front edge of the table below."""

    image: Image
    left_mm: float
    back_mm: float
    wide_mm: float
    deep_mm: float


def seen_from_above(image: Image, arrangement: Arrangement) -> SeenFromAbove:
    """The part of the table around the cards that `image` (h, w, 3) B G R shows."""
    height, width = image.shape[:2]
    along, beside = np.linspace(0, width - 1, BORDER), np.linspace(0, height - 1, BORDER)
    border = np.concatenate([np.column_stack([along, np.full(BORDER, row)]) for row in (0.0, height - 1.0)] + [
        np.column_stack([np.full(BORDER, column), beside]) for column in (0.0, width - 1.0)])
    cards = np.array([card.at_mm for card in arrangement.cards], np.float64)
    low, high = cards.min(axis=0) - AROUND_CARDS_MM, cards.max(axis=0) + AROUND_CARDS_MM
    seen = arrangement.view.to_table(border)
    low, high = np.maximum(low, seen.min(axis=0)), np.minimum(high, seen.max(axis=0))
    wide, deep = high - low
    scale = MOST_PX / max(wide, deep)
    columns, rows = max(2, round(wide * scale)), max(2, round(deep * scale))
    x, y = np.meshgrid(low[0] + (np.arange(columns) + 0.5) / scale, high[1] - (np.arange(rows) + 0.5) / scale)
    px = arrangement.view.project_at(np.column_stack([x.ravel(), y.ravel()]), 0.0)
    across, down = (np.ascontiguousarray(each, np.float32).reshape(rows, columns) for each in px.T)
    drawn = cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=OUTSIDE_BGR)
    return SeenFromAbove(np.asarray(drawn, np.uint8), float(low[0]), float(high[1]), float(wide), float(deep))
