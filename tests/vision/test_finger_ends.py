"""The end of a finger at the border, and nothing else of the hand in the picture but its shade."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_fingers_on_cards import blob_of
from tests.vision.test_table_gate import SKIN, area, seen, table
from vision.imaging.frame import Image
from vision.presence.blobs import END_PX, FINGERTIP_PX, picture_edge
from vision.presence.fingers import is_end_in_its_shade

EDGE = picture_edge(np.zeros((180, 320), np.uint8))


def shaded(wide: int, long: int, top: int = 0, share: float = 0.7) -> Image:
    """A shade from the upper border, in which something of the colour of skin lies."""
    shade = np.ones((180, 320), np.float64)
    shade[:25, 140:180] = share
    image = np.clip(table() * cv2.GaussianBlur(shade, (0, 0), 2)[..., None], 0, 255)
    image[top:top + long, 158:158 + wide] = np.array(SKIN) * 0.6
    return np.asarray(image, np.uint8)


@pytest.mark.parametrize(("wide", "long", "top", "share", "is_end"), [
    (3, 3, 0, 0.7, True),
    (4, 4, 0, 0.7, True),
    (1, 2, 0, 0.7, False),  # too little to be told
    (8, 8, 0, 0.7, False),  # a fingertip, or a thing: told by its looks as a whole
    (3, 3, 12, 0.7, False),  # a piece in the shade
    (3, 3, 0, 1.2, False),  # in a reflection
    (0, 0, 0, 0.7, False),
])
def test_a_shade_from_the_border_with_a_fingers_end_is_a_hand(
    wide: int, long: int, top: int, share: float, is_end: bool
) -> None:
    assert END_PX <= 3 * 3 < 4 * 4 < FINGERTIP_PX
    blob = blob_of(shaded(wide, long, top, share))
    assert blob.at_border
    assert is_end_in_its_shade(blob, table(), area(), EDGE) is is_end


def test_the_end_of_a_finger_that_a_bumped_camera_sees_at_its_new_border_is_a_hand() -> None:
    inside = np.zeros((180, 320), np.uint8)
    inside[:12] = 255
    blob = blob_of(shaded(3, 3, 12))
    assert not is_end_in_its_shade(blob, table(), area(), EDGE)
    assert is_end_in_its_shade(blob, table(), area(), picture_edge(inside))


def test_what_looks_like_a_fingers_end_but_stays_is_a_thing() -> None:
    end = shaded(3, 3)
    assert seen(end, end) == ["hand", "free"]
