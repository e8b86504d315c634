"""`companion update`: another version in place of the one in use, with a way back."""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.words import Words


def add(subparsers: Any) -> None:
    """Adds `update`."""
    parser = subparsers.add_parser(
        "update",
        help="put a newer version in place of the one that is installed",
        description="Makes a backup and a new version beside the old one, rehearses its start on a copy, puts it in "
        "use, and goes back by itself if it does not start well. Without --from it comes from where "
        "/etc/companion/update.toml says.",
        epilog="Exit code: 0 done, or asked for; 1 the old version is in use.",
    )
    parser.add_argument(
        "--from", dest="given", metavar="WHAT", help="a wheel (among those of its libraries it needs no network), a "
        "working folder or git+ADDRESS@TAG")
    parser.add_argument("--back", action="store_true", help="put the version before in use again")


def run(args: argparse.Namespace, words: Words) -> int:
    """As root at once; the service's user, and nobody else, leaves the wish for root."""
    from companion.box.layout import Places
    from companion.box.updater import alone, named, source_of, updating_of
    from companion.box.wish import leave_wish, read_told
    from companion.errors import InvalidError, phrase

    layout = Places()
    if os.geteuid() != 0:
        if args.given or not os.access(layout.state, os.W_OK):
            raise InvalidError(phrase("box.not_root"))
        leave_wish(layout.state, "back" if args.back else "update")
        print(words.say(phrase("box.wished")))
        return 0
    updating = updating_of(layout)
    with alone(layout), ExitStack() as kept:
        if args.back:
            said = updating.back()
        else:
            sources: Path = layout.sources
            said = updating.update(named(args.given, kept) if args.given else lambda: source_of(sources, kept))
    print(words.say(said))
    return 0 if read_told(layout.told).is_ == "done" else 1
