"""`companion enrol`: learns how a table's pieces look and keeps it as a piece set."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from companion.errors import phrase
from companion.words import Words


def add(subparsers: Any) -> None:
    """Adds `enrol`."""
    parser = subparsers.add_parser(
        "enrol",
        help="learn how your pieces look",
        description="Learns the pieces from pictures in which they are laid out, and keeps what was learned in one "
        "file, which can be shared and named in the config as `pieces`.",
    )
    parser.add_argument(
        "set", type=Path, metavar="SET",
        help="a folder with set.json (camera, pieces), enrol.json (what lies where, in mm) and the pictures it names",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the piece set to write")


def run(args: argparse.Namespace, words: Words) -> int:
    """Learns and writes; progress goes to stderr. Raises `CompanionError`."""
    import cv2

    from vision.enrol import enrol_set
    from vision.faces_check import confusable
    from vision.pictureset import read_set

    cv2.setNumThreads(1)
    known = read_set(args.set)

    def told(done: float) -> None:
        sys.stderr.write(f"\r{words.say(phrase('cli.enrol.progress', percent=round(100 * done)))}")
        sys.stderr.flush()

    pieces = enrol_set(known, told)
    pieces.save(args.out)
    print(file=sys.stderr)
    count = len(known.pieces)
    print(words.say(phrase("cli.enrol.written", count=count, where=str(args.out))), file=sys.stderr)
    alike = confusable(pieces)
    if alike is not None:
        print(words.sentence(alike.verdict), file=sys.stderr)
    return 0
