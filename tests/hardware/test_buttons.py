from __future__ import annotations

import logging
import threading
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from companion.session.commands import Done, Undo
from hardware.board import Board
from hardware.buttons import HOLD_S, Press, Presses, SeatButton, to_desk
from tests.hardware.hardware_mocks import TWO_SEATS, Clock


def push(button: SeatButton, clock: Clock, seconds: float = 0.1) -> None:
    button.device.pin.drive_low()
    clock.sleep(seconds)
    button.device.pin.drive_high()


def test_a_short_press_is_told_when_the_button_is_let_go(board: Board, presses: list[Press], clock: Clock) -> None:
    board.buttons[1].device.pin.drive_low()
    assert presses == []
    clock.sleep(0.1)
    board.buttons[1].device.pin.drive_high()
    assert presses == [Press(1)]


def test_a_long_press_is_told_once_while_the_button_is_still_down(factory: MockFactory, clock: Clock) -> None:
    told: list[Press] = []
    heard = threading.Event()
    board = Board(TWO_SEATS, lambda press: (told.append(press), heard.set()), factory, clock=clock, hold_s=0.02)
    board.buttons[0].device.pin.drive_low()
    assert heard.wait(5)
    clock.sleep(1)
    board.buttons[0].device.pin.drive_high()
    board.close()
    assert told == [Press(0, long=True)]


def test_a_button_is_held_for_0_8_seconds_to_undo() -> None:
    assert HOLD_S == 0.8


def test_bouncing_contacts_give_one_press(board: Board, presses: list[Press], clock: Clock) -> None:
    button = board.buttons[0]
    for _ in range(5):
        push(button, clock, 0.001)
        clock.sleep(0.001)
    push(button, clock, 0.2)
    for _ in range(5):
        clock.sleep(0.001)
        push(button, clock, 0.001)
    assert presses == [Press(0)]


def test_a_spike_is_no_press(board: Board, presses: list[Press], clock: Clock) -> None:
    push(board.buttons[0], clock, 0.001)
    assert presses == []


def test_an_error_in_a_callback_is_logged_and_the_buttons_go_on(
    factory: MockFactory, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[Press] = []

    def stumble(press: Press) -> None:
        told.append(press)
        raise SystemExit("even this")

    board = Board(TWO_SEATS, stumble, factory, clock=clock)
    with caplog.at_level(logging.ERROR):
        push(board.buttons[0], clock)
        push(board.buttons[1], clock)
    board.close()
    assert told == [Press(0), Press(1)]
    assert "a button's callback failed" in caplog.text


def test_an_edge_without_its_beginning_is_no_press() -> None:
    told: list[Press] = []
    presses = Presses(0, told.append)
    presses.up(1.0)
    presses.hold()
    assert told == []


def test_short_says_done_and_long_asks_for_undo() -> None:
    class Desk:
        posted: list[Any] = []  # noqa: RUF012  one desk, one test

        def snapshot(self, observer: str = "room") -> Any:
            return type("Shown", (), {"seq": 7})()

        def post(self, command: Any) -> None:
            self.posted.append(command)

    desk = Desk()
    post = to_desk(desk)  # type: ignore[arg-type]
    post(Press(1))
    post(Press(0, long=True))
    assert desk.posted == [Done(7, 1, via="button"), Undo(7, 0, via="button")]
