"""White by cards in lamps of two colours, on a painted table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging.frame import Image
from vision.presence.blob_light import light_of
from vision.presence.blobs import Blob
from vision.presence.foreground import skin_of
from vision.presence.play_area import PlayArea, SmallMask

COLD, WARM = np.array((235, 215, 190)), np.array((140, 185, 225))
"""B, G, R of white at the left and at the right edge of the picture."""

CARDS = ((10, 10), (10, 150), (290, 10), (290, 150))


def cards() -> SmallMask:
    mask = np.zeros((180, 320), np.uint8)
    for x, y in CARDS:
        mask[y:y + 20, x:x + 20] = 255
    return mask


AREA = PlayArea(np.zeros((180, 320), np.uint8), cards(), 60.0, 0.4)


def table() -> Image:
    """A brown table between two lamps, with white cards."""
    share = np.linspace(0.0, 1.0, 320)[None, :, None]
    white = np.broadcast_to(COLD ** (1 - share) * WARM ** share, (180, 320, 3))
    return np.where(cards()[..., None] > 0, white, white * (0.3, 0.45, 0.6)).round().astype(np.uint8)


def white_thing(left: int, top: int = 80, size: int = 20) -> Blob:
    """A square as white as the cards would be there."""
    share = np.linspace(0.0, 1.0, 320)[None, left:left + size, None]
    image, mask = table(), np.zeros((180, 320), np.uint8)
    image[top:top + size, left:left + size] = (COLD ** (1 - share) * WARM ** share).round()
    mask[top:top + size, left:left + size] = 255
    return Blob(mask, (left, top, size, size), size * size, True, image, 0.0)


@pytest.mark.parametrize("left", [10, 150, 290])
def test_white_is_white_under_either_lamp(left: int) -> None:
    now, _ = light_of(white_thing(left), table(), AREA)
    assert now.max(axis=0) == pytest.approx(now.min(axis=0), rel=0.08)
    assert now.mean() == pytest.approx(1.0, abs=0.08)
    assert skin_of(white_thing(left), table(), AREA).share == 0.0


def test_to_a_white_taken_from_the_cold_side_it_would_be_skin() -> None:
    left_cards = cards()
    left_cards[:, 160:] = 0
    cold = PlayArea(AREA.play, left_cards, AREA.piece_px, AREA.px_per_mm)
    assert skin_of(white_thing(300), table(), cold).share == 1.0


def test_a_card_that_the_blob_itself_covers_tells_nothing() -> None:
    hand = white_thing(290, 10)
    cv2.rectangle(hand.image, (290, 10), (309, 29), (40, 60, 110), -1)
    now, then = light_of(hand, table(), AREA)
    assert then.mean() == pytest.approx(1.0, abs=0.1), "the card as it was"
    assert now.max() < 0.25
