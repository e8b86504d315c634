"""A bot at the table of a real session: it decides, somebody carries it out, until the game is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.bots import Budget, level
from companion.engine import Over
from companion.games import registry
from companion.main.bot_players import BotPlayers
from companion.session.clock import FakeClock
from companion.session.commands import Carried, StartGame
from companion.session.journal import open_journal
from companion.session.session import Session
from companion.session.writer import Writer
from tests.session.tables import HEADER, library

GAME = registry.game("kamikaze-cans")


class QuickThinker:
    """Decides at random and at once, unless what it thinks about is gone; keeps the levels that it was asked for."""

    def __init__(self) -> None:
        self.levels: list[str] = []
        self.ended = False

    def decide(self, task: Any, cancelled: Any) -> Any:
        self.levels.append(task.level.name)
        if cancelled():
            return None
        budget = Budget(time_s=0.0, clock_s=lambda: 0.0)
        return level("random").bot.choose(GAME, task.seen, Random(task.seed), budget)

    def end(self) -> None:
        self.ended = True


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    clock = FakeClock()
    resumed = open_journal(tmp_path, library(), clock)
    session = Session(library=library(), clock=clock)
    made = Writer(session=session, journal=resumed.journal, state=resumed.state, clock=clock)
    yield made
    made.close()


def begun(writer: Writer, **bots: str) -> BotPlayers:
    writer.post(StartGame(0, "host", {**HEADER, "x-bots": {each[1:]: name for each, name in bots.items()}}))
    writer.work(0)
    return BotPlayers(writer, QuickThinker())  # type: ignore[arg-type]


def test_bots_play_a_whole_game_that_people_carry_out(writer: Writer) -> None:
    players = begun(writer, s0="greedy", s1="nobody knows this level")
    for _ in range(200):
        players.think()
        if not writer.work(0):
            break
        shown = writer.snapshot()
        assert shown.carry is not None
        assert shown.seen is not None
        assert shown.carry.seat in shown.seen.turn.seats
        players.think()
        assert not writer.work(0), "it has decided and thinks no more"
        writer.post(Carried(shown.seq, "host"))
        writer.work(0)
    seen = writer.snapshot().seen
    assert seen is not None
    assert isinstance(seen.turn, Over)
    thinker: Any = players._thinker
    assert set(thinker.levels) == {"greedy", "quick"}


def test_nobody_thinks_for_people(writer: Writer) -> None:
    players = begun(writer, s1="quick")
    players.think()
    assert not writer.work(0)


def test_a_bot_that_is_stopped_says_nothing_more(writer: Writer) -> None:
    players = begun(writer, s0="quick")
    players.stop()
    players.think()
    assert not writer.work(0)


def test_the_process_ends_with_the_session(writer: Writer) -> None:
    players = begun(writer, s0="quick")
    writer.stop()
    writer.run()
    players.run()
    thinker: Any = players._thinker
    assert thinker.ended
