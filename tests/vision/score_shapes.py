# ruff: noqa: T201 (a script prints)
"""How surely the shapes of drinks are told by what single looks show: `python -m tests.vision.score_shapes SET…`.

Reads the first free look of each set, and of Kamikaze Cans three later ones, and compares each drink that was found
with the truth. Prints, in slots and on the open table, how many nats are lost on the true shape among those of its
colour (0: certain and right), how often another leads, and by how many steps cans are told too high. With
`--renderings` without what the network tells.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np

from companion.games import registry
from companion.table import EMPTY, SHAPES, Sight, colour_of, shape_of
from tests.vision.score_bodies import layout_of
from vision.drinks.models import Models
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set, read_truth
from vision.pipeline.reader import Reader

NEAR_MM = 6.0
CANS = SHAPES[:3]


@dataclass(frozen=True, slots=True)
class Told:
    """What one look tells of the shape of a drink: the nats that are lost, whether another leads, and by how many steps
    it is told too high, of a can."""

    in_slot: bool
    lost_nats: float
    is_wrong: bool
    too_high: float | None


def told_in(folder: Path) -> Iterator[Told]:
    """What the looks of a set tell of each drink that was found."""
    known = read_set(folder)
    truth = [line for line in read_truth(folder) if line["free"]]
    pieces = enrol_set(known, registry.kinds(known.game))
    reader = Reader(known.lens, pieces, layout_of(folder), known.zones, known.seats)
    shares = (0, 1 / 3, 2 / 3, 1) if known.game == "kamikaze-cans" else (0,)
    for line in (truth[round(share * (len(truth) - 1))] for share in shares):
        look = reader.look(known.frame(line["frame"]))
        if look.observation is not None:
            yield from _compared(line["pieces"], [each for each in look.observation.sights if _is_drink(each)])


def _is_drink(sight: Sight) -> bool:
    return "/" in sight.likeliest


def _compared(pieces: list[dict[str, Any]], sights: list[Sight]) -> Iterator[Told]:
    for piece in pieces:
        if "/" not in piece["appearance"]:
            continue
        near = min(sights, key=lambda each: _far_mm(each, piece), default=None)
        if near is None or _far_mm(near, piece) > NEAR_MM:
            continue
        sights.remove(near)
        yield _told(piece["appearance"], piece["z"] > 0, near)


def _far_mm(sight: Sight, piece: dict[str, Any]) -> float:
    return float(np.hypot(*np.subtract(sight.at_mm, piece["at"])))


def _told(drink: str, in_slot: bool, sight: Sight) -> Told:
    nats = {shape_of(name): value for name, value in sight.loglik.items()
            if name != EMPTY and colour_of(name) == colour_of(drink)}
    total = float(np.logaddexp.reduce(list(nats.values())))
    too_high = None
    if shape_of(drink) in CANS:
        likely = np.exp([nats[can] - total for can in CANS])
        too_high = float(likely @ np.arange(len(CANS)) / likely.sum()) - CANS.index(shape_of(drink))
    return Told(in_slot, total - nats[shape_of(drink)], max(nats, key=nats.__getitem__) != shape_of(drink), too_high)


def _print(what: str, told: list[Told]) -> None:
    if told:
        lost, wrong = np.mean([each.lost_nats for each in told]), np.mean([each.is_wrong for each in told])
        too_high = np.mean([each.too_high for each in told if each.too_high is not None] or [0.0])
        print(f"  {what:6} {len(told):4} drinks, {lost:.3f} nats lost, {wrong:.1%} wrong, cans {too_high:+.2f} steps",
              flush=True)


def main() -> None:
    """Score the sets named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--renderings", action="store_true", help="without the network")
    args = parser.parse_args()
    if args.renderings:
        patch.object(Models, "network_knows", False).start()
    cv2.setNumThreads(1)
    everything: list[Told] = []
    for folder in args.sets:
        told = list(told_in(folder))
        print(folder.name)
        _print("slots", [each for each in told if each.in_slot])
        _print("table", [each for each in told if not each.in_slot])
        everything += told
    print("all")
    _print("slots", [each for each in everything if each.in_slot])
    _print("table", [each for each in everything if not each.in_slot])


if __name__ == "__main__":
    main()
