from __future__ import annotations

from random import Random
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

from companion.bots import Budget, level
from companion.games import registry
from companion.main.hints import Hinter
from companion.session.snapshot import Snapshot

GAME = registry.game("kamikaze-cans")
STATE = GAME.start({"colours": ["red", "green"], "first": 0}, GAME.read_options({}, 2), 2)
WAIT_S = 10.0


class FakeThinker:
    """Decides at random, when it is let."""

    def __init__(self) -> None:
        self.go, self.decided, self.ended = Event(), Event(), False
        self.tasks: list[Any] = []

    def decide(self, task: Any, cancelled: Any) -> Any:
        self.tasks.append(task)
        assert self.go.wait(WAIT_S)
        if cancelled():
            return None
        budget = Budget(time_s=0.0, clock_s=lambda: 0.0)
        return level("random").bot.choose(GAME, task.seen, Random(1), budget)

    def end(self) -> None:
        self.ended = True


def shown(seq: int) -> Snapshot:
    return SimpleNamespace(match=1, seq=seq, game=GAME.id, colours=GAME.colours, seen=GAME.view(STATE, 0))  # type: ignore


def test_a_hint_never_makes_the_pages_wait_and_is_told_once_it_is_there() -> None:
    thinker = FakeThinker()
    hinter = Hinter(lambda _: shown(3), thinker)  # type: ignore[arg-type]
    thread = Thread(target=hinter.run)
    thread.start()
    assert hinter.ask(0) is None
    thinker.go.set()
    told = None
    for _ in range(1000):
        told = told or hinter.ask(0)
        Event().wait(0.01 if told is None else 0.0)
    assert told is not None
    assert (told[0].id, thinker.tasks[0].game) == ("bots.consider", GAME.id)
    hinter.stop()
    thread.join(WAIT_S)
    assert thinker.ended


def test_what_was_thought_about_another_table_is_not_told() -> None:
    thinker, seq = FakeThinker(), [3]
    hinter = Hinter(lambda _: shown(seq[0]), thinker)  # type: ignore[arg-type]
    thread = Thread(target=hinter.run)
    thread.start()
    hinter.ask(0)
    while not thinker.tasks:
        Event().wait(0.01)
    seq[0] = 4
    thinker.go.set()
    assert hinter.ask(0) is None or len(thinker.tasks) == 2
    hinter.stop()
    thread.join(WAIT_S)
