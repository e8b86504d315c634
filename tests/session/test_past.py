"""Past games: listed, opened as they stood last, with nothing told that a game hides."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.errors import InvalidError
from companion.games import registry
from companion.interpret import Interpreter
from companion.session.clock import FakeClock
from companion.session.commands import Correct, EndGame, Reopen, StartGame, Undo
from companion.session.exports import record_lines
from companion.session.journal import JOURNAL_NAME, open_journal
from companion.session.library import GameLibrary
from companion.session.past import PastGames
from companion.session.port import Accepted
from companion.session.score_sheet import score_sheet
from companion.session.session import Session
from companion.session.state import State
from companion.words import load

LIBRARY = GameLibrary(registry.game, Interpreter)
CANS: dict[str, Any] = {"game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "=Ben"}],
        "setup": {"colours": ["red", "green"], "first": 0}}
WORDS = load("en", [registry.game("kamikaze-cans").words])


class Evening:
    """A journal that is open, with games played in it."""

    def __init__(self, folder: Path) -> None:
        resumed = open_journal(folder, LIBRARY, FakeClock())
        self.journal, self.state = resumed.journal, resumed.state
        self.session = Session(library=LIBRARY, clock=FakeClock())
        self.past = PastGames(lambda: folder, LIBRARY, lambda _folder, _number: Accepted(0))

    def do(self, kind: type, *args: object, by: object = "host") -> State:
        then = self.session.handle(self.state, kind(self.state.seq, by, *args))
        self.journal.append(then.events, then.state)
        self.state = then.state
        return then.state

    def play(self, drink: str, to: str) -> None:
        assert self.state.match is not None
        ply = {"player": len(self.state.match.made) % 2, "action": {"type": "place", "drink": drink, "to": to}}
        self.do(Correct, 0, (ply,))


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Evening]:
    """No game yet."""
    evening = Evening(tmp_path)
    yield evening
    evening.journal.close()


@pytest.fixture
def evening(begun: Evening) -> Evening:
    """A game that was ended as it stood, and one that is being played."""
    begun.do(StartGame, CANS)
    begun.play("red/stub_can", "c4")
    begun.play("green/stub_can", "a1")
    begun.do(EndGame)
    begun.do(StartGame, CANS)
    begun.play("red/stub_can", "c4")
    return begun


def test_games_are_listed_the_newest_first(evening: Evening) -> None:
    second, first = evening.past.listed(None, 10)
    assert (second.number, second.plies, second.winners, second.scores) == (2, 1, None, None)
    assert (first.number, first.plies, first.winners, first.reason) == (1, 2, (), "abandoned")
    assert (first.game, first.players, first.started) == ("kamikaze-cans", ("Ann", "=Ben"), FakeClock().now())
    assert first.scores == registry.game("kamikaze-cans").scores(evening.past.opened(1).match.state)


def test_a_list_goes_on_where_the_last_one_ended(evening: Evening) -> None:
    assert [each.number for each in evening.past.listed(None, 1)] == [2]
    assert [each.number for each in evening.past.listed(2, 1)] == [1]
    assert evening.past.listed(1, 1) == ()


def test_what_is_added_to_the_last_game_is_seen(evening: Evening) -> None:
    assert evening.past.listed(None, 1)[0].plies == 1
    evening.play("green/tall_can", "f6")
    assert evening.past.listed(None, 1)[0].plies == 2
    evening.do(Undo)
    evening.do(EndGame)
    assert evening.past.listed(None, 1)[0].reason == "abandoned"
    evening.do(Reopen)
    assert (evening.past.listed(None, 1)[0].plies, evening.past.listed(None, 1)[0].winners) == (1, None)


def test_a_game_is_opened_as_it_stood_last(evening: Evening) -> None:
    match = evening.past.opened(1).match
    assert match is not None
    assert [made.ply.action.to for made in match.made] == ["c4", "a1"]
    assert match.abandoned


@pytest.mark.parametrize("number", [-1, 0, 3, 10**12])
def test_a_game_that_is_not_there_is_refused(evening: Evening, number: int) -> None:
    with pytest.raises(InvalidError):
        evening.past.opened(number)


def test_without_a_journal_there_are_no_games(tmp_path: Path) -> None:
    past = PastGames(lambda: tmp_path / "nowhere", LIBRARY, lambda _folder, _number: Accepted(0))
    assert past.listed(None, 10) == ()
    with pytest.raises(InvalidError):
        past.opened(1)


def test_a_game_that_cannot_be_read_is_left_out(evening: Evening, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / JOURNAL_NAME)) as connection:
        connection.executescript("DROP TRIGGER line_stays; UPDATE line SET event = '{' WHERE id >> 24 = 1;")
    assert [each.number for each in evening.past.listed(None, 10)] == [2]
    with pytest.raises(InvalidError):
        evening.past.opened(1)


def test_the_scores_by_ply_are_a_table(evening: Evening) -> None:
    match = evening.past.opened(1).match
    assert match is not None
    rows = list(csv.reader(StringIO(score_sheet(match, WORDS.say, ("Move", "Player", "What")))))
    assert rows == [
        ["Move", "Player", "What", "Ann", "'=Ben"], ["0", "", "", "-7", "-7"],
        ["1", "Ann", "red stub can to c4", "1", "-7"], ["2", "'=Ben", "green stub can to a1", "1", "1"],
    ]


def test_what_a_game_hides_stays_hidden_when_people_end_it(begun: Evening) -> None:
    game = registry.game("yuzu-twist")
    setup = game.deal(2, game.read_options({"blind": True}, 2), Random(1))
    begun.do(StartGame, {"game": game.id, "players": CANS["players"], "setup": setup, "options": {"blind": True}})
    begun.do(EndGame)
    (header, _) = record_lines(begun.past.opened(1))
    assert header["setup"]["colours"] != setup["colours"]
