from __future__ import annotations

from collections.abc import Callable

import pytest
from gpiozero.pins.mock import MockFactory

from companion.errors import HardwareError, InvalidError
from companion.session.config import LampConfig
from hardware import off, pins
from hardware.board import Board
from hardware.driver import Driver
from hardware.lamps import LampState
from hardware.panel import Panel
from hardware.presses import Gesture, Press, Together
from tests.hardware.hardware_mocks import TWO_SEATS, Clock

MINE = frozenset({0})


@pytest.fixture
def driver(board: Board, clock: Clock) -> Driver:
    return Driver(board, LampConfig(), clock)


def levels(board: Board) -> list[float]:
    """What the pins of the seats' lamps really do."""
    return [lamp.pin.state for lamp in board.lamps]


def test_the_lamp_of_the_seat_on_turn_is_lit(board: Board, driver: Driver, clock: Clock) -> None:
    driver.show(LampState("playing", 2, MINE))
    driver.render()
    assert levels(board) == [1.0, 0.0]
    assert board.status.value == (0.0, 0.2, 0.0)


def test_a_question_blinks_on_the_pins(board: Board, driver: Driver, clock: Clock) -> None:
    driver.show(LampState("question", 2, MINE))
    clock.sleep(0.05)
    seen = []
    for _ in range(20):
        driver.render()
        seen.append(levels(board)[0])
        clock.sleep(0.1)
    assert seen == [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, *[0.0] * 14]


def test_the_lamps_remember_when_they_changed(driver: Driver, clock: Clock) -> None:
    clock.sleep(5)
    driver.show(LampState("playing", 2, MINE))
    clock.sleep(5)
    driver.show(LampState("playing", 2, MINE))
    assert driver.changed_s == 105.0


def test_only_changing_lamps_keep_the_thread_awake(driver: Driver, clock: Clock) -> None:
    driver.show(LampState("playing", 2, MINE))
    assert driver.restless is True  # the buzzer still sounds
    clock.sleep(1)
    driver.render()
    assert bool(driver.restless) is False
    driver.show(LampState("reading", 2, MINE))
    assert bool(driver.restless)


def test_the_buzzer_sounds_and_falls_silent(board: Board, driver: Driver, clock: Clock) -> None:
    driver.show(LampState("question", 2, MINE))
    driver.render()
    assert board.buzzer.tone is not None
    clock.sleep(1)
    driver.render()
    assert board.buzzer.tone is None


def test_the_buzzer_can_be_silenced_in_the_config(board: Board, clock: Clock) -> None:
    driver = Driver(board, LampConfig(buzzer=False), clock)
    driver.show(LampState("question", 2, MINE))
    driver.render()
    assert board.buzzer.tone is None


def test_lamps_can_be_dimmed_in_the_config(board: Board, clock: Clock) -> None:
    driver = Driver(board, LampConfig(brightness=0.5), clock)
    driver.show(LampState("playing", 2, MINE))
    driver.render()
    assert levels(board) == [0.5, 0.0]


def test_all_lamps_are_dark_at_the_start_and_at_the_end(factory: MockFactory, clock: Clock) -> None:
    board = Board(TWO_SEATS, lambda press: None, factory, clock=clock)
    lamps = [lamp.pin for lamp in board.lamps]
    assert [pin.state for pin in lamps] == [0.0, 0.0]
    board.light([1.0, 1.0], (1.0, 1.0, 1.0))
    assert [pin.state for pin in lamps] == [1.0, 1.0]
    for pin in lamps:
        pin.clear_states()
    board.close()
    assert [pin.states[-1].state for pin in lamps] == [0.0, 0.0]
    board.close()


def test_pins_that_are_taken_are_told_and_none_is_kept(factory: MockFactory, clock: Clock) -> None:
    first = Board(TWO_SEATS, lambda press: None, factory, clock=clock)
    with pytest.raises(HardwareError, match=r"hw\.pin_taken"):
        Board(TWO_SEATS, lambda press: None, factory, clock=clock)
    first.close()
    Board(TWO_SEATS, lambda press: None, factory, clock=clock).close()


def test_the_panel_shows_what_the_pins_do(board: Board, driver: Driver) -> None:
    driver.show(LampState("playing", 2, MINE))
    driver.render()
    board.buttons[1].device.pin.drive_low()
    state = Panel(board).state()
    assert state["mock"] is True
    assert state["seats"] == [
        {"button": "seat:0", "letter": "A", "pressed": False, "lamp": 1.0, "pins": {"button": 5, "lamp": 17}},
        {"button": "seat:1", "letter": "B", "pressed": True, "lamp": 0.0, "pins": {"button": 6, "lamp": 27}},
    ]
    assert state["status"] == {"rgb": [0.0, 0.2, 0.0], "pins": [12, 13, 19]}
    assert state["buzzer"] == {"hz": 440.0, "pin": 18}


def test_the_panel_presses_mock_buttons(board: Board, presses: list[Gesture], clock: Clock) -> None:
    Panel(board, clock.sleep).press("seat:1")
    assert presses == [Press(1)]


def hold(board: Board, clock: Clock, *seats: int) -> Callable[[float], None]:
    """A wait while these buttons are held: says at its end that they still are, as the pins do every now and then."""

    def wait(seconds: float) -> None:
        clock.sleep(seconds)
        for seat in seats:
            board.buttons[seat].held()

    return wait


def test_the_panel_presses_long_too(board: Board, presses: list[Gesture], clock: Clock) -> None:
    Panel(board, hold(board, clock, 0)).press("seat:0", long=True)
    assert presses == [Press(0, long=True)]


def test_the_panel_holds_two_buttons_together(board: Board, presses: list[Gesture], clock: Clock) -> None:
    Panel(board, hold(board, clock, 0, 1)).press("together")
    assert presses == [Together((0, 1))]


def test_the_panel_refuses_a_button_that_is_not_there(board: Board) -> None:
    with pytest.raises(InvalidError, match=r"hw\.no_button"):
        Panel(board).press("seat:2")


def test_a_laptop_gets_mock_pins_and_a_pi_never_does_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pins.is_mock(pins.factory({}, pi=False))
    assert pins.is_mock(pins.factory({"GPIOZERO_PIN_FACTORY": "mock"}, pi=True))
    with pytest.raises(HardwareError, match=r"hw\.no_lgpio|hw\.no_pins"):
        pins.factory({}, pi=True)
    with pytest.raises(HardwareError, match=r"hw\.factory_unknown"):
        pins.factory({"GPIOZERO_PIN_FACTORY": "pigpio"}, pi=False)


def test_lamps_can_be_switched_off_from_outside(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert off.main([]) == 0
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "pigpio")
    assert off.main([]) == 1
    assert "GPIOZERO_PIN_FACTORY is pigpio" in capsys.readouterr().err
