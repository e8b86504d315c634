"""`python -m companion.box.rehearsal [--config FILE] [BACKUP]`: a version that is to be put in use reads the config,
and opens a copy of the journal. Nothing of the machine is touched; the exit code says whether a start would go well."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.errors import CompanionError
from companion.words import load


def main(arguments: Sequence[str]) -> int:
    """0 all went well, 2 not: why is on stderr."""
    parser = argparse.ArgumentParser(prog="companion.box.rehearsal")
    parser.add_argument("--config", type=Path)
    parser.add_argument("backup", type=Path, nargs="?")
    args = parser.parse_args(arguments)
    try:
        rehearse(args.config, args.backup)
    except CompanionError as error:
        sys.stderr.write(load().sentence(error.phrase) + "\n")
        return 2
    return 0


def rehearse(config_file: Path | None, backup: Path | None) -> None:
    """Raises `CompanionError` when a start would not go well."""
    from companion.games import registry
    from companion.interpret import Interpreter
    from companion.session import config
    from companion.session.backup import restoring
    from companion.session.clock import SystemClock
    from companion.session.journal import open_journal
    from companion.session.library import GameLibrary

    if config_file is not None and config_file.exists():
        config.load_config(config_file)
    if backup is None:
        return
    clock = SystemClock()
    with TemporaryDirectory(prefix="rehearsal-", dir=backup.parent) as given:
        folder = Path(given)
        restoring.stage_backup(backup, folder)
        restoring.put_in_place(folder, clock)
        resumed = open_journal(folder, GameLibrary(lookup=registry.game, interpreter=Interpreter), clock)
        resumed.journal.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
