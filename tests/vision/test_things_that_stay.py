"""Things that lie beside the play area for a while, in light and noise that make them seem other things."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_table_gate import FREE, SKIN, gate, seen, table
from vision.imaging.frame import Image
from vision.presence import table_gate


def test_what_stays_is_a_thing_also_if_noise_hides_the_table_now_here_now_there_in_its_shadow() -> None:
    looks = []
    for number, top in enumerate((88, 112, 98)):
        image = table(((0, 60, 24, 20), SKIN))
        image[80:136, :24] = image[80:136, :24] * 0.55
        noise = np.random.default_rng(number).normal(0, 6, (12, 14, 1))
        image[top:top + 12, :14] = (66 + noise).astype(np.uint8)
        looks.append(image)
    assert seen(*looks, every_s=1.5) == ["hand", "hand", "free"]


def test_a_thing_beside_the_play_area_that_throws_red_light_into_it_is_none_the_less_a_thing() -> None:
    grain = cv2.GaussianBlur(np.random.default_rng(2).normal(0.0, 1.0, (180, 320)).astype(np.float32), (0, 0), 1.2)
    wood = np.array((60, 90, 130)) * (1.0 + 0.15 * grain / grain.std())[..., None]
    wood[10:30, 10:30] = 235

    def with_red(rows: int) -> Image:
        """Red, from the border as far down as this, and red light around it."""
        image = wood.copy()
        image[0:90, 130:200] *= 0.55, 0.5, 1.1
        image[0:rows, 150:180] = 60, 75, 170
        return np.asarray(image.clip(0, 255), np.uint8)

    empty = np.asarray(wood.clip(0, 255), np.uint8)
    for rows, state in ((40, "free"), (90, "hand")):
        watch = gate(empty)
        assert watch.look(empty, 0.0) == FREE
        assert watch.look(with_red(rows), 5.0).state == "hand", "red as skin is"
        assert watch.look(with_red(rows), 10.0).state == state


def test_what_stays_is_a_thing_also_if_it_seems_larger_where_a_lamp_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_lamps(before: Image, small: Image) -> Image:
        lit = before.copy()
        lit[55:107, 70:110] = 90
        return lit

    monkeypatch.setattr(table_gate, "match_lamps", in_lamps)
    mug = table(((0, 55, 70, 52), SKIN))
    assert seen(mug, mug) == ["hand", "free"]
