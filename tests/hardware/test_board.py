from __future__ import annotations

from collections.abc import Callable

import pytest
from gpiozero.pins.mock import MockFactory

from companion.errors import HardwareError, InvalidError
from companion.session.config import LampConfig
from hardware.board import Board
from hardware.driver import Driver, Manners
from hardware.lamps import LampState
from hardware.panel import Panel
from hardware.presses import Gesture, Press, Together
from tests.hardware.hardware_mocks import TWO_SEATS, Clock

MINE = frozenset({0})


@pytest.fixture
def driver(board: Board, clock: Clock) -> Driver:
    return Driver(board, Manners(LampConfig(buzzer=True)), clock)


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
    driver = Driver(board, Manners(LampConfig(buzzer=False)), clock)
    driver.show(LampState("question", 2, MINE))
    driver.render()
    assert board.buzzer.tone is None


def test_the_buzzer_is_silent_unless_it_is_wanted(board: Board, clock: Clock) -> None:
    driver = Driver(board, Manners(), clock)
    driver.show(LampState("question", 2, MINE))
    driver.render()
    assert board.buzzer.tone is None


def test_a_tune_falls_silent_as_soon_as_the_sound_is_switched_off(board: Board, clock: Clock) -> None:
    manners = Manners(LampConfig(buzzer=True))
    driver, panel = Driver(board, manners, clock), Panel(board, manners=manners)
    driver.show(LampState("question", 2, MINE))
    driver.render()
    assert panel.state()["manners"] == {"sound": True, "quiet": False}
    panel.choose_manner("sound", on=False)
    driver.render()
    assert board.buzzer.tone is None


def test_quiet_is_dim_and_silent_and_can_be_ended(board: Board, clock: Clock) -> None:
    manners = Manners(LampConfig(buzzer=True))
    driver, panel = Driver(board, manners, clock), Panel(board, manners=manners)
    panel.choose_manner("quiet", on=True)
    driver.show(LampState("over", 2, MINE))
    driver.render()
    assert (levels(board), board.buzzer.tone) == ([0.3, 0.0], None)
    panel.choose_manner("quiet", on=False)
    clock.sleep(1)
    driver.render()
    assert levels(board) == [1.0, 0.0]


def test_an_unknown_mode_is_refused(board: Board) -> None:
    with pytest.raises(InvalidError, match=r"hw\.no_manner"):
        Panel(board).choose_manner("loud", on=True)


def test_a_choice_that_is_taken_fades_anew_for_the_next_one(board: Board, driver: Driver, clock: Clock) -> None:
    driver.show(LampState("taken", 2, MINE, choice=0))
    driver.render()
    clock.sleep(0.75)
    driver.render()
    assert levels(board) == [0.5, 0.0]
    driver.show(LampState("taken", 2, MINE, choice=1))
    clock.sleep(0.3)
    driver.render()
    assert levels(board) == [0.8, 0.0]
    clock.sleep(5)
    driver.render()
    assert levels(board) == [0.0, 0.0]
    assert not driver.restless


def test_a_press_that_changed_nothing_blinks_three_times_and_then_all_is_as_before(
    board: Board, driver: Driver, clock: Clock
) -> None:
    driver.show(LampState("playing", 2, MINE))
    driver.render()
    clock.sleep(5)
    driver.show(LampState("playing", 2, MINE, unheeded=1))
    seen = []
    for _ in range(8):
        clock.sleep(0.1)
        driver.render()
        seen.append(levels(board))
        clock.sleep(0.1)
    assert seen == [[1.0, 1.0], [1.0, 0.0]] * 3 + [[1.0, 0.0]] * 2
    assert not driver.restless


def test_lamps_can_be_dimmed_in_the_config(board: Board, clock: Clock) -> None:
    driver = Driver(board, Manners(LampConfig(brightness=0.5)), clock)
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
        {"button": "seat:0", "letter": "A", "pressed": False, "presses": 0, "lamp": 1.0,
         "pins": {"button": 5, "lamp": 17}},
        {"button": "seat:1", "letter": "B", "pressed": True, "presses": 1, "lamp": 0.0,
         "pins": {"button": 6, "lamp": 27}},
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


