from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from companion.cli.doctor_press import press_all
from companion.errors import HardwareError, InvalidError, Phrase
from companion.session.config import Config
from companion.words import load
from hardware.board import Board
from hardware.driver import TRIED_S, Driver, Manners
from hardware.lamps import LampState
from hardware.panel import Panel
from hardware.presses import Gesture, Press, Together
from hardware.trying import try_out
from tests.hardware.hardware_mocks import TWO_SEATS, Clock
from tests.hardware.pin_libraries import factory_of, on_chip


def lit(board: Board) -> tuple[list[float], tuple[float, ...], bool]:
    return [lamp.value for lamp in board.lamps], tuple(board.status.value), board.buzzer.tone is not None


def tried(board: Board, person: Callable[[], Gesture | None]) -> tuple[list[str], list[str]]:
    """What is asked, and what is found of it, when a person answers so."""
    asked: list[str] = []

    def ask(what: Phrase) -> None:
        asked.append(load().say(what))

    found = [("✓ " if each.well else "✗ ") + load().say(each.sentence)
             for each in try_out(board, ask, lambda seconds: person())]
    return asked, found


def person_who_sees(board: Board) -> Gesture | None:
    """Presses the button beside the lamp that is lit."""
    seats = lit(board)[0]
    return Press(seats.index(1.0)) if 1.0 in seats else Press(1)


def test_every_lamp_is_lit_alone_and_answered_by_its_button(board: Board) -> None:
    seen = []

    def person() -> Gesture | None:
        seen.append(lit(board))
        return person_who_sees(board)

    asked, found = tried(board, person)
    assert [("".join("01"[level > 0] for level in seats), status, sounds) for seats, status, sounds in seen] == [
        ("10", (0, 0, 0), False), ("01", (0, 0, 0), False),
        ("00", (1, 0, 0), False), ("00", (0, 1, 0), False), ("00", (0, 0, 1), False), ("00", (0, 0, 0), True)]
    assert asked[0] == "Is the lamp of seat A lit? Press its button."
    assert found == [
        "✓ The lamp of seat A (GPIO17) and its button (GPIO5) are well.",
        "✓ The lamp of seat B (GPIO27) and its button (GPIO6) are well.",
        "✓ The status lamp, red (GPIO12) is well.",
        "✓ The status lamp, green (GPIO13) is well.",
        "✓ The status lamp, blue (GPIO19) is well.",
        "✓ The buzzer (GPIO18) is well.",
    ]
    assert lit(board) == ([0.0, 0.0], (0.0, 0.0, 0.0), False)


@pytest.mark.parametrize(("gesture", "said"), [
    (None, "Nothing came from the button of seat A. Check its two wires: one to GPIO5 (pin 29), one to ground."),
    (Press(0, long=True), "The lamp of seat A does not show at GPIO17 (pin 11). Turn its LED round"),
    (Press(1), "Beside the lamp of seat A is the button of seat B: it answers at GPIO6, not at GPIO5."),
    (Together((0, 1)), "Two buttons were held together."),
])
def test_what_is_wired_wrongly_is_told_with_its_pin(board: Board, gesture: Gesture | None, said: str) -> None:
    _, found = tried(board, lambda: gesture)
    assert found[0].startswith(f"✗ {said}")


def test_a_colour_that_nobody_answers_is_left_open(board: Board) -> None:
    _, found = tried(board, lambda: None)
    assert found[2] == "✗ Nobody pressed a button, so I do not know about the status lamp, red."


@pytest.fixture
def chip_person(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    """`companion doctor --press` on real pins; a person presses the button beside what is lit as soon as they are
    asked."""
    with on_chip("lgpio", monkeypatch) as chip:
        factory = factory_of("lgpio")
        print_ = print

        def answer(*said: object, **rest: object) -> None:
            print_(*said)
            if str(said[0]).startswith(("Is ", "Does ")):
                chip.play(6 if chip.level(27) else 5, [(0.0, 0), (0.2, 1)])

        monkeypatch.setattr("builtins.print", answer)
        yield lambda: press_all(Config(pins=TWO_SEATS), load(), factory, lambda: chip.now_s)
        factory.close()


def test_the_command_tries_all_at_the_table(
    chip_person: Callable[[], int], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert chip_person() == 0
    assert capsys.readouterr().out.count("✓") == 6


def test_the_command_says_that_there_is_nothing_to_press(factory: MockFactory) -> None:
    with pytest.raises(HardwareError, match=r"doctor\.press\.mock"):
        press_all(Config(pins=TWO_SEATS), load(), factory)


# --- the same on the phone --------------------------------------------------------------------------------------------


def test_a_phone_lights_one_lamp_alone_for_a_few_seconds(board: Board, clock: Clock) -> None:
    manners = Manners()
    driver, panel = Driver(board, manners, clock), Panel(board, manners=manners, clock=clock)
    driver.show(LampState("playing", 2, frozenset({0})))
    clock.sleep(1)
    driver.render()
    before = lit(board)
    panel.try_out("seat:1")
    assert driver.restless
    driver.render()
    assert lit(board) == ([0.0, 1.0], (0.0, 0.0, 0.0), False)
    panel.try_out("blue")
    driver.render()
    assert lit(board) == ([0.0, 0.0], (0.0, 0.0, 1.0), False)
    panel.try_out("buzzer")
    driver.render()
    assert lit(board)[2]
    clock.sleep(TRIED_S)
    driver.render()
    assert (lit(board), driver.restless) == (before, False)


def test_a_phone_cannot_light_what_is_not_there(board: Board) -> None:
    for part in ("seat:2", "seat:-1", "purple", ""):
        with pytest.raises(InvalidError, match=r"hw\.no_part"):
            Panel(board).try_out(part)


def test_a_phone_sees_that_a_button_was_heard(board: Board) -> None:
    board.buttons[1].device.pin.drive_low()
    board.buttons[1].device.pin.drive_high()
    assert [seat["presses"] for seat in Panel(board).state()["seats"]] == [0, 1]
