from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from companion.engine import Chance, Over, Seen, ToMove
from companion.errors import phrase
from companion.session.config import LampConfig
from companion.session.port import ClosedError
from companion.session.snapshot import EyesShown, PlayerShown, QuestionShown, Snapshot, UndoShown, Unheeded
from hardware.board import Board
from hardware.driver import IDLE_S, Driver, Manners
from hardware.lamps import LampState, Mood, lamp_state
from tests.hardware.hardware_mocks import TWO_SEATS, Clock

ASK = phrase("ask")


PLAYERS = (PlayerShown(0, "Ann"), PlayerShown(1, "Ben"))
FIRST = ToMove((0,), ASK)


def shown(turn: Any = FIRST, **more: Any) -> Snapshot:
    """A table of two players on which everything is well, except what is given."""
    seen = Seen("kamikaze-cans", "room", turn, (0, 0), {}, None)
    plain = Snapshot(
        seq=1, version=1, observer="room", game="kamikaze-cans", match=1, players=PLAYERS, seen=seen, layout=None,
        plies=0, last=(), question=None, odd=(), differences=(), undo=None, can_undo=False, paused=False,
        eyes=EyesShown("free"),
    )  # fmt: skip
    return replace(plain, **more)


QUESTION = QuestionShown(1, (), (1,))


@pytest.mark.parametrize(
    ("snapshot", "mood", "asked"),
    [
        (shown(), "playing", {0}),
        (shown(ToMove((0, 1), ASK)), "playing", {0, 1}),
        (shown(Chance(ASK)), "playing", set()),
        (shown(Over((1,), "points")), "over", {1}),
        (shown(can_reopen=True), "over", set()),
        (shown(can_reopen=True, odd=(phrase("odd"),)), "over", set()),
        (shown(seen=None), "idle", set()),
        (shown(paused=True), "paused", {0, 1}),
        (shown(paused=True, question=QUESTION), "paused", {0, 1}),
        (shown(Over((1,), "points"), paused=True), "over", {1}),
        (shown(question=replace(QUESTION, pointed=0)), "taken", {1}),
        (shown(question=QUESTION), "question", {1}),
        (shown(undo=UndoShown(0, 1, (1,))), "question", {1}),
        (shown(odd=(phrase("odd"),)), "impossible", {0, 1}),
        (shown(odd=(phrase("odd"),), question=QUESTION), "question", {1}),
        (shown(eyes=EyesShown("moving")), "reading", {0}),
        (shown(eyes=EyesShown("starting")), "reading", {0}),
        (shown(eyes=EyesShown("hand")), "playing", {0}),
        (shown(eyes=EyesShown("none")), "playing", {0}),
        (shown(eyes=EyesShown("gone")), "blind", {0}),
        (shown(eyes=EyesShown("cards")), "blind", {0}),
    ],
)
def test_lamps_are_told_what_the_table_is_like(snapshot: Snapshot, mood: Mood, asked: set[int]) -> None:
    assert lamp_state(snapshot, 2) == LampState(mood, 2, frozenset(asked))


def test_lamps_are_told_whose_press_changed_nothing_and_which_choice_is_shown() -> None:
    assert lamp_state(shown(unheeded=Unheeded(1, phrase("why"))), 2).unheeded == 1
    assert lamp_state(shown(question=replace(QUESTION, pointed=2)), 2).choice == 2


class Story:
    """A desk and its listener: gives one snapshot after the other, then closes. None: nothing happened."""

    def __init__(self, clock: Clock, board: Board, snapshots: list[Snapshot | None]) -> None:
        self._clock, self._board, self._left = clock, board, snapshots
        self.levels: list[list[float]] = []
        self.waits_s: list[float] = []
        self.closed = False

    def listen(self, observer: str) -> Story:
        assert observer == "room", "lamps may show what everybody may know, and no more"
        return self

    def get(self, timeout_s: float) -> Snapshot | None:
        self.levels.append([lamp.pin.state for lamp in self._board.lamps])
        self.waits_s.append(timeout_s)
        self._clock.sleep(timeout_s)
        if not self._left:
            raise ClosedError
        return self._left.pop(0)

    def close(self) -> None:
        self.closed = True


def test_lamps_follow_the_game_and_go_dark_when_it_stops(
    factory: MockFactory, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    board = Board(TWO_SEATS, lambda press: None, factory, clock=clock)
    pins = [lamp.pin for lamp in board.lamps]
    story = Story(clock, board, [shown(), None, shown(ToMove((1,), ASK)), None, None, None])
    with caplog.at_level(logging.WARNING):
        driver = Driver(board, Manners(LampConfig(buzzer=False)), clock)
        began_s = clock()
        driver.follow(story)  # type: ignore[arg-type]
    assert driver.alive_s == began_s + 6 * IDLE_S, "it came round before each wait"
    assert story.levels == [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]
    assert set(story.waits_s) == {1.0}, "steady lamps let the thread sleep"
    assert story.closed
    assert [pin.states[-1].state for pin in pins] == [0.0, 0.0]
    assert not caplog.records


def test_a_breathing_lamp_is_stepped_often(factory: MockFactory, clock: Clock) -> None:
    board = Board(TWO_SEATS, lambda press: None, factory, clock=clock)
    reading = shown(eyes=EyesShown("moving"))
    story = Story(clock, board, [reading, *[None] * 100])
    Driver(board, Manners(LampConfig(buzzer=False)), clock).follow(story)  # type: ignore[arg-type]
    levels = [each[0] for each in story.levels[1:]]
    assert max(levels) == 1.0
    assert min(levels) < 0.2
    assert story.waits_s[1] == 0.04
