from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from companion.cli import wiring as command
from companion.errors import ConfigError
from companion.session import config
from companion.session.config import PinConfig
from companion.words import load
from hardware.wiring import GROUNDS, HEADER, warnings, wires


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    command.add(parser.add_subparsers())
    return command.run(parser.parse_args(["wiring", *arguments]), load())


def test_every_gpio_has_its_own_place_on_the_header() -> None:
    assert sorted(HEADER) == list(range(28))
    power = {1, 2, 4, 17}
    assert set(HEADER.values()) | set(GROUNDS) | power == set(range(1, 41))
    assert len(set(HEADER.values())) == 28


def test_the_usual_pins_need_no_warning_and_none_twice() -> None:
    used = [wire.bcm for wire in wires(PinConfig())]
    assert len(set(used)) == len(used)
    assert warnings(PinConfig()) == ()


def test_the_table_names_seat_part_pins_and_resistor(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    lines = [" ".join(line.replace("│", " ").split()) for line in capsys.readouterr().out.splitlines()]
    assert "A ● blue button GPIO5 29 – 30" in lines
    assert "A ● blue lamp (LED) GPIO17 11 330 Ω 9" in lines
    assert "shared buzzer GPIO18 12 100 Ω 14" in lines


def test_the_table_follows_the_config(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("[pins]\nseats = [[2, 17], [3, 27]]\n")
    assert run("--config", str(file)) == 0
    printed = capsys.readouterr().out
    assert "C ▲" not in printed
    assert "Note: GPIO2 (button of seat A) also belongs to the I2C." in printed


@pytest.mark.parametrize(
    ("pins", "told"),
    [
        ("seats = [[5, 17], [6, 5]]", "pin 5 is used twice, by pins.seats[0] and by pins.seats[1]"),
        ("seats = [[5, 17], [6, 27]]\nbuzzer = 17", "pin 17 is used twice"),
        ("seats = [[5, 17], [6, 44]]", "numbers"),
    ],
)
def test_pins_that_cannot_be_are_told_in_one_sentence(tmp_path: Path, pins: str, told: str) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(f"[pins]\n{pins}\n")
    with pytest.raises(ConfigError) as caught:
        config.load_config(file)
    said = load().say(caught.value.phrase)
    assert told in said
    assert "\n" not in said
