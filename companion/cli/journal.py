"""`companion journal check|export|recover|delete`: looks after the journal of all games."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from companion.errors import CompanionError, Phrase, phrase
from companion.words import Words

PATIENCE_S: Final = 1.0
"""How long nothing is said of the progress."""
_WHERE: Final = "the journal, its folder, or a journal that was put aside (without: the one of your config)"


def add(subparsers: Any) -> None:
    """Adds `journal` with what can be done to one."""
    parser = subparsers.add_parser(
        "journal",
        help="check the journal of all games, export its records, save what can be read of a damaged one",
        description="Looks after the journal, the file with every move of every game. Damaged files are only read.",
        epilog="Exit code: 0 done, and all is whole; 1 something is missing or damaged; 2 it could not be done.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="check|export|recover|delete")
    _action(actions, "check", "is everything there, as it was written? every line's checksum is computed anew")
    export = _action(actions, "export", "print the games' records as JSON lines, nothing in them left out")
    export.add_argument("--game", type=int, metavar="N", help="only this game")
    export.add_argument("--to", type=Path, metavar="DIR", help="a file for each game, in this folder")
    recover = _action(actions, "recover", "save what can be read of a damaged journal into a new one")
    recover.add_argument("--to", type=Path, metavar="DIR", required=True, help="the folder of the new journal")
    about = "delete a game, or who played it, for ever"
    delete = actions.add_parser("delete", help=about, description=f"{about.capitalize()}.")
    delete.add_argument("game", type=int, metavar="N", help="its number")
    delete.add_argument("--names", action="store_true", help="only who played it")
    delete.add_argument("--state", type=Path, metavar="DIR", help="the folder of the journal")


def _action(actions: Any, name: str, help: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=help, description=f"{help[:1].upper()}{help[1:]}.")
    parser.add_argument("where", type=Path, metavar="WHERE", nargs="?", help=_WHERE)
    return parser


def run(args: argparse.Namespace, words: Words) -> int:
    """Answers on stdout; progress and what is wrong are said on stderr."""
    code: int = _ACTIONS[args.action](args, words)
    return code


def _check(args: argparse.Namespace, words: Words) -> int:
    from companion.session.journal import inspect, reports

    path = inspect.journal_at(args.where or _folder())
    found = inspect.check_journal(path, _progress(words))
    count = reports.count(found.saved)
    if found.is_old and not found.saved.losses:
        print(words.say(phrase("journal.check.old", where=str(path), saved=count)))
        return 0
    if not found.why and not found.saved.losses and not found.saved.nameless:
        print(words.say(phrase("journal.check.whole", where=str(path), saved=count)))
        return 0
    told = phrase("journal.check.damaged", where=str(path), given=found.why or "-", saved=count,
                  lost=reports.losses(found.saved))
    print(words.say(told))
    return 1


def _export(args: argparse.Namespace, words: Words) -> int:
    from companion.session.journal import inspect

    path, wrong, number = inspect.journal_at(args.where or _folder()), 0, 0
    if args.to is not None:
        args.to.mkdir(parents=True, exist_ok=True)
    with inspect.found_games(path, _progress(words)) as games:
        for game in games:
            if game.number == 0 or game.deleted or args.game not in (None, game.number):
                continue
            try:
                record = inspect.record_of(game, _library())
            except CompanionError as error:
                _say(phrase("journal.export.not_followed", game=game.number, known=error.phrase), words)
                record = ()
            whole = bool(record) and game.lost == 0
            if record and not whole:
                _say(phrase("journal.export.beginning", game=game.number), words)
            wrong, number = wrong + (not whole), number + bool(record)
            _write(record, args.to and args.to / f"game-{game.number:05}.jsonl")
    _say(phrase("journal.export.done", number=number), words)
    return 1 if wrong else 0


def _recover(args: argparse.Namespace, words: Words) -> int:
    from companion.session.journal import inspect, reports

    path = inspect.journal_at(args.where or _folder())
    saved = inspect.recover(path, args.to, _progress(words))
    count, losses = reports.count(saved), reports.losses(saved)
    print(words.say(phrase("journal.recovered", where=str(args.to), saved=count, lost=losses)))
    return 1 if saved.losses or saved.nameless else 0


def _delete(args: argparse.Namespace, words: Words) -> int:
    from companion.session.journal.delete import delete_game

    copies = delete_game(args.state or _folder(), args.game, args.names)
    print(words.say(phrase("journal.deleted.names" if args.names else "journal.deleted", game=args.game)))
    if copies:
        print(words.say(phrase("journal.deleted.copies", where=tuple(map(str, copies)))))
    return 0


_ACTIONS: Final[dict[str, Callable[[argparse.Namespace, Words], int]]] = {
    "check": _check, "export": _export, "recover": _recover, "delete": _delete,
}


def _write(record: tuple[dict[str, object], ...], file: Path | None) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in record)
    if file is None:
        sys.stdout.write(text)
    elif record:
        file.write_text(text, encoding="utf-8")


def _folder() -> Path:
    from companion.session import config

    return config.load_config(None).folder


def _library() -> Any:
    from companion.games import registry
    from companion.interpret import Interpreter
    from companion.session.library import GameLibrary

    return GameLibrary(lookup=registry.game, interpreter=Interpreter)


def _progress(words: Words) -> Callable[[int, int], None]:
    """Says every tenth part on stderr, once it takes its time."""
    said, began_s = 0, time.monotonic()

    def progress(done: int, whole: int) -> None:
        nonlocal said
        tenth = 10 * done // whole if whole else 10
        if tenth > said and time.monotonic() - began_s > PATIENCE_S:
            said = tenth
            _say(phrase("journal.progress", percent=10 * tenth), words)

    return progress


def _say(what: Phrase, words: Words) -> None:
    print(words.say(what), file=sys.stderr, flush=True)
