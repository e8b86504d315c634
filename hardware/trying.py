"""Buttons and lamps tried one after the other by a person at the table: behind `companion doctor --press`.

One lamp is lit, and the person presses the button beside it: that tells that the lamp is seen, that the button is
heard, and that both belong together. Held, it says that no lamp is lit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from companion.errors import Phrase, phrase
from companion.session.config import PinConfig
from hardware.board import Board
from hardware.doctor import Finding
from hardware.driver import TRIED_HZ, TRIED_RGB
from hardware.presses import Gesture, Press
from hardware.wiring import HEADER, part_phrase

WAIT_S: Final = 30.0
"""A person has so long to press a button."""

Ask = Callable[[Phrase], object]
Wait = Callable[[float], Gesture | None]
"""Gives the next gesture; None when there was none for so many seconds."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One part at `bcm` that is tried: the lamp of a `seat`, a colour of the status lamp, the buzzer. The button of the
    seat answers; None: any of them does."""

    role: str
    bcm: int
    seat: int | None = None

    @property
    def part(self) -> Phrase:
        """What is tried, in words."""
        return part_phrase(self.role, self.seat)

    def begin(self, board: Board) -> None:
        """This alone is lit, or sounds."""
        board.light([float(seat == self.seat) for seat in range(len(board.lamps))], TRIED_RGB.get(self.role, (0, 0, 0)))
        board.sound(TRIED_HZ if self.role == "buzzer" else 0.0)


def trials(pins: PinConfig) -> tuple[Trial, ...]:
    """All parts, in the order in which they are tried."""
    lamps = (Trial("lamp", lamp, seat) for seat, (_, lamp) in enumerate(pins.seats))
    return (*lamps, *(Trial(colour, bcm) for colour, bcm in zip(TRIED_RGB, pins.status_rgb)),
            Trial("buzzer", pins.buzzer))


def try_out(board: Board, ask: Ask, wait: Wait) -> Iterator[Finding]:
    """Lights one part after the other, asks for a press, and says what came of it."""
    for each in trials(board.pins):
        each.begin(board)
        ask(_asked(each))
        yield _judged(each, wait(WAIT_S), board.pins)
    board.light([0.0] * len(board.lamps), (0.0, 0.0, 0.0))
    board.sound(0)


def _asked(trial: Trial) -> Phrase:
    if trial.seat is not None:
        return phrase("doctor.press.lamp", part=trial.part)
    return phrase("doctor.press.buzzer" if trial.role == "buzzer" else "doctor.press.status", part=trial.part)


def _judged(trial: Trial, heard: Gesture | None, pins: PinConfig) -> Finding:
    where = {"part": trial.part, "bcm": trial.bcm, "pin": HEADER[trial.bcm]}
    if heard is None:
        return Finding(False, _silent(trial, pins))
    if not isinstance(heard, Press):
        return Finding(False, phrase("doctor.press.together"))
    if heard.long:
        return Finding(False, phrase("doctor.press.dark", **where))
    if trial.seat is None:
        return Finding(True, phrase("doctor.press.well_alone", **where))
    button = pins.seats[trial.seat][0]
    if heard.seat != trial.seat:
        there, other = pins.seats[heard.seat][0], part_phrase("button", heard.seat)
        return Finding(False, phrase("doctor.press.other", part=trial.part, other=other, bcm=there, wanted=button))
    return Finding(True, phrase("doctor.press.well", **where, button=button))


def _silent(trial: Trial, pins: PinConfig) -> Phrase:
    if trial.seat is None:
        return phrase("doctor.press.none", part=trial.part)
    button = pins.seats[trial.seat][0]
    return phrase("doctor.press.silent", part=part_phrase("button", trial.seat), bcm=button, pin=HEADER[button])
