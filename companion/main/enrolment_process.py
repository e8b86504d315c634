"""Learns a piece set and ends, in a process of its own that leaves the cores to pages, lamps and eyes.

    python -m companion.main.enrolment_process FOLDER FILE     of the pictures of a set
    python -m companion.main.enrolment_process KEEP            of the enrolment that is going on in this state folder

The second says how far it is: a line of JSON each, `{"share": 0.4}`, and at a failure `{"trouble": …}` with a phrase.
Started by the eyes, never by people."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Final

import cv2

from companion.main.expendable import THINKING, may_go
from companion.enrolling.learning import learn_kept
from companion.errors import CompanionError, Phrase, phrase
from companion.games import registry
from companion.session.events import write_phrase
from companion.words import load
from vision.enrolment.enrol import enrol_set
from vision.enrolment.picture_set import read_set
from vision.pieces.piece_set_file import save_piece_set

LEARNING_NICENESS: Final = 10
"""Beside that of the eyes, which start it."""


def main(arguments: list[str]) -> int:
    """Exit code: 0 the piece set is where it belongs, 1 it cannot be learned or kept (why is printed)."""
    cv2.setNumThreads(1)
    os.nice(LEARNING_NICENESS)
    may_go(THINKING)
    given = [Path(each) for each in arguments]
    return _learn_going_on(given[0]) if len(given) == 1 else _learn_set(*given)


def _learn_set(folder: Path, file: Path) -> int:
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


def _learn_going_on(keep: Path) -> int:
    try:
        learn_kept(keep, lambda share: _tell({"share": share}))
    except CompanionError as error:
        return _fail(error.phrase)
    except OSError as error:
        return _fail(phrase("enrol.not_kept", given=error.strerror or type(error).__name__))
    return 0


def _fail(why: Phrase) -> int:
    _tell({"trouble": write_phrase(why)})
    return 1


def _tell(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
