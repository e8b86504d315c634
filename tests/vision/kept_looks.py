"""Whole readings kept in `tests/data/looks`, number by number: what eyes give out changes knowingly or not at all.

    python -m tests.vision.kept_looks        # renews them; read the difference before it is committed
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from companion.cli.played import opened_by
from companion.table import Point, Sight
from tests.vision.painted_crate import CRATE, crate_scene, places
from tests.vision.test_zones import MODELS, VIEW, WHITE, ZONE, picture
from vision.drinks.slot_reader import DrinkSlots
from vision.drinks.zone_reader import DrinkZones
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set
from vision.imaging.frame import Look
from vision.pipeline.reader import Reader
from vision.scene.bare_table import Bare
from vision.scene.reading_cache import ReadingCache
from vision.scene.scene import Scene

DATA = Path(__file__).parents[1] / "data"
KEPT = DATA / "looks"

CRATES: Sequence[Mapping[tuple[int, int], str]] = (
    {(0, 0): "red/stub_can", (1, 1): "red/tallest_bottle", (0, 1): "navy/stub_can"},
    {(0, 0): "red/stub_can", (1, 1): "red/tallest_bottle", (0, 1): "navy/stub_can"},
    {(0, 0): "red/stub_can", (1, 1): "red/tallest_bottle", (1, 2): "navy/tallest_bottle"},
    {(0, 0): "red/stub_can", (1, 2): "navy/tallest_bottle", (0, 2): "red/stub_can"},
)
"""What stands in the slots of a painted crate, look after look: nothing new, one taken and one put, one taken."""

ZONES: Sequence[Mapping[Point, str]] = (
    {(160.0, -40.0): "red/stub_can", (160.0, 0.0): "red/tallest_bottle", (172.0, 3.0): "red/stub_can"},
    {(160.0, -40.0): "red/stub_can", (160.0, 0.0): "red/tallest_bottle", (172.0, 3.0): "red/stub_can"},
    {(160.0, -40.0): "red/stub_can", (160.0, 0.0): "red/tallest_bottle", (215.0, 30.0): "navy/tallest_bottle"},
    {(160.0, -40.0): "red/stub_can", (212.0, 28.0): "navy/tallest_bottle", (259.0, 59.0): "red/stub_can"},
)
"""What stands in a painted zone, look after look: nothing new, one taken and one put, one moved and one in a corner."""

EXCERPTS = ("war-chest-1", "kamikaze-1")


def crates() -> Iterator[list[Any]]:
    """The slots of the painted crate."""
    slots, (here, centres) = DrinkSlots(MODELS, ReadingCache()), places()
    for stood in CRATES:
        yield [_sight(each) for each in slots.read(crate_scene(stood, MODELS), here, centres, [CRATE])]


def zones() -> Iterator[list[Any]]:
    """The painted zone."""
    reader = DrinkZones(MODELS, ReadingCache())
    for stood in ZONES:
        scene = Scene(picture(stood), VIEW, WHITE, Bare(picture({}), VIEW, WHITE), None)
        yield [_sight(each) for each in reader.read(scene, "zone", np.array(ZONE))]


def excerpt(name: str) -> Iterator[dict[str, Any]]:
    """All frames of an excerpt, read in order."""
    known = read_set(DATA / name)
    opened = opened_by(DATA / name / "record.jsonl")
    layout = opened.game.layout(opened.setup)
    reader = Reader(known.lens, enrol_set(known, layout.kinds), layout, known.zones, known.seats)
    for number in range(len(list((DATA / name / "frames").glob("*.jpg")))):
        yield _look(reader.look(known.frame(number)))


def _look(look: Look) -> dict[str, Any]:
    seen = look.observation
    return {"number": look.number, "at_s": look.at_s, "state": look.state, "why": look.why.id if look.why else None,
            "cards": [[card.card, *card.at_mm, card.turn_deg] for card in look.cards], "ms": sorted(look.ms),
            "sights": [_sight(each) for each in seen.sights] if seen else None,
            "whole": sorted(seen.zones) if seen else None}


def _sight(sight: Sight) -> list[Any]:
    """Where, what most likely, by how much before the next, and before the others on average."""
    best = max(sight.loglik, key=sight.loglik.__getitem__)
    behind = sorted(sight.loglik[best] - nats for nats in sight.loglik.values())
    feet = list(sight.feet_mm[best]) if best in sight.feet_mm else None
    return [sight.spot, list(sight.at_mm), sight.turn_deg, best, behind[1], sum(behind) / len(behind), len(behind),
            sight.fresh, feet]


def leaves(told: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number and word of a JSON value, with its path."""
    if isinstance(told, dict | list):
        for key, each in told.items() if isinstance(told, dict) else enumerate(told):
            yield from leaves(each, f"{path}/{key}")
    else:
        yield path, told


def kept(name: str) -> Any:
    """What is kept of a reading."""
    return json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))


def keep(name: str, looks: Iterator[Any]) -> None:
    """Keep a reading, one line a sight."""
    KEPT.mkdir(exist_ok=True)
    rounded = json.loads(json.dumps(list(looks)), parse_float=lambda text: round(float(text), 2))
    text = json.dumps(rounded).replace('], ["', '],\n["').replace("]], [[", "]],\n\n[[").replace(", {", ",\n\n{")
    (KEPT / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    keep("crates", crates())
    keep("zones", zones())
    for each in EXCERPTS:
        keep(each, excerpt(each))
