"""Fingers over a tag card, and nothing else of the hand in the picture but its shade on the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_table_gate import FREE, SKIN, area, gate, table
from vision.imaging.frame import Image
from vision.presence import table_gate
from vision.presence.blobs import Blob, change_since, connected, cut_to, picture_edge
from vision.presence.fingers import may_show_fingers

WHOLE_PX = 1000
NOWHERE = np.zeros((180, 320), np.uint8)


def shaded(fingers: int = 0) -> Image:
    """A shade from the corner over a card and the table around it, in which fingers lie on the card."""
    shade = np.ones((180, 320), np.float64)
    shade[:50, :60] = 0.75
    image = table() * cv2.GaussianBlur(shade, (0, 0), 6)[..., None]
    for left in range(12, 12 + 7 * fingers, 7):
        image[:26, left:left + 5] = np.array(SKIN) * 0.8
    return np.asarray(image, np.uint8)


def blob_of(image: Image) -> Blob:
    change = change_since([table()], image)
    return max(connected(change, (image, 0.0), ~NOWHERE, picture_edge(NOWHERE)), key=lambda blob: blob.area)


@pytest.mark.parametrize(("fingers", "are_seen"), [(0, False), (2, True), (3, True)])
def test_a_shaded_card_shows_no_fingers_and_one_beneath_a_hand_does(fingers: int, are_seen: bool) -> None:
    on_card = cut_to(blob_of(shaded(fingers)), area().cards)
    assert 0 < on_card.area == cv2.countNonZero(on_card.mask)
    assert may_show_fingers(on_card, table(), area()) == are_seen


def test_what_does_not_reach_a_card_shows_no_fingers_there() -> None:
    assert not may_show_fingers(cut_to(blob_of(shaded(2)), NOWHERE), table(), area())


@pytest.mark.parametrize(("fingers", "state"), [(0, "free"), (3, "hand")])
def test_a_shade_is_light_but_for_fingers_on_a_card(fingers: int, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the fingers hide beside the card may be too thin to be told from the table's grain: here as much of it."""
    monkeypatch.setattr(table_gate, "is_light", lambda blob, *_: blob.area > WHOLE_PX)
    watch = gate(table())
    assert watch.look(table(), 0.0) == FREE
    assert watch.look(shaded(fingers), 5.0).state == state
