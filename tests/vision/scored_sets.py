"""For programs that score picture sets: those named on the command line, and their enrolment pictures, opened."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from vision.enrolment.opened_picture import LaidPicture, OpenedPicture, open_picture
from vision.enrolment.picture_set import PictureSet, read_picture, read_set


def sets_to_score(about: str | None) -> Iterator[PictureSet]:
    """The sets named on the command line of a program that is `about` something."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("sets", type=Path, nargs="+")
    return map(read_set, parser.parse_args().sets)


def open_enrolment(known: PictureSet) -> list[OpenedPicture]:
    """The enrolment pictures of a set, each with its camera, light and crates."""
    sizes = {piece.name: piece for piece in known.pieces}
    return [open_picture(LaidPicture(read_picture(each.picture, known.lens), each.pieces), sizes, known.lens)
            for each in known.enrolments]
