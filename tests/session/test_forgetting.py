"""A game is deleted while another is played: what is played goes on as if nothing had been."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from companion.errors import InvalidError, JournalError, Phrase, phrase
from companion.interpret import Ambiguous
from companion.session.clock import FakeClock
from companion.session.commands import StartGame
from companion.session.forgetting import ForgetGame
from companion.session.journal import ResumedJournal, open_journal
from companion.session.past import PastGames
from companion.session.port import Accepted, Refused
from companion.session.session import Session
from companion.session.writer import Writer
from tests.session.tables import HEADER, choice, library, place, seen

REOPEN = partial(open_journal, library=library(), clock=FakeClock())
A, ELSEWHERE = place(0, "tall_can", "c4"), place(0, "tall_can", "a1")


@dataclass
class House:
    """A writer whose thread a test plays by hand, and the games in its journal."""

    writer: Writer
    past: PastGames

    def forget(self, asked: ForgetGame) -> Accepted | Refused:
        return self.writer._answer(asked)  # the thread's own step

    def start(self) -> None:
        assert isinstance(self.writer._answer(StartGame(self.writer.snapshot().seq, "host", HEADER)), Accepted)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Two games were played, a third one is, and a question is open in it."""
    resumed = REOPEN(tmp_path)
    writer = Writer(session=Session(library=library(), clock=FakeClock()), journal=resumed.journal,
                    state=resumed.state, clock=FakeClock())
    made = House(writer, PastGames(
        lambda: tmp_path, library(), lambda folder, number: made.forget(ForgetGame(folder, number, REOPEN))))
    for _ in range(3):
        made.start()
    writer._answer(seen(Ambiguous((choice(A), choice(ELSEWHERE)))))
    yield made
    writer.close()


def test_a_game_is_gone_and_the_one_that_is_played_goes_on(house: House) -> None:
    assert [each.number for each in house.past.listed(None, 9)] == [3, 2, 1]
    before = house.writer.snapshot()
    assert before.question is not None
    assert house.past.delete(2) == (phrase("journal.deleted", game=2),)
    assert house.writer.snapshot() == replace(before, version=house.writer.snapshot().version)
    assert [each.number for each in house.past.listed(None, 9)] == [3, 1]
    with pytest.raises(InvalidError):
        house.past.opened(2)
    house.start()
    assert [each.number for each in house.past.listed(None, 9)] == [4, 3, 1]


@pytest.mark.parametrize(("number", "told"), [(3, "journal.last_game"), (4, "journal.no_game"), (0, "journal.no_game")])
def test_what_cannot_be_deleted_is_told_and_the_game_goes_on(house: House, number: int, told: str) -> None:
    with pytest.raises(InvalidError) as refused:
        house.past.delete(number)
    assert refused.value.phrase.id == told
    house.start()
    assert [each.number for each in house.past.listed(None, 9)] == [4, 3, 2, 1]


def test_copies_that_were_put_aside_are_told(house: House, tmp_path: Path) -> None:
    (tmp_path / "journal-2026.sqlite").write_bytes(b"")
    told = house.past.delete(1)
    assert [each.id for each in told] == ["journal.deleted", "journal.deleted.copies"]


def test_another_table_keeps_its_games(house: House, tmp_path: Path) -> None:
    answer = house.forget(ForgetGame(tmp_path / "other", 1, REOPEN))
    assert isinstance(answer, Refused)
    assert answer.phrase.id == "session.stale"
    assert len(house.past.listed(None, 9)) == 3


def test_a_journal_that_cannot_be_opened_again_ends_the_writer(house: House, tmp_path: Path) -> None:
    def fails(_folder: Path) -> ResumedJournal:
        raise JournalError(Phrase("journal.unwritable"))

    with pytest.raises(SystemExit):
        house.forget(ForgetGame(tmp_path, 1, fails))
