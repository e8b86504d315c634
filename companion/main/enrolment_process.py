"""Learns a piece set and ends: `python -m companion.main.enrolment_process FOLDER FILE`.

Started by the eyes, never by people."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from companion.errors import CompanionError
from companion.games import registry
from companion.words import load
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set
from vision.pieces.piece_set_file import save_piece_set


def main(arguments: list[str]) -> int:
    """Exit code: 0 the piece set of the pictures in FOLDER is in FILE, 1 it cannot be learned (why is printed).
    How much is done is printed meanwhile."""
    folder, file = map(Path, arguments)
    cv2.setNumThreads(1)
    try:
        known = read_set(folder)
        save_piece_set(enrol_set(known, registry.kinds(known.game), _say_share), file)
    except CompanionError as error:
        sys.stderr.write(load().say(error.phrase) + "\n")
        return 1
    return 0


def _say_share(share: float) -> None:
    sys.stdout.write(f"{share:.3f}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
