"""Damages journals by seeds, opens them, and compares what is there with what was acknowledged.

    python -m tests.bench.journal.damage [NUMBER]      # 400 damages, about a minute; docs/reliability.md

Two journals are damaged: one that was closed, all in its main file, and one whose service was killed, its last games in
the WAL. The anchor stays as it is: it and the journal are not damaged together.
"""

from __future__ import annotations

import logging
import random
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.session.clock import FakeClock
from companion.session.journal import JOURNAL_NAME, Journal, open_journal
from companion.session.journal.schema import DamagedError
from tests.bench.journal.play import play, rules
from tests.bench.page import ROOT, share, table, write_parts

PAGE = ROOT / "docs" / "reliability.md"
DAMAGES = 400
LINES = 400

Written = Mapping[tuple[int, int], Any]
"""What was acknowledged: game and number in the game → the event."""


@dataclass(frozen=True)
class Journals:
    """Two folders with journals, and what was acknowledged to be in each."""

    folders: Mapping[str, Path]
    written: Mapping[str, Written]


@dataclass(frozen=True)
class Outcome:
    """What became of a damaged journal. `wrong`: lines that were shown and never written so; `lost`: written and not
    shown so; `saved`, `still_wrong`: the same at the next opening, which salvages what the background found."""

    seed: int
    file: str
    kind: str
    starts: bool
    told: bool
    wrong: int = 0
    lost: int = 0
    saved: int = 0
    whole: int = 0
    still_wrong: int = 0
    again: bool = False
    """Whether the salvaged journal, opened once more, has anything new to tell."""

    @property
    def silent(self) -> bool:
        """An acknowledged line is lost or altered, and nobody is told."""
        return self.starts and not self.told and (self.wrong + self.lost > 0)


def journals(folder: Path, seed: int = 1, lines: int = LINES) -> Journals:
    """A closed journal and one of a killed service."""
    source, rng = folder / "written", random.Random(seed)
    resumed = open_journal(source, rules(), FakeClock())
    written: dict[str, Written] = {}
    for number, _ in enumerate(play(resumed.journal, resumed.state, rng), 1):
        if number == lines // 2:
            resumed.journal.checkpoint()
        if number == lines:
            break
    written["killed"] = written["closed"] = contents(resumed.journal)
    shutil.copytree(source, folder / "killed")
    resumed.journal.close()
    source.rename(folder / "closed")
    return Journals({name: folder / name for name in written}, written)


def contents(journal: Journal) -> Written:
    """Every event that the journal shows. A game that cannot be read shows what stands before its damage."""
    found: dict[tuple[int, int], Any] = {}
    for game in range(journal.tip.game + 1):
        try:
            for n, event in enumerate(journal.objects(game), 1):
                found[game, n] = event
        except (ValueError, LookupError, TypeError, sqlite3.Error, DamagedError):
            continue
    return found


# --- damages ----------------------------------------------------------------------------------------------------------


def _cut(bytes_: bytes, rng: random.Random) -> bytes:
    return bytes_[: rng.randrange(len(bytes_))]


def _flip(bytes_: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(bytes_))
    return bytes_[:at] + bytes([bytes_[at] ^ 1 << rng.randrange(8)]) + bytes_[at + 1 :]


def _rubbish(bytes_: bytes, rng: random.Random) -> bytes:
    size = min(len(bytes_), rng.choice((1, 16, 512, 4096, 20_000)))
    at = rng.randrange(len(bytes_) - size + 1)
    return bytes_[:at] + rng.randbytes(size) + bytes_[at + size :]


def _zeros(bytes_: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(bytes_)) // 4096 * 4096
    return bytes_[:at] + bytes(min(4096, len(bytes_) - at)) + bytes_[at + 4096 :]


KINDS: Mapping[str, Callable[[bytes, random.Random], bytes | None]] = {
    "one bit flipped": _flip,
    "cut": _cut,
    "rubbish": _rubbish,
    "a page of zeros": _zeros,
    "emptied": lambda _bytes, _rng: b"",
    "removed": lambda _bytes, _rng: None,
}
WEIGHTS = (10, 4, 4, 2, 1, 1)


