# ruff: noqa: T201 (a script prints)
"""What learning rests on: `python -m tests.vision.score_learning SET…` prints for each set

- what enrolment leaves unexplained of a drink, by how far colour is blurred (`COLOUR_BLUR_PX`),
- how unlikely the truth of single looks at zones of drinks is (mean of -log p, in nats) when costs count so many times
  less than the piece set says (`GAME_COST_FACTOR`): feet and neighbours are taken from the truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from companion.games import registry
from companion.table import Appearance, shape_of
from tests.vision.scored_sets import open_enrolment, sets_to_score
from vision.drinks import pixel_coverage
from vision.drinks.band_unmixing import unmix, unmixing_loss
from vision.drinks.classifier import read_drink
from vision.drinks.drawing import draw_reading
from vision.drinks.drink_pose import DrinkPose
from vision.drinks.drink_reading import DrinkPrior, DrinkReading, loglik
from vision.drinks.exemplar import group_by_drink, sample_bands
from vision.enrolment.cost_calibration import GAME_COST_FACTOR
from vision.enrolment.drink_exemplars import exemplars_of, extract_exemplars, settle_feet
from vision.enrolment.enrol import enrol_set
from vision.enrolment.opened_picture import scenes_of
from vision.enrolment.picture_set import PictureSet, read_truth
from vision.fiducials.tag_pose import find_cards
from vision.photometry.white_fit import fit_white
from vision.photometry.white_reference import White
from vision.pieces.piece_set import PieceSet
from vision.scene.scene import Scene

BLURS_PX = (1.4, 1.75, 2.1, 2.45)
FACTORS = (1.0, 1.4, 2.0, 2.8, 4.0)
LOOKS, REACH_MM = 4, 1.2


def left_by_blur(known: PictureSet, pieces: PieceSet) -> dict[float, float]:
    """What is left of a drink on the open table, in the mean."""
    sizes, solids = {piece.name: piece for piece in known.pieces}, pieces.on_table.solids
    assert pieces.bare is not None
    opened = open_enrolment(known)
    scenes = scenes_of(opened, pieces.bare, pieces.crate_colours)
    on_table, _ = extract_exemplars(opened, scenes, sizes)
    exemplars = group_by_drink(exemplars_of(settle_feet(scenes, on_table, solids)))
    left = {}
    with pytest.MonkeyPatch.context() as patch:
        for blur_px in BLURS_PX:
            patch.setattr(pixel_coverage, "COLOUR_BLUR_PX", blur_px)
            total = 0.0
            for drink, some in exemplars.items():
                solid = solids[shape_of(drink)]
                samples = [sample_bands(each, solid) for each in some]
                total += unmixing_loss(samples, unmix(samples, solid.cap))
            left[blur_px] = total / len(on_table)
    return left


def readings(known: PictureSet, pieces: PieceSet) -> Iterator[tuple[Appearance, Mapping[Appearance, float]]]:
    """What stood in zones in some free looks, and the costs of all drinks there."""
    free = [line for line in read_truth(known.folder) if line["free"]]
    first: White | None = None
    for line in free[::max(1, len(free) // LOOKS)][:LOOKS]:
        image = known.frame(line["frame"]).image
        arrangement = find_cards(image, known.lens)
        white = fit_white(image, arrangement, first)
        first = first or white
        scene = Scene(image, arrangement.view, white, pieces.bare, pieces.crate_colours)
        drinks = [piece for piece in line["pieces"]
                  if "/" in piece["appearance"] and piece["spot"].startswith(("supply:", "stock:", "beside:"))]
        for number, piece in enumerate(drinks, 1):
            draw_reading(scene, number, _true(piece, pieces), pieces.on_table)
        for number, piece in enumerate(drinks, 1):
            pose = DrinkPose(np.array([*piece["at"], 0.0]), 0.0)
            reading = read_drink(scene, pose, pieces.on_table,
                                 DrinkPrior(number, REACH_MM, like=_true(piece, pieces)))
            yield piece["appearance"], reading.costs


def _true(piece: Mapping[str, Any], pieces: PieceSet) -> DrinkReading:
    turns = dict.fromkeys(pieces.on_table.solids, piece["turn"] % 90)
    name, at_mm = piece["appearance"], (piece["at"][0], piece["at"][1])
    return DrinkReading(DrinkPose(np.array([*at_mm, 0.0]), piece["turn"]), {}, {name: at_mm}, name, (0, 0),
                        piece["turn"], 0, turns)


def main() -> None:
    """Score the sets named on the command line."""
    for known in sets_to_score(__doc__):
        pieces = enrol_set(known, registry.kinds(known.game))
        left = {blur: round(each) for blur, each in left_by_blur(known, pieces).items()}
        print(known.folder.name, "left by blur:", left)
        read, cost = list(readings(known, pieces)), pieces.table_cost_per_nat / GAME_COST_FACTOR
        unlikely = {factor: round(float(np.mean([-loglik(costs, factor * cost)[true] for true, costs in read])), 2)
                    for factor in FACTORS if read}
        print(f"  -log p of {len(read)} drinks by factor:", unlikely, flush=True)


if __name__ == "__main__":
    main()
