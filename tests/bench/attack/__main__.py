"""Attacks a service that runs, and writes what came of it into docs/reliability.md: `python -m tests.bench.attack`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Final

from tests.bench.attack import bodies, headers, secrets, strangers
from tests.bench.attack.table import Attempt, Table, table
from tests.bench.page import ROOT, write_parts

ROOMS: Final[Mapping[str, Mapping[str, Attempt]]] = {
    "bodies": bodies.ATTEMPTS, "headers": headers.ATTEMPTS,
    "strangers": strangers.ATTEMPTS, "secrets": secrets.ATTEMPTS,
}


def main(wanted: list[str]) -> None:
    found: dict[str, str | None] = {}
    for room, attempts in ROOMS.items():
        if not wanted or room in wanted:
            with table() as attacked:
                for name, attempt in attempts.items():
                    found[name] = _tried(attempt, attacked)
                    print(f"{'held' if found[name] is None else 'OPEN'}  {name}  {found[name] or ''}", file=sys.stderr)
    if not wanted:
        write_parts({"hostile": "\n".join(report(found))}, ROOT / "docs" / "reliability.md")
    raise SystemExit(any(found.values()))


def _tried(attempt: Attempt, attacked: Table) -> str | None:
    """What got through. An attempt that could not be made is told as well: it shows nothing."""
    try:
        return attempt(attacked)
    except (AssertionError, OSError, LookupError, TypeError, ValueError) as error:
        return f"could not be tried: {type(error).__name__} {error}"


def report(found: Mapping[str, str | None]) -> Iterator[str]:
    """The part of docs/reliability.md."""
    yield "## A hostile guest\n"
    yield "`make attack`: a guest on the same network tries what is listed against a service with an open game, and"
    yield "after each attempt somebody who sits plays on. Exhaustion and hangs: *The door* and *Stops and hangs*.\n"
    open_ones = {name: said for name, said in found.items() if said}
    yield f"{len(found)} attempts, {len(open_ones)} open.\n"
    for name, said in found.items():
        yield f"- {name}" + (f": **open**, {said}" if said else "")


if __name__ == "__main__":
    main(sys.argv[1:])
