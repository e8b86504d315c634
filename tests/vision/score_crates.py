# ruff: noqa: T201 (a script prints)
"""`python -m tests.vision.score_crates SET…`: how far crates are from where they stand, as the companion reads a set.

Of each pose that was measured, not of each look: what was not measured again keeps its error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np

from companion.games import registry
from tests.vision.score_bodies import layout_of
from tests.vision.scored_sets import sets_to_score
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import PictureSet, read_truth
from vision.pipeline.reader import Reader

FAR_MM, FAR_DEG = 0.6, 0.8
"""Drinks of a crate that is farther off are likely misread."""

Off = tuple[int, str, float, float]
"""Picture, spot, and by how many mm and degrees a crate is off."""


def measured(known: PictureSet) -> Iterator[Off]:
    """The errors of all poses of crates that were measured in a set."""
    pieces = enrol_set(known, registry.kinds(known.game))
    eyes = Reader(known.lens, pieces, layout_of(known.folder), known.zones, known.seats)
    told: set[tuple[float, ...]] = set()
    for line in (each for each in read_truth(known.folder) if each["free"]):
        seen = eyes.look(known.frame(line["frame"])).observation
        crates = [piece for piece in line["pieces"] if piece["appearance"].startswith("crate")]
        for sight in seen.sights if seen else ():
            if not sight.likeliest.startswith("crate") or sight.turn_deg is None:
                continue
            true = min(crates, key=lambda piece: math.dist(piece["at"], sight.at_mm))
            if (*true["at"], *sight.at_mm) not in told:
                told.add((*true["at"], *sight.at_mm))
                turned = abs((sight.turn_deg - true["turn"] + 90) % 180 - 90)
                yield line["frame"], sight.spot, math.dist(true["at"], sight.at_mm), turned


def main() -> None:
    """Score the sets named on the command line."""
    cv2.setNumThreads(1)
    for known in sets_to_score(__doc__):
        every = list(measured(known))
        mm, deg = (np.array([each[which] for each in every]) for which in (2, 3))
        far = [f"picture {frame} {spot} {off:.1f} mm {turned:.1f} deg" for frame, spot, off, turned in every
               if off > FAR_MM or turned > FAR_DEG]
        print(f"{known.folder.name}: {len(every)} poses, mm median {np.median(mm):.2f} most {mm.max():.2f}, deg median "
              f"{np.median(deg):.2f} most {deg.max():.2f}; far off {len(far)}: {', '.join(far)}", flush=True)


if __name__ == "__main__":
    main()
