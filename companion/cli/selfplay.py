"""`companion selfplay GAME`: games at random or of bots against each other, written as records."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from companion.bots import LEVELS
from companion.bots.levels import played_by, seated
from companion.engine import Json, lines, play
from companion.errors import InvalidError, phrase
from companion.games import registry
from companion.words import Words


def add(subparsers: Any) -> None:
    """Adds `selfplay`."""
    parser = subparsers.add_parser(
        "selfplay",
        help="let a game play itself, at random or by bots, and write the record",
        description="Plays games with random legal plies, or with bots, and writes their records. The same seed and "
        "options give the same games again, with bots that look ahead only if --playouts is given.",
    )
    parser.add_argument("game", metavar="GAME", help=f"one of: {', '.join(registry.ids())}")
    parser.add_argument("--games", type=from_1, default=1, metavar="N", help="how many games (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="which games: any whole number (%(default)s)")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="the record to write. With more than one game each has "
        "a file of its own, numbered before the ending: games.jsonl becomes games-001.jsonl, games-002.jsonl …"
    )  # fmt: skip
    parser.add_argument("--players", type=from_1, metavar="N", help="how many play (as few as can)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game, as its rules "
        "name them (a game that need not end at random is given one by which it does); can be repeated"
    )  # fmt: skip
    parser.add_argument(
        "--plies", type=from_1, default=2000, metavar="N", help="a game that takes longer is abandoned (%(default)s)"
    )
    parser.add_argument(
        "--bots", type=lambda given: given.split(","), default=[], metavar="LEVEL,…", help="who plays, a level a seat, "
        f"the last one for all further seats: {', '.join(LEVELS)}"
    )  # fmt: skip
    parser.add_argument(
        "--playouts", type=from_1, metavar="N", help="bots that look ahead do so for N playouts instead of some time"
    )
    parser.add_argument("--started", metavar="TIME", help="the time written in the records (now)")


def run(args: argparse.Namespace, words: Words) -> int:
    """Plays and writes; progress goes to stderr. Raises `CompanionError`."""
    game = registry.game(args.game)
    players = args.players or min(game.seats)
    if players not in game.seats:
        raise InvalidError(phrase("cli.selfplay.players", game=game.id, seats=game.seats, given=players))
    options = read_options(args.option)
    started = args.started or datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    bots = seated(args.bots, players) if args.bots else ()
    ply_of = played_by(bots, time.monotonic, args.playouts) if bots else play.random_ply
    names = [f"{each.name} {seat}" for seat, each in enumerate(bots, 1)]
    total = 0
    for number in range(1, args.games + 1):
        rng = Random(f"{args.seed}:{number}")
        written = list(play.random_record(
            game, players, rng, started, options, args.plies, ply_of=ply_of, names=names
        ))
        try:
            _file(args.out, number, args.games).write_text("".join(written), encoding="utf-8")
        except OSError as error:
            where = str(_file(args.out, number, args.games))
            raise InvalidError(
                phrase("cli.selfplay.cannot_write", where=where, given=error.strerror or str(error))
            ) from None
        reason = lines.parse(written[-1])["result"]["reason"]
        total += len(written) - 2
        sentence = phrase("cli.selfplay.progress", game=number, games=args.games, plies=len(written) - 2, reason=reason)
        print(words.say(sentence), file=sys.stderr)
    sentence = phrase("cli.selfplay.written", games=args.games, plies=total, where=_written(args.out, args.games))
    print(words.say(sentence), file=sys.stderr)
    return 0


def _written(out: Path, games: int) -> str:
    """The files that were written, in words."""
    return " … ".join(dict.fromkeys(str(_file(out, number, games)) for number in (1, games)))


def _file(out: Path, number: int, games: int) -> Path:
    return out if games == 1 else out.with_name(f"{out.stem}-{number:03}{out.suffix}")


def read_options(given: list[str]) -> Mapping[str, Json]:
    """The options given as NAME=VALUE; raises `InvalidError`."""
    found = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise InvalidError(phrase("cli.selfplay.option", given=each))
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def from_1(given: str) -> int:
    """A number from 1, on the command line."""
    number = int(given)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not a number from 1")
    return number
