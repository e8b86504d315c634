"""How long answers take in two worlds that differ only in one seat's secret: time must tell nothing.

    python -m tests.bench.two_worlds [PROBES]      # some minutes; writes docs/reliability.md
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median

from tests.bench.page import ROOT, table, write_parts
from tests.web.secrets_of_games import COURSES, tell_something
from tests.web.two_worlds import Probe, World, Worlds, a_world

PAGE = ROOT / "docs" / "reliability.md"
PROBES, PLIES = 1000, 10
SHARE, LEAST_MS = 0.05, 0.2
"""Medians count as equal within this share, or within so many milliseconds."""

DEPLOY = {"player": 0, "action": {"type": "deploy", "coin": "royal", "at": [2, -3]}}
ASKED: Sequence[tuple[str, str, Probe]] = (
    ("a page", "room", ("GET", "/", None)),
    ("a page", "another seat", ("GET", "/", None)),
    ("corrections", "room", ("GET", "/correct", None)),
    ("corrections", "another seat", ("GET", "/correct", None)),
    ("a correction, refused", "host", ("POST", "/do", {"type": "correct", "take_back": 1, "plies": [DEPLOY]})),
    ("a covered coin, refused", "another seat", ("POST", "/do", {
        "type": "amend", "n": 2, "action": {"type": "pass", "coin": "royal"}})),
)


def medians_ms(both: Sequence[World], phone: str, probe: Probe, number: int) -> list[float]:
    """The median in each world; they are asked by turns, and each begins as often, so that both have the machine's
    moods."""
    took: list[list[float]] = [[], []]
    for n in range(number):
        for which in (0, 1) if n % 2 else (1, 0):
            began = time.perf_counter()
            both[which].ask(phone, probe)
            took[which].append(1000 * (time.perf_counter() - began))
    return [median(each) for each in took]


def rows(game: str, number: int) -> Iterator[tuple[str, ...]]:
    """A game some plies on, and what each question takes in both worlds."""
    rng = Random(f"{game} 1")
    course = COURSES[game](rng, PLIES)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        both = [stack.enter_context(a_world(Path(folder) / name)) for name in ("one", "other")]
        for world, header in zip(both, course.headers):
            world.begin(header)
        worlds, secrets = Worlds(both, course.owner), [Random(1), Random(2)]
        for _ in range(PLIES):
            worlds.play_on(course.game, rng)
            for world, secret in zip(both, secrets):
                tell_something(world, course.owner, secret)
        other = str((course.owner + 1) % course.players)
        for name, who, probe in ASKED:
            one, two = medians_ms(both, other if who == "another seat" else who, probe, number)
            equal = abs(one - two) <= max(LEAST_MS, SHARE * min(one, two))
            yield game, name, who, f"{one:.2f}", f"{two:.2f}", "yes" if equal else "**no**"


def main() -> None:
    """Measures and writes the table."""
    parser = argparse.ArgumentParser(description="Measures answers in two worlds, writes docs/reliability.md.")
    parser.add_argument("probes", type=int, nargs="?", default=PROBES, help="of each kind in each world (%(default)s)")
    number = parser.parse_args().probes
    measured = [row for game in COURSES for row in rows(game, number)]
    write_parts({"two worlds": "\n".join(_part(measured, number))}, PAGE)
    print(PAGE)


def _part(measured: Sequence[tuple[str, ...]], number: int) -> Iterator[str]:
    yield "## What time tells\n"
    yield "`python -m tests.bench.two_worlds`: two houses that differ only in what one seat knows and says; by turns"
    yield f"each is asked the same {number:,} times, by a phone that only watches (room), another seat or the host."
    yield f"Promised: medians that differ by at most {SHARE:.0%} or {LEAST_MS} ms. That answers are the same to"
    yield "the byte is a test (`tests/web/test_two_worlds.py`).\n"
    yield from table(("game", "what is asked", "by", "one, ms", "other, ms", "equal"), measured)


if __name__ == "__main__":
    main()
