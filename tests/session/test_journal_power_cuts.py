"""What was acknowledged is there after a power cut at any moment, whatever the card had taken."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from companion.session.clock import FakeClock
from companion.session.journal import Journal, open_journal
from companion.session.journal.anchor import ANCHOR_NAME
from tests.bench.journal.play import play, rules
from tests.session.cut_writes import STAGES, Files, cut_between, files_of, put

APPENDS, FOLDED_AFTER = 420, 15
"""So many lines, and after how many the log is carried over into the main file and begins anew, as at a rest."""


class Written:
    """A journal as it was between any two of its appends, and the lines that were acknowledged until then."""

    def __init__(self, folder: Path) -> None:
        resumed = open_journal(folder, rules(), FakeClock())
        self.moments: list[tuple[Files, int]] = []
        playing = play(resumed.journal, resumed.state, random.Random(1))
        for number in range(APPENDS):
            self._keep(folder, resumed.journal)
            next(playing)
            if number % FOLDED_AFTER == 0:
                self._keep(folder, resumed.journal)
                resumed.journal.checkpoint()
        self.hashes = list(resumed.journal.hashes())
        resumed.journal.close()

    def _keep(self, folder: Path, journal: Journal) -> None:
        self.moments.append((files_of(folder), len(list(journal.hashes()))))

    def cut(self, rng: random.Random) -> tuple[Files, int]:
        """The files after a cut at some moment, and how many lines had been acknowledged."""
        at = rng.randrange(1, len(self.moments) - 1)
        (before, number), (after, _) = self.moments[at], self.moments[at + 1]
        return cut_between(before, after, rng), number


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return Written(tmp_path_factory.mktemp("written"))


def found_in(folder: Path) -> tuple[list[tuple[int, bytes]], tuple[object, ...]]:
    resumed = open_journal(folder, rules(), FakeClock())
    try:
        found = list(resumed.journal.hashes())
        next(play(resumed.journal, resumed.state, random.Random(2)))  # and it goes on
        return found, resumed.notices
    finally:
        resumed.journal.close()


@pytest.mark.parametrize("cuts", [
    pytest.param(12, id="some"), pytest.param(300, id="many", marks=pytest.mark.long)])
def test_no_acknowledged_line_is_lost_by_a_power_cut(written: Written, tmp_path: Path, cuts: int) -> None:
    rng, ahead = random.Random(cuts), 0
    for number in range(cuts):
        files, acknowledged = written.cut(rng)
        folder = put(files, tmp_path / f"cut-{number}")
        found, notices = found_in(folder)
        assert found[:acknowledged] == written.hashes[:acknowledged], f"cut {number}"
        assert found == written.hashes[:len(found)], f"cut {number}: a line that was never written"
        assert not notices, f"cut {number}: {notices}"
        ahead += len(found) > acknowledged
        shutil.rmtree(folder)
    assert 0 < ahead < cuts, "cuts on both sides of what makes a line whole"


def test_every_file_is_cut_in_its_turn(written: Written) -> None:
    """The control: the games are long enough to meet all stages."""
    changed = {name for (before, _), (after, _) in zip(written.moments, written.moments[1:])
               for name in STAGES if before.get(name) != after.get(name)}
    assert changed == set(STAGES)


def test_a_log_that_was_not_waited_for_would_be_found(written: Written, tmp_path: Path) -> None:
    """The control: an acknowledged line whose log the disk never took is told, and is not there."""
    (old, _), (new, number) = written.moments[200], written.moments[201]
    folder = put({**old, ANCHOR_NAME: new[ANCHOR_NAME]}, tmp_path / "cut")
    found, notices = found_in(folder)
    assert found[:number] != written.hashes[:number]
    assert notices
