"""`companion print cards`: the four tag cards as a PDF, true to size."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.errors import phrase
from companion.words import Words


def add(subparsers: Any) -> None:
    """Adds `print` with what can be printed."""
    parser = subparsers.add_parser("print", help="make a PDF of things to print and cut out")
    things = parser.add_subparsers(dest="thing", metavar="THING", required=True)
    cards = things.add_parser(
        "cards",
        help="the four tag cards that lie around the table, true to size",
        description="Makes a sheet with the four tag cards that tell the companion where the table is. Print it at "
        "100 % on matte paper, check the rulers, cut the cards out.",
    )
    cards.add_argument(
        "--out", type=Path, default=Path("cards.pdf"), metavar="FILE", help="the PDF to write (%(default)s)"
    )
    cards.add_argument("--paper", choices=("a4", "letter"), default="a4", help="size of your paper (%(default)s)")


def run(args: argparse.Namespace, words: Words) -> int:
    """Writes the sheet and says how to print it."""
    from companion.cli import cards_pdf

    try:
        cards_pdf.write_cards(args.out, args.paper, words)
    except OSError as error:
        print(words.say(phrase("cards.cannot_write", where=str(args.out), given=error.strerror or str(error))))
        return 1
    print(words.say(phrase("cards.written", where=str(args.out))))
    return 0
