"""The command `companion`: finds the command that was asked for and says its errors in words.

Each command is a module of this folder with two functions, and a line in `COMMANDS`:

    add(subparsers)               adds its parser, under its name
    run(args, words) -> int       does it and gives the exit code; heavy imports happen in here

A `CompanionError` that comes out of `run` is said on stderr, with exit code 2.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Any, Final

from companion.errors import CompanionError, phrase
from companion.words import Words

COMMANDS: Final = {
    "run": ("run", "start the companion"),
    "read": ("read", "read a picture set, a video or a kept game and write down what was played"),
    "evaluate": ("evaluate", "read picture sets and compare with what is known of them"),
    "draw": ("draw", "draw a picture set of a game, to try it without a camera"),
    "enrol": ("enrol", "learn how your pieces look"),
    "calibrate": ("calibrate", "measure your camera's lens from pictures of a sheet"),
    "blur": ("blur", "make people unrecognisable in a game that was kept"),
    "record": ("record", "check a game record, list what was legal, or show it in words"),
    "play": ("play", "play against bots in the terminal"),
    "analyse": ("analyse", "look at a finished game again: values, turning points, what was missed"),
    "selfplay": ("selfplay", "let a game play itself, at random or by bots, and write the record"),
    "journal": ("journal", "check the journal of all games, export records, save what can be read of a damaged one"),
    "backup": ("backup", "keep all games, pieces and settings in one file"),
    "restore": ("restore", "put a backup in the place of what is there"),
    "update": ("update", "put a newer version in place of the one that is installed"),
    "wiring": ("wiring", "show which button and lamp goes to which pin"),
    "doctor": ("doctor", "look for what is missing on this machine"),
    "print": ("print_cards", "make a PDF of things to print and cut out"),
}
"""Name → module and what it does, in the order of the help."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; gives the exit code (0 done, 1 it says no, 2 it could not be done)."""
    given = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a strange file name must not stop a message about it
            stream.reconfigure(errors="backslashreplace")
    args = arguments_of(given)
    words = _words()
    try:
        return int(_module(args.command).run(args, words))
    except CompanionError as error:
        print(words.sentence(error.phrase), file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader (head, less) has seen enough
        sys.stderr.close()
        return 0
    except OSError as error:
        if error.filename is None:
            raise
        sentence = phrase("cli.unopened", where=str(error.filename), given=error.strerror or str(error))
        print(words.sentence(sentence), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def arguments_of(given: Sequence[str]) -> argparse.Namespace:
    """A command line, parsed."""
    return _parser(given).parse_args(given)


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of all commands. Only the command that was asked for is imported and declares its arguments."""
    parser = argparse.ArgumentParser(
        prog="companion",
        description="Watches the board game on your table, keeps its score and shows whose turn it is.",
        epilog="More about a command: companion COMMAND --help",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", title="commands")
    asked = next((each for each in given if not each.startswith("-")), None)
    for name, (_, help) in COMMANDS.items():
        if name == asked:
            _module(name).add(commands)
        else:
            commands.add_parser(name, help=help)
    return parser


def _module(command: str) -> Any:
    return import_module(f"companion.cli.{COMMANDS[command][0]}")


def _words() -> Words:
    from companion.games import registry
    from companion.words import load

    return load("en", [registry.game(id).words for id in registry.ids()])


if __name__ == "__main__":
    sys.exit(main())
