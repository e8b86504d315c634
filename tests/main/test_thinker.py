from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any, cast

import pytest

from companion.bots import Level, RandomBot, Search, level
from companion.games import registry
from companion.main.bot_supervisor import Task, Thinker
from companion.table import COLOURS

LOWEST = 19
"""No process can have a lower priority than this niceness; the tests may run at it themselves."""


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    started = Thinker()
    yield started
    started.end()


def task(which: Level, id: str = "pick-and-pack") -> Task:
    game = registry.game(id)
    options = game.read_options({}, 2)
    state = game.start(game.deal(2, options, Random(1)), options, 2)
    return Task(id, COLOURS, game.view(state, game.turn(state).seats[0]), which, seed=1)


@pytest.mark.parametrize("name", ["random", "greedy", "quick"])
def test_a_process_of_low_priority_decides(thinker: Thinker, name: str) -> None:
    given = task(level(name))
    decision = thinker.decide(given)
    assert decision is not None
    assert decision.ply.player == given.seen.observer
    assert thinker.pid is not None
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, thinker.pid) >= min(own + 1, LOWEST)


def test_thinking_that_was_cancelled_gives_nothing_and_the_next_task_its_own_answer(thinker: Thinker) -> None:
    asked = iter([False])
    assert thinker.decide(task(Level("long", Search(), 60.0)), lambda: next(asked, True)) is None
    first = thinker.pid
    decision = thinker.decide(task(Level("any", RandomBot(), 1.0), "kamikaze-cans"))
    assert decision is not None
    assert decision.playouts == 0
    assert thinker.pid == first


def test_a_process_that_died_is_started_again(thinker: Thinker) -> None:
    assert thinker.decide(task(level("random"))) is not None
    first = thinker.pid
    assert first is not None
    os.kill(first, 9)
    assert thinker.decide(task(level("random"))) is not None
    assert thinker.pid not in (None, first)


class Broken:
    def choose(self, *_: object) -> None:
        os._exit(3)


def test_a_task_on_which_the_process_dies_twice_is_given_up(thinker: Thinker) -> None:
    assert thinker.decide(task(Level("broken", cast(Any, Broken())))) is None
    assert thinker.pid is None
    assert thinker.decide(task(level("random"))) is not None
