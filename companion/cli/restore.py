"""`companion restore FILE`: puts a backup in the place of what is there, which is put aside."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.cli.backup import add_where, state_folder
from companion.errors import InvalidError, JournalError, phrase
from companion.words import Words


def add(subparsers: Any) -> None:
    """Adds `restore`."""
    parser = subparsers.add_parser(
        "restore",
        help="put a backup in the place of what is there",
        description="Puts all that a backup holds into the state folder. What was there before is put aside, with the "
        "time in its name; what the backup does not hold stays.",
        epilog="Exit code: 0 done; 2 it could not be done, and nothing was changed.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the zip that companion backup, or the page, has made")
    parser.add_argument("--look", action="store_true", help="only say what is in it, and whether it is whole")
    add_where(parser)


def run(args: argparse.Namespace, words: Words) -> int:
    """Restores, or only looks. Raises `InvalidError` or `JournalError`, and then nothing has changed."""
    from companion.session.backup import restoring
    from companion.session.backup.told import manifest_told, restored_told, table_told
    from companion.session.clock import SystemClock

    folder = state_folder(args)
    try:
        with restoring.locked_tables(folder):  # a companion that runs is told of before minutes are spent
            pass
        restoring.resume_restore(folder)
        manifest = restoring.stage_backup(args.file, folder)
        print(words.say(manifest_told(manifest)))
        for table in manifest.tables:
            print("  " + words.say(table_told(table)))
        if args.look:
            restoring.drop_staged(folder)
            print(words.say(phrase("backup.looked")))
            return 0
        kept = restoring.put_in_place(folder, SystemClock())
    except JournalError as error:
        if error.phrase.id == "journal.in_use":
            raise InvalidError(phrase("backup.in_use")) from error
        raise
    print(words.say(restored_told(kept)))
    return 0
