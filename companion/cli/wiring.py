"""`companion wiring`: what to solder where."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.errors import phrase
from companion.session import config
from companion.session.config import PinConfig
from companion.words import Words

WiringRow = tuple[str, ...]


def add(subparsers: Any) -> None:
    """Adds `wiring`."""
    parser = subparsers.add_parser(
        "wiring",
        help="show which button and lamp goes to which pin",
        description="Shows what is connected to which pin of the Raspberry Pi, as your config has it.",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="your config file (without: the usual pins)")


def run(args: argparse.Namespace, words: Words) -> int:
    """Prints the table, how to connect each kind of part, and warnings."""
    from hardware import wiring

    pins = config.load_config(args.config).pins
    for line in table(pins, words):
        print(line)
    print()
    for note in ("button", "lamp", "status", "buzzer"):
        print(words.say(phrase(f"wiring.note.{note}")))
    for warning in wiring.warnings(pins):
        print(words.say(phrase("wiring.warning", what=warning)))
    return 0


def table(pins: PinConfig, words: Words) -> list[str]:
    """The wiring as lines of text, with a rule between seats."""
    rows = list(_rows(pins, words))
    head = tuple(
        words.say(phrase(f"wiring.head.{name}")) for name in ("seat", "part", "gpio", "pin", "through", "ground")
    )
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    lines = [_line(head, widths), _rule(widths, "┼")]
    for before, row in zip((("",) * len(head), *rows), rows):
        if before[0] and row[0] != before[0]:
            lines.append(_rule(widths, "┼"))
        lines.append(_line(row, widths))
    return lines


def _rows(pins: PinConfig, words: Words) -> Iterator[WiringRow]:
    from hardware.wiring import SEAT_MARKS, wires

    for wire in wires(pins):
        letter, shape, colour = SEAT_MARKS[wire.seat] if wire.seat is not None else ("", "", "")
        seat = (
            f"{letter} {shape} {words.say(phrase(f'wiring.colour.{colour}'))}"
            if letter
            else words.say(phrase("wiring.all"))
        )
        through = f"{wire.resistor_ohm} Ω" if wire.resistor_ohm else "–"
        part = words.say(phrase(f"wiring.part.{wire.role}"))
        yield seat, part, f"GPIO{wire.bcm}", str(wire.header), through, str(wire.ground)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    return " │ ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


def _rule(widths: Sequence[int], cross: str) -> str:
    return f"─{cross}─".join("─" * width for width in widths)
