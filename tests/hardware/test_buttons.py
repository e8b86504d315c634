from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from companion.session.commands import Done, Pause, Undo
from hardware.board import PRESS_HUNG_S, Board
from hardware.buttons import SeatButton, to_desk
from hardware.presses import HOLD_S, TOGETHER_S, Gesture, Press, Presses, Together
from tests.hardware.hardware_mocks import TWO_SEATS, Clock


def push(button: SeatButton, clock: Clock, seconds: float = 0.1) -> None:
    button.device.pin.drive_low()
    clock.sleep(seconds)
    button.device.pin.drive_high()


def test_a_short_press_is_told_when_the_button_is_let_go(board: Board, presses: list[Gesture], clock: Clock) -> None:
    board.buttons[1].device.pin.drive_low()
    assert presses == []
    clock.sleep(0.1)
    board.buttons[1].device.pin.drive_high()
    assert presses == [Press(1)]


def test_a_long_press_is_told_once_while_the_button_is_still_down(factory: MockFactory, clock: Clock) -> None:
    told: list[Gesture] = []
    heard = threading.Event()
    board = Board(TWO_SEATS, lambda press: (told.append(press), heard.set()), factory, clock=clock, tick_s=0.02)
    board.buttons[0].device.pin.drive_low()
    clock.sleep(HOLD_S)
    assert heard.wait(5)
    clock.sleep(1)
    board.buttons[0].device.pin.drive_high()
    board.close()
    assert told == [Press(0, long=True)]


def test_a_button_is_held_for_0_8_seconds_to_undo() -> None:
    assert HOLD_S == 0.8


def test_bouncing_contacts_give_one_press(board: Board, presses: list[Gesture], clock: Clock) -> None:
    button = board.buttons[0]
    for _ in range(5):
        push(button, clock, 0.001)
        clock.sleep(0.001)
    push(button, clock, 0.2)
    for _ in range(5):
        clock.sleep(0.001)
        push(button, clock, 0.001)
    assert presses == [Press(0)]


def test_a_spike_is_no_press(board: Board, presses: list[Gesture], clock: Clock) -> None:
    push(board.buttons[0], clock, 0.001)
    assert presses == []


def test_an_error_in_a_callback_is_logged_and_the_buttons_go_on(
    factory: MockFactory, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[Gesture] = []

    def stumble(press: Gesture) -> None:
        told.append(press)
        raise SystemExit("even this")

    board = Board(TWO_SEATS, stumble, factory, clock=clock)
    with caplog.at_level(logging.ERROR):
        push(board.buttons[0], clock)
        push(board.buttons[1], clock)
    board.close()
    assert told == [Press(0), Press(1)]
    assert "a button's callback failed" in caplog.text


def test_while_a_press_hangs_no_button_can_be_heard(factory: MockFactory, clock: Clock) -> None:
    heard: list[bool] = []

    def hang(press: Gesture) -> None:
        for _ in range(2):
            heard.append(board.alive())
            clock.sleep(PRESS_HUNG_S)
        heard.append(board.alive())

    board = Board(TWO_SEATS, hang, factory, clock=clock)
    push(board.buttons[0], clock)
    assert heard == [True, False, False]
    assert board.alive(), "it came back"
    board.close()


def test_an_edge_without_its_beginning_is_no_press() -> None:
    told: list[Gesture] = []
    presses = Presses(told.append)
    presses.up(0, 1.0)
    presses.still(0, 5.0)
    assert told == []


class Fingers:
    """Two buttons on mock pins and what is told of them, with time in steps in which a held button is told to be."""

    def __init__(self, board: Board, clock: Clock) -> None:
        self.board, self.clock = board, clock
        self.down: set[int] = set()

    def press(self, seat: int) -> None:
        self.board.buttons[seat].device.pin.drive_low()
        self.down.add(seat)

    def lift(self, seat: int) -> None:
        self.down.discard(seat)
        self.board.buttons[seat].device.pin.drive_high()

    def wait(self, tenths: int) -> None:
        for _ in range(tenths):
            self.clock.sleep(0.1)
            for seat in sorted(self.down):
                self.board.buttons[seat].held()


@pytest.fixture
def fingers(factory: MockFactory, presses: list[Gesture], clock: Clock) -> Iterator[Fingers]:
    """The library's own thread tells nothing here: the test says when a button is still held."""
    board = Board(TWO_SEATS, presses.append, factory, clock=clock, tick_s=1000.0)
    yield Fingers(board, clock)
    board.close()


def test_two_buttons_held_together_for_a_second_are_one_gesture_and_neither_counts_alone(
    fingers: Fingers, presses: list[Gesture]
) -> None:
    assert TOGETHER_S == 1.0
    fingers.press(0)
    fingers.wait(3)
    fingers.press(1)
    fingers.wait(9)
    assert presses == []
    fingers.wait(1)
    assert presses == [Together((0, 1))]
    fingers.wait(20)
    fingers.lift(1)
    fingers.lift(0)
    assert presses == [Together((0, 1))]


def test_two_buttons_held_together_for_less_are_nothing(fingers: Fingers, presses: list[Gesture]) -> None:
    fingers.press(0)
    fingers.press(1)
    fingers.wait(9)
    fingers.lift(0)
    fingers.wait(9)
    fingers.lift(1)
    assert presses == []
    fingers.press(1)
    fingers.wait(1)
    fingers.lift(1)
    assert presses == [Press(1)], "what was held together is forgotten once it is let go"


def test_two_people_who_press_at_once_both_count(fingers: Fingers, presses: list[Gesture]) -> None:
    fingers.press(0)
    fingers.press(1)
    fingers.wait(2)
    fingers.lift(0)
    fingers.lift(1)
    assert presses == [Press(0), Press(1)]


def test_a_short_press_beside_a_button_that_has_counted_long_counts(
    fingers: Fingers, presses: list[Gesture]
) -> None:
    fingers.press(0)
    fingers.wait(8)
    fingers.press(1)
    fingers.wait(2)
    fingers.lift(1)
    fingers.wait(20)
    fingers.lift(0)
    assert presses == [Press(0, long=True), Press(1)]


class Desk:
    def __init__(self, paused: bool = False) -> None:
        self.posted: list[Any] = []
        self.paused = paused

    def snapshot(self, observer: str = "room") -> Any:
        return type("Shown", (), {"seq": 7, "paused": self.paused})()

    def post(self, command: Any) -> None:
        self.posted.append(command)


def test_short_says_done_and_long_asks_for_undo() -> None:
    desk = Desk()
    post = to_desk(desk)  # type: ignore[arg-type]
    post(Press(1))
    post(Press(0, long=True))
    assert desk.posted == [Done(7, 1, via="button"), Undo(7, 0, via="button")]


@pytest.mark.parametrize("paused", [False, True])
def test_two_together_pause_and_go_on(paused: bool) -> None:
    desk = Desk(paused)
    to_desk(desk)(Together((1, 2)))  # type: ignore[arg-type]
    assert desk.posted == [Pause(7, 1, on=not paused, via="button")]
