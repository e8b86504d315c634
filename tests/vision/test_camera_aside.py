"""A table with tag cards that a camera sees from its front, 35 degrees askew: `tests/data/aside`, a rendered picture
(its spec is beside it) with what is true of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.enrolment.picture_set import read_picture
from vision.fiducials.tag_pose import Arrangement, find_cards
from vision.imaging.camera import lens_from_json

ASIDE = Path(__file__).parents[1] / "data/aside"
TILT_DEG = 35.0


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ASIDE / "truth.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def found(truth: dict[str, Any]) -> Arrangement:
    lens = lens_from_json(truth["camera"])
    return find_cards(read_picture(ASIDE / "table.jpg", lens), lens)


def test_all_cards_are_found_within_two_millimetres(found: Arrangement, truth: dict[str, Any]) -> None:
    true = {card["card"]: card for card in truth["cards"]}
    assert set(true) == {card.card for card in found.cards}
    for card in found.cards:
        assert np.hypot(*np.subtract(card.at_mm, true[card.card]["at"])) <= 2.0
        assert abs((card.turn_deg - true[card.card]["turn"] + 180) % 360 - 180) <= 0.3


def test_the_camera_stands_where_it_does(found: Arrangement, truth: dict[str, Any]) -> None:
    camera = truth["true"]
    turn, shift = np.array(camera["R"]), np.array(camera["t"])
    assert np.degrees(np.arccos(-turn[2, 2])) == pytest.approx(TILT_DEG, abs=0.1)
    for height_mm in (0.0, 30.0):
        points = np.array([(x, y, height_mm) for x in (100.0, 430.0, 760.0) for y in (0.0, 200.0, 380.0)])
        true_px = cv2.projectPoints(points, turn, shift, np.array(camera["K"]), np.array(camera["dist"]))[0][:, 0]
        off = np.hypot(*(found.view.project_at(points[:, :2], height_mm) - true_px).T)
        assert off.max() <= 4.0, "a can is forty pixels wide"
