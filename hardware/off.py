"""Switches every lamp and the buzzer off: `python -m hardware.off [CONFIG]`, run by systemd after the service ended.

A Raspberry Pi keeps the levels of its pins when a process dies, so a crash would leave lamps that lie.
"""

from __future__ import annotations

import sys
from pathlib import Path

from companion.errors import CompanionError
from companion.session import config
from companion.words import load
from hardware import pins
from hardware.board import Board
from hardware.presses import Gesture


def main(arguments: list[str]) -> int:
    """Exit code: 0 all dark, 1 not (the reason is printed)."""
    try:
        wanted = config.load_config(Path(arguments[0]) if arguments else None)
        Board(wanted.pins, ignore, pins.factory()).close()
    except CompanionError as error:
        sys.stderr.write(load().say(error.phrase) + "\n")
        return 1
    return 0


def ignore(gesture: Gesture) -> None:
    """Nobody listens to the buttons any more."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
