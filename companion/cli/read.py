"""`companion read`: plays a picture set and writes down, a line a frame, what was seen and understood."""

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
        "read",
        help="read a picture set and write down what was played",
        description="Looks at the pictures of a set one after the other, as if they came from a camera, and writes "
        "what the companion saw, believed, gave out and asked. The set's truth is never used; of its record only the "
        "first line.",
    )
    parser.add_argument("set", type=Path, metavar="SET", help="folder of the picture set")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write, JSON Lines")
    parser.add_argument(
        "--answer", type=Path, metavar="RECORD", help="answer questions from this game record, as a player would"
    )
    parser.add_argument(
        "--confidence", action="store_true", help="say of each piece seen at one look how sure that is, from 0 to 1"
    )


def run(args: argparse.Namespace, words: Words) -> int:
    """Reads the set; gives 0."""
    import cv2

    from companion.cli.chain import Answerer, build
    from companion.cli.played import opened_by, played
    from vision.enrolment.picture_set import read_set

    cv2.setNumThreads(1)
    pictures = read_set(args.set)
    if not pictures.pictures:
        raise InvalidError(phrase("hw.no_frames", where=str(args.set)))
    opened = opened_by(args.set / "record.jsonl")
    answerer = Answerer.of(played(args.answer)) if args.answer else None
    print(words.say(phrase("cli.read.learning", count=len(pictures.enrolments))), file=sys.stderr)
    chain = build(pictures, opened, words, answerer, confidence=args.confidence)
    with args.out.open("w", encoding="utf-8") as out:
        for n, line in enumerate(chain.lines(pictures)):
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            progress = words.say(phrase("cli.read.progress", n=n, count=len(pictures.pictures)))
            print(f"\r{progress}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return 0
