"""A journal of years opens and lists by reading what is shown, not what is there; how long that takes is measured by
`python -m tests.bench.journal.speed`."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.session import past
from companion.session.clock import FakeClock
from companion.session.journal import JOURNAL_NAME, open_journal
from companion.session.journal.schema import reader
from tests.bench.journal import speed
from tests.bench.journal.play import rules

pytestmark = [pytest.mark.long, pytest.mark.wide]


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("years")
    speed.write_many(folder)
    return folder


def test_a_page_of_the_list_reads_its_own_games_alone(years: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    whole = past._summary
    monkeypatch.setattr(past, "_summary", lambda connection, number: read.append(number) or whole(connection, number))
    games = speed.past_of(years)
    assert [each.number for each in games.listed(None, 30)] == list(range(speed.GAMES, speed.GAMES - 30, -1))
    assert read == list(range(speed.GAMES, speed.GAMES - 30, -1))
    games.listed(None, 30)
    assert read[30:] == [speed.GAMES], "only the last one may have changed"


def test_no_query_of_the_list_looks_through_the_whole_journal(years: Path) -> None:
    connection = reader(years / JOURNAL_NAME)
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    past._last(connection)
    past._summary(connection, speed.GAMES // 2)
    connection.set_trace_callback(None)
    plans = [detail.decode() for each in asked for *_, detail in connection.execute(f"EXPLAIN QUERY PLAN {each}")]
    connection.close()
    assert len(asked) >= 3
    assert plans
    assert not [plan for plan in plans if not plan.startswith("SEARCH")]


def test_opening_verifies_the_last_game_and_leaves_the_others_for_later(years: Path) -> None:
    resumed = open_journal(years, rules(), FakeClock())
    try:
        assert not resumed.notices
        assert resumed.state.matches == speed.GAMES
        assert resumed.journal.verifies, "all other games are verified while nothing happens"
        assert resumed.journal.verify(1) is None
    finally:
        resumed.journal.close()
