"""One's own games by their numbers, where a command reads a record: `companion record show 12`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.engine import lines
from companion.errors import InvalidError, phrase
from companion.games import registry

WHAT = "the record, or the number of one of your own games; - reads the standard input"


def add_record(parser: argparse.ArgumentParser) -> None:
    """Adds the argument that says which record, and the option that says whose."""
    parser.add_argument("file", metavar="FILE|N", help=WHAT)
    parser.add_argument("--state", type=Path, metavar="DIR",
                        help="the folder with the journal of your games (without: the one of your config)")


def record_text(given: str, state: Path | None) -> str:
    """The text of a record: of a file, of the standard input (`-`), or of a game in one's journal by its number, also
    while it is played. Bytes that are not UTF-8 come as surrogates, which the reader refuses with their line. Raises
    `OSError`, or `InvalidError` for a game that is not there or cannot be followed."""
    if given == "-":
        return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    if given.isascii() and given.isdigit() and not Path(given).exists():
        return _own(int(given[:9]), state)
    return Path(given).read_bytes().decode("utf-8", "surrogateescape")


def _own(number: int, state: Path | None) -> str:
    from companion.interpret import Interpreter
    from companion.session import config
    from companion.session.exports import RESULT_ALONE
    from companion.session.journal import inspect
    from companion.session.library import GameLibrary

    path = inspect.journal_at(state or config.load_config(None).folder)
    with inspect.found_games(path, lambda _done, _all: None) as games:
        game = next((each for each in games if each.number == number > 0 and each.lines), None)
    told = inspect.record_of(game, GameLibrary(registry.game, Interpreter)) if game else ()
    if not told:
        raise InvalidError(phrase("cli.record.no_game", given=str(number), where=str(path)))
    if RESULT_ALONE in told[0]:
        raise InvalidError(phrase("session.no_record", game=number))
    return "".join(map(lines.line, told))
