from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.games.kamikaze_cans import GAME as CANS
from companion.games.yuzu_twist import GAME as YUZU
from companion.table import COLOURS, Layout
from companion.table.crate import CRATE_MM, SLOT_MM, SLOTS, WALL_MM, slot_mm

DATA = Path(__file__).parents[1] / "data"
CAN_MM = 12.0


def test_slots_and_walls_fill_a_crate() -> None:
    for axis in (0, 1):
        last = slot_mm(SLOTS[0] - 1, SLOTS[1] - 1)[axis]
        assert last + SLOT_MM[axis] / 2 + WALL_MM == pytest.approx(CRATE_MM[axis] / 2)
        assert slot_mm(0, 0)[axis] == pytest.approx(-last)
    assert slot_mm(1, 0)[0] - slot_mm(0, 0)[0] == pytest.approx(SLOT_MM[0] + WALL_MM)
    assert slot_mm(0, 1)[1] - slot_mm(0, 0)[1] == pytest.approx(SLOT_MM[1] + WALL_MM)


@pytest.mark.parametrize("layout", [CANS.layout({"colours": COLOURS, "first": 0}), YUZU.layout({"colours": COLOURS})],
                         ids=["kamikaze-cans", "yuzu-twist"])
def test_layouts_have_slots_where_crates_have_them(layout: Layout) -> None:
    stands = {body.spot: body.at_mm for body in layout.bodies} | {place.spot: place.at_mm for place in layout.places}
    own = {tuple(np.round(slot_mm(column, row), 6)) for column in range(SLOTS[0]) for row in range(SLOTS[1])}
    slots = [place for place in layout.places if "drink" in place.kinds]
    assert slots
    assert {tuple(np.round(np.subtract(place.at_mm, stands[place.on or ""]), 6)) for place in slots} == own


@pytest.mark.parametrize("name", ["kamikaze-1", "yuzu-1"])
def test_drinks_in_a_real_crate_stand_in_its_slots(name: str) -> None:
    slots = np.array([slot_mm(column, row) for row in range(SLOTS[1]) for column in range(SLOTS[0])])
    found = []
    for picture in json.loads((DATA / name / "enrol.json").read_text()):
        crates = [piece for piece in picture["pieces"] if piece["appearance"] == "crate"]
        for piece in picture["pieces"]:
            for crate in crates if "/" in piece["appearance"] else ():
                turn = np.radians(crate["turn"])
                off = np.subtract(piece["at"], crate["at"]) @ np.array([[np.cos(turn), -np.sin(turn)],
                                                                        [np.sin(turn), np.cos(turn)]])
                if (np.abs(off) < np.array(CRATE_MM[:2]) / 2).all():
                    nearest = slots[np.linalg.norm(slots - off, axis=1).argmin()]
                    found.append((off - nearest) * np.sign(nearest))
    assert len(found) == 36
    assert np.abs(found).max() < (min(SLOT_MM) - CAN_MM) / 2
    assert np.abs(np.mean(found, axis=0)).max() < 0.1  # slots nearer to or farther from the middle would show here
