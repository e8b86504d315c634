"""For scripts that score picture sets: those named on the command line, and their enrolment pictures as enrolment opens
them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from vision.enrolment import enrol
from vision.enrolment.opened_picture import OpenedPicture
from vision.enrolment.picture_set import PictureSet, read_picture, read_set


def told_sets(about: str | None) -> Iterator[PictureSet]:
    """The sets named on the command line of a script that is `about` something."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("sets", type=Path, nargs="+")
    return map(read_set, parser.parse_args().sets)


def open_enrolment(known: PictureSet) -> list[OpenedPicture]:
    """The enrolment pictures of a set, each with its camera, light and crates."""
    sizes = {piece.name: piece for piece in known.pieces}
    return [enrol._open(enrol.LaidPicture(read_picture(each.picture, known.lens), each.pieces), sizes, known.lens)
            for each in known.enrolments]
