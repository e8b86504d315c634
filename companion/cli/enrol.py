"""`companion enrol`: learns how a table's pieces look and keeps it as a piece set."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import phrase
from companion.games import registry
from companion.words import Words

if TYPE_CHECKING:
    from vision.enrolment.picture_set import PictureSet


def add(subparsers: Any) -> None:
    """Adds `enrol`."""
    parser = subparsers.add_parser(
        "enrol",
        help="learn how your pieces look",
        description="Learns the pieces from pictures in which they are laid out, and keeps what was learned in one "
        "file, which can be shared and named in the config as `pieces`. With --source the pictures are taken now: it "
        "says what to lay where, looks, and tells what is missing.",
    )
    parser.add_argument(
        "set", type=Path, metavar="SET",
        help="a folder with set.json (camera, pieces), enrol.json (what lies where, in mm) and the pictures it names; "
        "with --source a set.json is enough, or the name of an example with the same pieces, such as kamikaze-1",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the piece set to write")
    parser.add_argument("--source", metavar="SOURCE", help="take the pictures now: camera, picamera2 or a picture set")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="the new folder for the pictures taken (FILE.pictures)")
    parser.add_argument("--lens", type=Path, metavar="FILE", help="the camera's lens file (as in set.json)")


def run(args: argparse.Namespace, words: Words) -> int:
    """Learns and writes; progress goes to stderr. Raises `CompanionError`."""
    import cv2

    from vision.enrolment.picture_set import read_set

    cv2.setNumThreads(1)
    folder = args.set
    if args.source is not None:
        from companion.cli.enrol_live import take_pictures

        folder = take_pictures(args, words)
        if folder is None:
            return 1
    learn_and_tell(read_set(folder), args.out, words)
    return 0


def learn_and_tell(known: PictureSet, out: Path, words: Words) -> None:
    """Learns from a set's enrolment pictures and says what is most alike."""
    from companion.enrolling.learning import most_alike
    from vision.enrolment.enrol import enrol_set
    from vision.pieces.piece_set_file import save_piece_set

    def progress(done: float) -> None:
        sys.stderr.write(f"\r{words.say(phrase('cli.enrol.progress', percent=round(100 * done)))}")
        sys.stderr.flush()

    pieces = enrol_set(known, registry.kinds(known.game), progress)
    save_piece_set(pieces, out)
    print(file=sys.stderr)
    count = len(known.pieces)
    print(words.say(phrase("cli.enrol.written", count=count, where=str(out))), file=sys.stderr)
    for alike in most_alike(pieces, known):
        print(words.sentence(alike.verdict), file=sys.stderr)
