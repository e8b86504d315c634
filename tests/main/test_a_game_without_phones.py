"""A whole game by the buttons of the table and the camera alone: no phone in the room."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.engine import Over, play
from companion.games import registry
from companion.interpret import Interpreter
from companion.interpret.trial_eyes import TrialEyes, TrialNoise, lay_tidily
from companion.session.answers import POINT_S
from companion.session.clock import FakeClock
from companion.session.commands import StartGame
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.session import Session
from companion.session.sighted import Sighted
from companion.session.writer import Writer
from companion.table import Observation, Placement, all_drinks
from hardware.board import Board
from hardware.buttons import to_desk
from hardware.driver import Driver, Manners
from hardware.lamps import lamp_state
from tests.hardware.hardware_mocks import TWO_SEATS

GAME = registry.game("kamikaze-cans")
HEADER = {
    "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {"colours": ["red", "green"], "first": 0},
}


def the_start() -> Any:
    """The game's start."""
    options = GAME.read_options({}, 2)
    return GAME.start(GAME.read_setup(HEADER["setup"], options, 2), options, 2)


EYES = TrialNoise(seed=2, nats=0.0, confused=0.3, missed=0.0, extra=0.0)
"""Eyes that often take a shape for another of its family, so that they ask."""


class Room:
    """Table, buttons and lamps; a writer played by hand. Looks are told, as perfect eyes would see them."""

    def __init__(self, folder: Path, factory: MockFactory) -> None:
        self.clock, library = FakeClock(), GameLibrary(lookup=registry.game, interpreter=Interpreter)
        resumed = open_journal(folder, library, self.clock)
        session = Session(library=library, clock=self.clock)
        self.writer = Writer(session=session, journal=resumed.journal, state=resumed.state, clock=self.clock)
        self.board = Board(TWO_SEATS, to_desk(self.writer), factory, clock=self.clock.monotonic_s, tick_s=1000.0)
        self.driver = Driver(self.board, Manners(), self.clock.monotonic_s)
        self.looks = self.asked = 0
        self.writer.post(StartGame(0, "table", HEADER))  # as the config begins a game
        self.work()
        shown = self.writer.snapshot()
        assert shown.layout is not None
        self.layout = shown.layout
        self.eyes = TrialEyes(self.layout, {"drink": all_drinks()}, EYES)

    def work(self) -> None:
        while self.writer.work(timeout_s=0):
            pass

    def look(self, placement: Placement) -> None:
        self.looks += 1
        self.clock.s += 5.0
        seen: Observation = self.eyes.look(float(self.looks), lay_tidily(self.layout, placement))
        self.writer.post(Sighted(self.looks, "free", observation=seen))
        self.work()

    def press(self, *seats: int, held_s: float = 0.1) -> None:
        pins = [self.board.buttons[seat].device.pin for seat in seats]
        for pin in pins:
            pin.drive_low()
        self.clock.s += held_s
        for seat in seats:
            self.board.buttons[seat].held()
        for pin in pins:
            pin.drive_high()
        self.work()

    @property
    def lamps(self) -> list[float]:
        self.clock.s += 1.0  # sudden rises may wait
        self.driver.show(lamp_state(self.writer.snapshot(), 2))
        self.driver.render()
        return [lamp.pin.state for lamp in self.board.lamps]

    def answer(self, truth: Placement) -> None:
        """The players press until what was really played is shown, and let it be taken."""
        question = self.writer.snapshot().question
        if question is None:
            return
        self.asked += 1
        right = next(n for n, choice in enumerate(question.choices) if choice.placement == truth)
        for _ in range(right + 1):
            self.press(question.seats[0])
        self.clock.s += POINT_S
        self.work()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    factory = MockFactory(pin_class=MockPWMPin)
    made = Room(tmp_path, factory)
    yield made
    made.board.close()
    made.writer.close()
    factory.reset()


def test_a_whole_game_by_buttons_and_camera(room: Room) -> None:
    state = the_start()
    story: list[Any] = list(play.random_game(GAME, state, Random(11), 200))
    stood = GAME.placement(state)
    for n, (before, ply) in enumerate(story):
        assert room.lamps == [float(seat == ply.player) for seat in (0, 1)], "the lamp says whose turn it is"
        after = GAME.apply(before, ply)
        now = GAME.placement(after)
        room.look(now)
        room.answer(now)
        assert shown(room) == now
        if n == 2:
            taken_back(room, stood, now, ply.player)
        if n == 4:
            paused(room, stood, now)
        if not isinstance(GAME.turn(after), Over):
            room.press(ply.player)
        stood = now
    end = GAME.turn(after)
    assert isinstance(end, Over)
    assert room.lamps == [float(seat in end.winners) for seat in (0, 1)]
    assert room.writer.snapshot().plies == len(story)
    assert room.asked
    assert {ply.source for ply in room.writer.snapshot().last} <= {"camera", "button"}


def taken_back(room: Room, stood: Placement, now: Placement, player: int) -> None:
    """The other player asks the last ply back by a long press; its player first refuses, then agrees. All is laid as it
    was, and then played again."""
    other = 1 - player
    room.press(other, held_s=0.9)
    room.press(player, held_s=0.9)
    assert shown(room) == now
    room.press(other, held_s=0.9)
    room.press(player)
    assert shown(room) == stood
    room.look(stood)
    room.look(now)
    room.answer(now)
    assert shown(room) == now


def paused(room: Room, stood: Placement, now: Placement) -> None:
    """Both hold their buttons: what the camera sees meanwhile is not noted, and a press says so."""
    room.press(0, 1, held_s=1.1)
    assert room.writer.snapshot().paused
    room.look(stood)
    room.press(0)
    unheeded = room.writer.snapshot().unheeded
    assert unheeded is not None
    assert (unheeded.why.id, shown(room)) == ("session.paused", now)
    room.press(0, 1, held_s=1.1)
    room.look(now)
    assert not room.writer.snapshot().paused


def shown(room: Room) -> Placement:
    seen = room.writer.snapshot().seen
    assert seen is not None
    return dict(seen.placement)
