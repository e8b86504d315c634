"""Real pin libraries on pins that keep their level: what is promised of one holds for all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.errors import ConfigError, HardwareError
from companion.session.config import PinConfig, read_config
from companion.words import load
from hardware import holders, last_pins, off, pins
from hardware.board import Board
from hardware.presses import Gesture, Press
from tests.hardware.bouncing import pressed
from tests.hardware.fake_lgpio import FakeLgpio
from tests.hardware.hardware_mocks import TWO_SEATS
from tests.hardware.pin_libraries import LIBRARIES, factory_of, on_chip

OUTPUTS = (17, 27, 12, 13, 19, 18)
BUZZER, BUTTON = 18, 5

MakeBoard = Callable[[], Board]


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def chip(library: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLgpio]:
    with on_chip(library, monkeypatch) as made:
        yield made


@pytest.fixture
def presses() -> list[Gesture]:
    return []


@pytest.fixture
def board(chip: FakeLgpio, library: str, presses: list[Gesture]) -> Iterator[Board]:
    factory = factory_of(library)
    made = Board(TWO_SEATS, presses.append, factory, clock=lambda: chip.now_s, tick_s=60.0)
    yield made
    made.close()
    factory.close()


def levels(chip: FakeLgpio) -> list[int]:
    return [chip.level(bcm) for bcm in OUTPUTS]


def test_the_lines_are_those_of_a_real_pin_library(board: Board, chip: FakeLgpio) -> None:
    board.light([1.0, 0.0], (0.0, 0.5, 0.0))
    assert levels(chip) == [1, 0, 0, 1, 0, 0]


@pytest.mark.parametrize("hertz", [110.0, 196.0, 440.0, 784.0])
def test_the_buzzers_pin_is_low_after_a_tone(board: Board, chip: FakeLgpio, hertz: float) -> None:
    board.sound(hertz)
    assert chip.level(BUZZER) == 1
    board.sound(0)
    assert chip.level(BUZZER) == 0


def test_gpiozero_alone_would_leave_the_pin_high(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the stand-in would show nothing."""
    with on_chip("lgpio", monkeypatch) as chip:
        factory = factory_of("lgpio")
        board = Board(TWO_SEATS, lambda press: None, factory)
        board.sound(440.0)
        board.buzzer.stop()
        assert chip.level(BUZZER) == 1
        board.close()
        factory.close()


def test_a_wave_that_ends_late_is_silenced_with_the_next_step(board: Board, chip: FakeLgpio) -> None:
    board.sound(440.0)
    board.sound(0)
    chip.lines[BUZZER].level = 1  # the thread of the wave had not come to its end
    board.sound(0)
    assert chip.level(BUZZER) == 0


def test_all_is_dark_at_the_start_whatever_was_left_lit(chip: FakeLgpio, library: str) -> None:
    for bcm in OUTPUTS:
        chip.lines[bcm].level = 1
    factory = factory_of(library)
    board = Board(TWO_SEATS, lambda press: None, factory)
    assert levels(chip) == [0] * 6
    board.close()
    factory.close()


def test_all_is_dark_after_the_end(chip: FakeLgpio, library: str) -> None:
    factory = factory_of(library)
    board = Board(TWO_SEATS, lambda press: None, factory)
    board.light([1.0, 1.0], (1.0, 1.0, 1.0))
    board.sound(440.0)
    assert levels(chip) == [1] * 6
    board.close()
    factory.close()
    assert levels(chip) == [0] * 6


def test_a_press_comes_through(board: Board, chip: FakeLgpio, presses: list[Gesture]) -> None:
    chip.play(BUTTON, [(0.0, 0), (0.2, 1)])
    assert presses == [Press(0)]


@pytest.mark.parametrize("bounce_ms", [1, 5, 10, 15])
def test_a_contact_that_bounces_presses_once(library: str, bounce_ms: int) -> None:
    rng = Random(bounce_ms)
    held_s = [rng.uniform(0.12, 0.6) for _ in range(40)]
    with pressed(library, held_s, bounce_ms / 1000, seed=bounce_ms) as gestures:
        assert gestures == [Press(0)] * 40


def test_a_contact_that_never_comes_to_rest_presses_nothing(library: str) -> None:
    """Interference that lasts longer than contacts bounce."""
    with pressed(library, [0.02] * 10, 0.015, seed=3) as gestures:
        assert gestures == []


def test_a_pin_of_another_program_is_named_with_its_part(chip: FakeLgpio, library: str) -> None:
    chip.busy.add(27)
    factory = factory_of(library)
    with pytest.raises(HardwareError) as caught:
        Board(TWO_SEATS, lambda press: None, factory)
    assert load().say(caught.value.phrase) == (
        "Another program has the pin of the lamp of seat B (GPIO27). Stop it, or give the lamp of seat B another pin "
        "in the config.")
    del caught  # with it goes what gpiozero had half made
    chip.busy.clear()
    Board(TWO_SEATS, lambda press: None, factory).close()  # none was kept
    factory.close()


# --- switched off from outside ----------------------------------------------------------------------------------------


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "state"
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    return folder


def lit(chip: FakeLgpio) -> None:
    """The service was killed while everything was lit."""
    for bcm in OUTPUTS:
        chip.lines[bcm].level = 1


