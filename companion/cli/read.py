"""`companion read`: plays a picture set and writes down, a line a frame, what was seen and understood."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from companion.engine import Json
from companion.errors import InvalidError, Phrase, phrase
from companion.session.keeping import kept_beginning, kept_tables
from companion.words import Words

CAME_SHARE: Final = 0.95
"""Of the frames that a file says that it has, so many have to come for it to be whole."""


def add(commands: Any) -> None:
    """Adds the command's parser."""
    parser = commands.add_parser(
        "read",
        help="read a picture set, a video or a kept table and write down what was played",
        description="Looks at the pictures of a set, of a video of a board, or of what companion run --keep kept, one "
        "after the other, as if they came from a camera, "
        "and writes what the companion saw, believed, gave out and asked. The set's truth is never "
        "used; of its record only the first line.",
    )
    parser.add_argument("set", type=Path, metavar="SET", help="folder of a picture set or of what was kept, or a video")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write, JSON Lines")
    parser.add_argument(
        "--answer", type=Path, metavar="RECORD", help="answer questions from this game record, as a player would"
    )
    parser.add_argument(
        "--confidence", action="store_true", help="say of each piece seen at one look how sure that is, from 0 to 1"
    )
    video = parser.add_argument_group("a video")
    video.add_argument("--game", metavar="ID", help="which game it shows, from its beginning")
    video.add_argument(
        "--corners", metavar="PIXELS", help="where the board's corners are, each by the place next to it: "
        '"h8=141,9 h1=507,10 a1=510,377 a8=138,376"'
    )
    video.add_argument("--start", type=int, default=0, metavar="N", help="begin with this frame")
    video.add_argument("--every", type=int, default=1, metavar="N", help="look only at every Nth frame")


def run(args: argparse.Namespace, words: Words) -> int:
    """Reads the set or the video, and says at the end what it lacked; gives 0."""
    import cv2

    cv2.setNumThreads(1)
    if not args.set.exists():
        raise InvalidError(phrase("cli.read.not_there", where=str(args.set)))
    how = _video if args.set.is_file() else _kept if kept_tables(args.set) else _set
    number, lines = how(args, words)
    tally = _Tally()
    with args.out.open("w", encoding="utf-8") as out:
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            tally.add(line)
            progress = words.say(phrase("cli.read.progress", n=tally.frames, count=max(tally.frames, number)))
            print(f"\r{progress}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if (lack := _lack(tally, number, args)) is not None:
        print(words.sentence(lack), file=sys.stderr)
    return 0


@dataclass(slots=True)
class _Tally:
    """How many frames were read and how many of them were free, and what was said last of one that was not."""

    frames: int = 0
    free: int = 0
    said: str = ""

    def add(self, line: Json) -> None:
        assert isinstance(line, dict)
        if "frame" in line:
            is_free = line["state"] == "free"
            self.frames, self.free = self.frames + 1, self.free + is_free
            self.said = str(line["odd"][0]) if line["odd"] and not is_free else self.said


def _lack(tally: _Tally, number: int, args: argparse.Namespace) -> Phrase | None:
    """What people must know of a reading that shows less than they wanted. A file may count its frames roughly."""
    where = str(args.set)
    if not tally.frames:
        return phrase("cli.read.nothing_from", where=where, number=args.start)
    if not tally.free:
        return phrase("cli.read.never_free", where=where, given=tally.said)
    if tally.frames < CAME_SHARE * number:
        return phrase("cli.read.ended_early", where=where, n=tally.frames, count=number)
    return None


def _set(args: argparse.Namespace, words: Words) -> tuple[int, Iterator[Json]]:
    """How many pictures a set has, and the lines of them."""
    from companion.cli.chain import Answerer, build
    from companion.cli.played import opened_by, played
    from vision.enrolment.picture_set import read_set

    pictures = read_set(args.set)
    if not pictures.pictures:
        raise InvalidError(phrase("hw.no_frames", where=str(args.set)))
    opened = opened_by(args.set / "record.jsonl")
    answerer = Answerer.of(played(args.answer)) if args.answer else None
    print(words.say(phrase("cli.read.learning", count=len(pictures.enrolments))), file=sys.stderr)
    chain = build(pictures, opened, words, answerer, confidence=args.confidence)
    return len(pictures.pictures), chain.lines(pictures)


def _kept(args: argparse.Namespace, words: Words) -> tuple[int, Iterator[Json]]:
    """How many frames of a kept table there are, and the lines of them."""
    from companion.cli.chain import Answerer, Chain
    from companion.cli.played import opened_of, played, replayed
    from companion.engine.record import read_header, read_ply
    from companion.games import registry
    from companion.main.kept_eyes import open_kept
    from companion.main.messages import LookFor
    from hardware.sources.kept_table import read_kept

    kept = read_kept(args.set)
    plain, opened = read_header(dict(kept.header), registry.game), opened_of(dict(kept.header))
    layout, start = opened.game.layout(opened.setup), plain.game.placement(plain.state)
    before, stands = kept_beginning(kept.folder), start
    if before is not None and before.plies:
        states = replayed(opened, [read_ply(each, opened.game, "plies") for each in before.plies]).states
        opened, stands = replace(opened, state=states[-1]), opened.game.placement(states[-1])
    if before is None or kept.placement != stands:
        raise InvalidError(phrase("hw.kept_midway", where=str(kept.folder)))
    eyes = open_kept(kept.folder)
    pieces = frozenset(piece for each in start.values() for piece in each)
    eyes.look_for(LookFor(layout, opened.players, game=opened.game.id, placement=stands, pieces=pieces))
    answerer = Answerer.of(played(args.answer)) if args.answer else None
    chain = Chain(eyes, opened, words, answerer, confidence=args.confidence)
    return kept.length, chain.lines_of(kept.frames())


def _video(args: argparse.Namespace, words: Words) -> tuple[int, Iterator[Json]]:
    """How many frames of a video are looked at, and the lines of them."""
    from companion.cli.chain import Answerer, Chain
    from companion.cli.played import played
    from companion.cli.video_game import opened_from_start
    from hardware.sources.video import Video
    from vision.boards.board_reader import BoardReader
    from companion.table.board_corners import read_corners

    if args.game is None or args.corners is None:
        raise InvalidError(phrase("cli.read.video_needs", where=str(args.set)))
    opened = opened_from_start(args.game)
    layout = opened.game.layout(opened.setup)
    eyes = BoardReader(layout, opened.game.placement(opened.state), read_corners(args.corners, layout))
    answerer = Answerer.of(played(args.answer)) if args.answer else None
    video = Video(str(args.set))
    chain = Chain(eyes, opened, words, answerer, confidence=args.confidence)
    every = max(1, args.every)
    number = math.ceil(max(0, video.length - args.start) / every)
    return number, chain.lines_of(video.frames(args.start, every))