def damaged(made: Journals, folder: Path, seed: int) -> Outcome:
    """Damages a copy of one of the journals, opens it, and says what became of it."""
    rng = random.Random(seed)
    name = rng.choice(("closed", "killed", "killed"))
    file = JOURNAL_NAME if name == "closed" or rng.random() < 0.5 else f"{JOURNAL_NAME}-wal"
    kind = rng.choices(list(KINDS), WEIGHTS)[0]
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(made.folders[name], folder)
    path = folder / file
    bytes_ = KINDS[kind](path.read_bytes(), rng)
    if bytes_ is None:
        path.unlink()
    else:
        path.write_bytes(bytes_)
    return outcome(seed, file, kind, folder, made.written[name])


def outcome(seed: int, file: str, kind: str, folder: Path, written: Written) -> Outcome:
    try:
        first, told = _opened(folder, write=False)
        second, told_then = _opened(folder, write=not told)
        again = _opened(folder, write=True)[1]
    except Exception:
        logging.getLogger(__name__).exception("seed %d does not start", seed)
        return Outcome(seed, file, kind, starts=False, told=False)
    return Outcome(
        seed, file, kind, True, told,
        wrong=_wrong(first, written), lost=len(written) - _right(first, written),
        saved=_right(second, written), whole=len(written),
        still_wrong=_wrong(second, written), again=again or (told_then and not told),
    )


def _right(found: Written, written: Written) -> int:
    return sum(written.get(key) == event for key, event in found.items())


def _wrong(found: Written, written: Written) -> int:
    """Lines that were never written so. Names that cannot be read are missing, and not wrong."""
    return sum(written.get(key) != event and _nameless(written.get(key)) != event for key, event in found.items())


def _nameless(event: Any) -> Any:
    if event is None or "header" not in event:
        return event
    players = [{"name": "ABCDEFGH"[seat]} for seat, _ in enumerate(event["header"]["players"])]
    return {**event, "header": {**event["header"], "players": players}}


def _opened(folder: Path, write: bool) -> tuple[Written, bool]:
    """Opens the journal and lets it verify everything; what it shows, and whether it has something new to tell."""
    resumed = open_journal(folder, rules(), FakeClock())
    try:
        while resumed.journal.verifies:
            resumed.journal.verify(1000)
        told, found = bool(resumed.notices), contents(resumed.journal)
        if write:
            next(play(resumed.journal, resumed.state, random.Random(0)))
        resumed.journal.notices.read()
        return found, told
    finally:
        resumed.journal.close()


# --- the page ---------------------------------------------------------------------------------------------------------


def measure(number: int, first_seed: int = 1) -> Iterator[Outcome]:
    """So many damages, by seeds."""
    with tempfile.TemporaryDirectory() as place:
        made = journals(Path(place))
        for seed in range(first_seed, first_seed + number):
            yield damaged(made, Path(place) / "damaged", seed)


def page(outcomes: list[Outcome]) -> Iterator[str]:
    yield "## Damaged journals"
    yield ""
    number = len(outcomes)
    yield (f"`python -m tests.bench.journal.damage {number}`: seeds 1 to {number}, each a copy of a journal of {LINES} "
           "lines in 28 games, damaged by chance in one place of one file, then opened. *Silent*: an "
           "acknowledged line is lost or altered and no notice says so. *Not needed*: nothing was told and nothing "
           "is missing (a flip in a byte that nobody reads, a log that is already in the main file). *Lines*: those "
           "that are there, as they were, once the companion has been started again.")
    yield ""
    rows = []
    groups = Counter((each.file, each.kind) for each in outcomes)
    for file, kind in sorted(groups):
        rows.append(_row(f"{file}: {kind}", [each for each in outcomes if (each.file, each.kind) == (file, kind)]))
    rows.append(_row("**all**", outcomes))
    yield from table(("damage", "journals", "do not start", "silent", "told", "not needed", "lines"), rows)


def _row(title: str, outcomes: list[Outcome]) -> tuple[str, ...]:
    told = sum(each.told for each in outcomes)
    silent = sum(each.silent for each in outcomes)
    dead = sum(not each.starts for each in outcomes)
    lines = share(sum(each.saved for each in outcomes), sum(each.whole for each in outcomes))
    return (title, *map(str, (len(outcomes), dead, silent, told, len(outcomes) - told - silent - dead)), lines)


def main(number: int = DAMAGES) -> int:
    logging.disable(logging.CRITICAL)
    outcomes = list(measure(number))
    write_parts({"damage": "\n".join(page(outcomes))}, PAGE)
    bad = [each for each in outcomes if each.silent or not each.starts or each.still_wrong or each.again]
    for each in bad:
        print(each)
    print(*page(outcomes), sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