CONFIGS = {
    "good": '[pins]\nseats = [[5, 17], [6, 27]]\n',
    "with an unknown key": '[pins]\nseat = [[5, 17]]\n',
    "that is no TOML": "[pins\n",
    "with other pins since": "[pins]\nseats = [[20, 21]]\n",
    "that is gone": "",
}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())
def test_lamps_go_off_by_the_pins_used_last_whatever_the_config_says(
    chip: FakeLgpio, library: str, state: Path, tmp_path: Path, config: str
) -> None:
    file = tmp_path / "companion.toml"
    if config:
        file.write_text(config)
    name = library.partition(" ")[0]
    last_pins.remember(state, PinConfig(TWO_SEATS.seats, TWO_SEATS.status_rgb, BUZZER, name))  # type: ignore[arg-type]
    lit(chip)
    assert off.main([str(file)]) == 0
    assert levels(chip) == [0] * 6


def test_a_state_folder_of_a_config_with_a_fault_elsewhere_is_found(
    chip: FakeLgpio, library: str, tmp_path: Path
) -> None:
    file = tmp_path / "companion.toml"
    file.write_text('[state]\nfolder = "kept"\n[pins]\nfactory = "piano"\n')
    name = library.partition(" ")[0]
    last_pins.remember(tmp_path / "kept", PinConfig(TWO_SEATS.seats, factory=name))  # type: ignore[arg-type]
    lit(chip)
    assert off.main([str(file)]) == 0
    assert levels(chip) == [0] * 6


def test_one_pin_that_another_program_has_keeps_no_other_lamp_lit(
    chip: FakeLgpio, library: str, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last_pins.remember(state, PinConfig(TWO_SEATS.seats, factory=library.partition(" ")[0]))  # type: ignore[arg-type]
    lit(chip)
    chip.busy.add(17)
    assert off.main([]) == 1
    assert levels(chip) == [1, 0, 0, 0, 0, 0]
    assert "the lamp of seat A (GPIO17)" in capsys.readouterr().err


def test_a_broken_config_before_any_start_is_told(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("[pins")
    assert off.main([str(file)]) == 1
    assert "is not valid TOML" in capsys.readouterr().err


def test_the_pins_used_last_are_written_only_when_they_change(state: Path) -> None:
    last_pins.remember(state, TWO_SEATS)
    file = state / last_pins.LAST_PINS_NAME
    before = file.stat().st_ino  # a new file is written beside it
    last_pins.remember(state, TWO_SEATS)
    assert file.stat().st_ino == before
    last_pins.remember(state, PinConfig())
    assert last_pins.last_pins(state) == PinConfig()


def test_a_disk_that_takes_nothing_keeps_nobody_from_playing(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    last_pins.remember(tmp_path / "state", TWO_SEATS)
    assert last_pins.last_pins(tmp_path / "state") is None


# --- which library ----------------------------------------------------------------------------------------------------


def test_a_laptop_gets_mock_pins_and_a_pi_never_does_by_itself() -> None:
    assert pins.is_mock(pins.factory(environ={}, pi=False))
    assert pins.is_mock(pins.factory(environ={"GPIOZERO_PIN_FACTORY": "mock"}, pi=True))
    assert pins.is_mock(pins.factory("mock", {"GPIOZERO_PIN_FACTORY": "lgpio"}, pi=True))
    with pytest.raises(HardwareError, match=r"hw\.no_lgpio|hw\.no_pins"):
        pins.factory(environ={}, pi=True)
    with pytest.raises(HardwareError, match=r"hw\.no_rpigpio|hw\.no_pins"):
        pins.factory("rpigpio", {}, pi=False)
    with pytest.raises(HardwareError, match=r"hw\.factory_unknown"):
        pins.factory(environ={"GPIOZERO_PIN_FACTORY": "pigpio"}, pi=False)


@pytest.mark.parametrize(("given", "environ", "pi", "said"), [
    (None, {}, True, "through lgpio"),
    (None, {}, False, "on the page /panel"),
    (None, {"GPIOZERO_PIN_FACTORY": "mock"}, True, "come from mock, as GPIOZERO_PIN_FACTORY says"),
    ("rpigpio", {"GPIOZERO_PIN_FACTORY": "mock"}, True, "come from rpigpio, as the config says"),
])
def test_who_chose_the_pins_is_said(given: str | None, environ: dict[str, str], pi: bool, said: str) -> None:
    assert said in load().say(pins.chosen_pins(given, environ, pi=pi))


def test_the_config_names_the_library() -> None:
    assert read_config({"pins": {"factory": "rpigpio"}}).pins.factory == "rpigpio"
    assert read_config({}).pins.factory is None
    with pytest.raises(ConfigError, match=r"config\.pin_factory"):
        read_config({"pins": {"factory": "pigpio"}})


def test_a_pin_that_is_used_twice_is_told_with_both_places() -> None:
    with pytest.raises(ConfigError) as caught:
        read_config({"pins": {"seats": [[5, 18]], "buzzer": 18}})
    assert load().say(caught.value.phrase) == (
        "In the config, pin 18 is used twice, by pins.seats[0] and by pins.buzzer: give one of them another pin.")


# --- who has a device -------------------------------------------------------------------------------------------------


def test_programs_that_have_a_device_open_are_named(tmp_path: Path) -> None:
    device = tmp_path / "gpiochip0"
    device.touch()
    for number, (name, opened) in enumerate([("gpiomon", device), ("sleep", tmp_path / "other"), ("self", device)], 7):
        process = tmp_path / "proc" / str(number)
        (process / "fd").mkdir(parents=True)
        (process / "comm").write_text(name + "\n")
        (process / "fd" / "3").symlink_to(opened)
    (tmp_path / "proc" / "10").mkdir()  # another user's: nothing can be seen of it
    assert holders.programs_with(device, tmp_path / "proc", own=lambda: 9) == ("gpiomon (7)",)
