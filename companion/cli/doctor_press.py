"""`companion doctor --press`: every button and lamp is tried by a person at the table."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, Queue

from companion.errors import HardwareError, Phrase, phrase
from companion.session.config import Config
from companion.words import Words
from hardware import pins
from hardware.board import Board
from hardware.presses import Gesture
from hardware.trying import try_out


def press_all(
    config: Config, words: Words, factory: pins.Factory | None = None, clock: Callable[[], float] = time.monotonic
) -> int:
    """Lights one lamp after the other and says what came of each; exit code 1 when one of them is not well. Raises
    `HardwareError` when the pins cannot be had."""
    factory = pins.factory(config.pins.factory) if factory is None else factory
    if pins.is_mock(factory):
        raise HardwareError(phrase("doctor.press.mock"))
    heard = Queue[Gesture]()

    def say(what: Phrase) -> None:
        print(words.say(what), flush=True)

    def wait(seconds: float) -> Gesture | None:
        try:
            return heard.get(timeout=seconds)
        except Empty:
            return None

    try:
        board = Board(config.pins, heard.put, factory, clock=clock)
    except HardwareError:
        say(phrase("doctor.press.running"))
        raise
    say(phrase("doctor.press.how"))
    well = True
    try:
        for found in try_out(board, say, wait):
            print(f"{'✓' if found.well else '✗'} {words.say(found.sentence)}", flush=True)
            well = well and found.well
    finally:
        board.close()
    return 0 if well else 1
