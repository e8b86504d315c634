# ruff: noqa: T201 (a script prints)
"""`python tests/vision/score_sharpness.py SET…`: by how much each set's camera sharpened its pictures, as measured in
some of them (`vision/sharpness.py`)."""

from __future__ import annotations

import argparse
from pathlib import Path

from vision.cards import find_cards
from vision.light import fit_white
from vision.pictureset import read_set, truth

LOOKS = 6


def main() -> None:
    """Measure the sets named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", type=Path, nargs="+")
    for folder in parser.parse_args().sets:
        known = read_set(folder)
        free = [line["frame"] for line in truth(folder) if line["free"]]
        images = [known.frame(number).image for number in free[::max(1, len(free) // LOOKS)][:LOOKS]]
        found = [fit_white(image, find_cards(image, known.lens)).sharpened for image in images]
        print(folder.name, *(f"{amount:.2f}" for amount in found), flush=True)


if __name__ == "__main__":
    main()
