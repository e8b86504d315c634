# ruff: noqa: T201 (a script prints)
"""`python -m tests.vision.score_sharpness SET…`: by how much each set's camera sharpened its pictures, as measured in
some of them (`vision/photometry/unsharp.py`)."""

from __future__ import annotations

from tests.vision.scored_sets import sets_to_score
from vision.enrolment.picture_set import read_truth
from vision.fiducials.tag_pose import find_cards
from vision.photometry.white_fit import fit_white

LOOKS = 6


def main() -> None:
    """Measure the sets named on the command line."""
    for known in sets_to_score(__doc__):
        free = [line["frame"] for line in read_truth(known.folder) if line["free"]]
        images = [known.frame(number).image for number in free[::max(1, len(free) // LOOKS)][:LOOKS]]
        found = [fit_white(image, find_cards(image, known.lens)).sharpened for image in images]
        print(known.folder.name, *(f"{amount:.2f}" for amount in found), flush=True)


if __name__ == "__main__":
    main()
