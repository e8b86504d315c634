"""`companion print`: tag cards, the sheet for a lens, and parts to cut out for buttons and camera, as PDFs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from companion.errors import phrase
from companion.words import Words

WRITTEN: Final = {"cards": "cards.written", "sheet": "calibrate.printed"}
"""What is said of things that are not parts."""


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
    from companion.cli import parts_pdf

    box = things.add_parser(
        "box",
        help="a box for the button and the lamp of each seat, to cut out and fold",
        description="Makes a page for each seat with the net of a box, true to size: of strong card, or as a template "
        "for plywood. docs/build.md says what goes into it.",
    )
    box.add_argument("--out", type=Path, default=Path("box.pdf"), metavar="FILE", help="the PDF to write (%(default)s)")
    box.add_argument("--button", type=int, choices=parts_pdf.BUTTONS_MM, default=16, metavar="MM",
                     help="thread of your push buttons: 12, 16 or 24 mm (%(default)s)")
    box.add_argument("--seats", type=int, choices=range(1, 7), default=2, metavar="N", help="how many (%(default)s)")
    arm = things.add_parser(
        "arm",
        help="the foot of the camera's arm and what holds the camera, to saw out",
        description="Makes a page with the parts of the camera's arm, true to size, as templates for plywood.",
    )
    arm.add_argument("--out", type=Path, default=Path("arm.pdf"), metavar="FILE", help="the PDF to write (%(default)s)")
    sheet = things.add_parser(
        "sheet",
        help="the sheet by which a camera's lens is measured",
        description="Makes a page with the sheet of which `companion calibrate` wants pictures. Its size does not "
        "matter; it has to lie flat, so glue it on a board.",
    )
    sheet.add_argument("--out", type=Path, default=Path("sheet.pdf"), metavar="FILE",
                       help="the PDF to write (%(default)s)")
    for each in (cards, box, arm, sheet):
        each.add_argument("--paper", choices=("a4", "letter"), default="a4", help="size of your paper (%(default)s)")


def run(args: argparse.Namespace, words: Words) -> int:
    """Writes the sheet and says how to print it."""
    from companion.cli import cards_pdf, parts_pdf, sheet_pdf

    try:
        if args.thing == "box":
            parts_pdf.write_box(args.out, args.paper, args.button, args.seats, words)
        elif args.thing == "arm":
            parts_pdf.write_arm(args.out, args.paper, words)
        elif args.thing == "sheet":
            sheet_pdf.write_lens_sheet(args.out, args.paper, words)
        else:
            cards_pdf.write_cards(args.out, args.paper, words)
    except OSError as error:
        print(words.say(phrase("cards.cannot_write", where=str(args.out), given=error.strerror or str(error))))
        return 1
    written = WRITTEN.get(args.thing, "parts.written")
    print(words.say(phrase(written, where=str(args.out))))
    return 0
