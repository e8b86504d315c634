"""Journals for tests: opened, written and closed again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.session.clock import FakeClock
from companion.session.journal import ResumedJournal, open_journal
from tests.bench.journal.play import play
from tests.session.tables import library


@dataclass
class OpenJournal:
    """An open journal, and what a person would see of it."""

    resumed: ResumedJournal

    @property
    def notices(self) -> list[str]:
        return [each.id for each in self.resumed.notices]

    @property
    def journal(self) -> Any:
        return self.resumed.journal

    def verify(self) -> None:
        while self.journal.verifies:
            self.journal.verify(1)

    def play(self, lines: int, seed: int = 1) -> None:
        for _, now in zip(range(lines), play(self.journal, self.resumed.state, random.Random(seed))):
            self.resumed = replace(self.resumed, state=now)

    def contents(self) -> dict[int, list[Any]]:
        return {game: list(self.journal.objects(game)) for game in range(self.journal.tip.game + 1)}


@contextmanager
def opened(folder: Path, clock: FakeClock | None = None) -> Iterator[OpenJournal]:
    """Opens the journal of a folder, and closes it."""
    journal = OpenJournal(open_journal(folder, library(), clock or FakeClock()))
    try:
        yield journal
    finally:
        journal.journal.close()


def written(folder: Path, lines: int = 60) -> dict[int, list[Any]]:
    """Writes a journal of some games and closes it; what stands in it."""
    with opened(folder) as journal:
        journal.play(lines)
        return journal.contents()
