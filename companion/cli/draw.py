"""`companion draw`: a picture set of a game, drawn by the companion itself: to try a new game before there is a camera.

What is drawn lies as a record says: a picture of the table at the start, and one after every ply.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from companion.errors import InvalidError, phrase
from companion.words import Words


def add(commands: Any) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser(
        "draw",
        help="draw a picture set of a game",
        description="Draws pictures of a table on which a game is played as a record says, and writes them as a "
        "picture set that can be read, evaluated and enrolled like any other. Crates and drinks are not drawn.",
    )
    parser.add_argument("set", type=Path, metavar="SET.JSON", help="a file with `game` and `pieces`, as in a set.json")
    parser.add_argument("record", type=Path, metavar="RECORD", help="the record of the game to draw")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the new folder for the picture set")


def run(args: argparse.Namespace, words: Words) -> int:
    """Draws and writes; progress goes to stderr. Raises `CompanionError`."""
    import cv2

    from companion.cli.drawn_set import DrawnSet, read_pieces
    from companion.cli.played import played

    cv2.setNumThreads(1)
    if args.out.exists():
        raise InvalidError(phrase("cli.draw.exists", folder=str(args.out)))
    drawn = DrawnSet(played(args.record), read_pieces(args.set))
    (args.out / "frames").mkdir(parents=True)
    (args.out / "enrol").mkdir()
    (args.out / "set.json").write_text(json.dumps(drawn.about(), indent=1) + "\n", "utf-8")
    if (board := drawn.board_picture()) is not None:
        _write(args.out / "board.jpg", board)
    enrolled = []
    for about, image in drawn.enrolments():
        _write(args.out / about["picture"], image)
        enrolled.append(about)
    (args.out / "enrol.json").write_text(json.dumps(enrolled, indent=1) + "\n", "utf-8")
    (args.out / "record.jsonl").write_text(args.record.read_text("utf-8"), "utf-8")
    with (args.out / "frames.jsonl").open("w", encoding="utf-8") as truth:
        for about, image in drawn.frames():
            _write(args.out / "frames" / f"{about['frame']:04}.jpg", image)
            truth.write(json.dumps(about) + "\n")
    print(words.say(phrase("cli.draw.written", folder=str(args.out))), file=sys.stderr)
    return 0


def _write(file: Path, image: Any) -> None:
    import cv2

    cv2.imwrite(str(file), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
