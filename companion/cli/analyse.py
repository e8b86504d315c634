"""`companion analyse FILE|N`: what a game was worth, ply by ply, where it turned, and what was missed."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from math import inf
from random import Random
from typing import Any, Final

from companion.bots import Budget
from companion.bots.analysis import Judged, judge
from companion.bots.hints import percent
from companion.cli.own_games import add_record, record_text
from companion.cli.selfplay import from_1
from companion.engine import AnyGame, Json, form, record
from companion.engine.record import OpenedGame, RecordStep
from companion.errors import InvalidError, JournalError, RecordError, phrase
from companion.games import registry
from companion.table import seat_phrase
from companion.table.spot_words import SEAT_LETTERS
from companion.words import Words

BARS: Final = "▁▂▃▄▅▆▇█"


def add(subparsers: Any) -> None:
    """Adds `analyse`."""
    parser = subparsers.add_parser(
        "analyse",
        help="look at a finished game again: values, turning points, what was missed",
        description="Reads a game record and judges every ply by tree search, from what its player could know.",
        epilog="Values are chances of winning in percent, as far as the search sees. Exit code as of record check.",
    )
    add_record(parser)
    parser.add_argument("--time", type=_seconds, default=0.5, metavar="S", help="seconds for a search (%(default)s)")
    parser.add_argument("--playouts", type=from_1, metavar="N", help="playouts for a search, instead of a time")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the search (%(default)s)")
    parser.add_argument("--json", action="store_true", help="answer in JSON, a line a ply, for programs")


def _seconds(given: str) -> float:
    """A time on the command line."""
    seconds = float(given)
    if not 0 <= seconds < inf:
        raise argparse.ArgumentTypeError(f"{given} is not a number of seconds")
    return seconds


def run(args: argparse.Namespace, words: Words) -> int:
    """Answers on stdout, a line as soon as it is known."""
    try:
        text = record_text(args.file, args.state)
    except JournalError:
        raise
    except OSError as error:
        raise InvalidError(
            phrase("cli.record.unreadable", where=args.file, given=error.strerror or str(error))
        ) from None
    try:
        judged = []
        for opened, step, each in _judged(text, args):
            judged.append((step.n, each))
            words, game = words.calling(_names(opened)), opened.game
            print(_as_json(game, step, each, words) if args.json else _as_text(game, step, each, words), flush=True)
    except RecordError as error:
        what = phrase(
            "cli.record.wrong", where=args.file, line=error.line, told=error.phrase, rule=f"({error.rule or '–'})"
        )
        print(words.say(what), file=sys.stderr)
        return 1
    if not args.json:
        for line in _summary(judged, words):
            print(line)
    return 0


def _names(opened: OpenedGame) -> dict[str, str]:
    """What the phrases of seats are said as."""
    players = form.items(opened.header["players"], "players")
    names = (form.text(form.mapping(each, "player")["name"], "name") for each in players)
    return {seat_phrase(seat).id: name for seat, name in enumerate(names) if seat < len(SEAT_LETTERS)}


def _judged(text: str, args: argparse.Namespace) -> Iterator[tuple[OpenedGame, RecordStep, Judged]]:
    """Every ply but those of chance."""
    opened: OpenedGame | None = None
    for each in record.replay(text, registry.game):
        if isinstance(each, OpenedGame):
            opened = each
        elif isinstance(each, RecordStep) and opened is not None and isinstance(each.ply.player, int):
            game = opened.game
            yield opened, each, judge(game, each.before, each.ply, Random(args.seed), lambda: _budget(args))


def _budget(args: argparse.Namespace) -> Budget:
    if args.playouts is not None:
        return Budget(playouts=args.playouts)
    return Budget(time_s=args.time, clock_s=time.monotonic)


def _as_text(game: AnyGame, step: RecordStep, judged: Judged, words: Words) -> str:
    said = game.say(step.before, step.ply, "referee")
    player, value = seat_phrase(judged.seat), percent(judged.value)
    sentence = phrase("cli.analyse.ply", n=step.n, player=player, ply=said, value=value)
    if not judged.is_notable:
        return words.say(sentence)
    better = phrase(
        "cli.analyse.missed_turn" if judged.is_turning_point else "cli.analyse.missed",
        told=sentence, ply=game.say(step.before, judged.best, "referee"), value=percent(judged.best_value),
    )
    return words.say(better)


def _as_json(game: AnyGame, step: RecordStep, judged: Judged, words: Words) -> str:
    shown: Json = {
        "n": step.n, "player": judged.seat, "action": game.write_action(judged.ply.action),
        "value": round(judged.value, 3), "best": game.write_action(judged.best.action),
        "best_value": round(judged.best_value, 3), "turning_point": judged.is_turning_point,
        "why": words.sentence(judged.why),
    }
    return json.dumps(shown, ensure_ascii=False)


def _summary(judged: list[tuple[int, Judged]], words: Words) -> Iterator[str]:
    """The turning points, and of each player the value over the game and what was given away on average."""
    if not judged:
        yield words.say(phrase("cli.analyse.nothing"))
        return
    turns = tuple(f"{n}" for n, each in judged if each.is_turning_point)
    yield words.say(phrase("cli.analyse.turns", plies=turns) if turns else phrase("cli.analyse.no_turns"))
    for seat in sorted({each.seat for _, each in judged}):
        own = [each for _, each in judged if each.seat == seat]
        curve = _curve([each.value for each in own])
        yield words.say(phrase("cli.analyse.curve", player=seat_phrase(seat), given=curve))
        missed = [each.missed for each in own]
        average = f"{100 * sum(missed) / len(missed):.1f}"
        yield words.say(phrase("cli.analyse.average", player=seat_phrase(seat), given=average, plies=len(missed)))


def _curve(values: list[float]) -> str:
    """Values from 0 to 1 as a line of bars."""
    return "".join(BARS[min(len(BARS) - 1, int(value * len(BARS)))] for value in values)
