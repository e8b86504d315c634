"""`companion backup FILE` and `companion restore FILE`: all games and settings in one zip, and back again."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion.errors import phrase
from companion.session import config
from companion.words import Words


def add(subparsers: Any) -> None:
    """Adds `backup`."""
    parser = subparsers.add_parser(
        "backup",
        help="keep all games, pieces and settings in one file",
        description="Writes all games, piece sets and settings into one zip, also while the companion runs. Who sits "
        "where, the PIN and the certificate's key are not in it.",
        epilog="Exit code: 0 done; 2 it could not be done, and nothing was written.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the zip to write; it must not be there yet")
    add_where(parser)


def add_where(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say which state folder is meant."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="your config file (TOML)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="the state folder (without: the one of your config)")


def state_folder(args: argparse.Namespace) -> Path:
    """The state folder that is meant. Raises `ConfigError`."""
    return args.state or config.load_config(args.config).folder


def run(args: argparse.Namespace, words: Words) -> int:
    """Makes a backup."""
    from companion.session.backup.making import make_backup
    from companion.session.backup.told import count_told
    from companion.session.clock import SystemClock

    manifest = make_backup(state_folder(args), args.file, SystemClock())
    print(words.say(phrase("backup.made", where=str(args.file), count=count_told(manifest))))
    return 0
