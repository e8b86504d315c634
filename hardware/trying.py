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

PRESS_WAIT_S: Final = 30.0
"""A person has so long to press a button."""

AskPerson = Callable[[Phrase], object]
Wait = Callable[[float], Gesture | None]
"""Gives the next gesture; None when there was none for so many seconds."""


@dataclass(frozen=True, slots=True)
class PartTrial:
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


def trials(pins: PinConfig) -> tuple[PartTrial, ...]:
    """All parts, in the order in which they are tried."""
    lamps = (PartTrial("lamp", lamp, seat) for seat, (_, lamp) in enumerate(pins.seats))
    return (*lamps, *(PartTrial(colour, bcm) for colour, bcm in zip(TRIED_RGB, pins.status_rgb)),
            PartTrial("buzzer", pins.buzzer))


def try_out(board: Board, ask: AskPerson, wait: Wait) -> Iterator[Finding]:
    """Lights one part after the other, asks for a press, and says what came of it."""
    for each in trials(board.pins):
        each.begin(board)
        ask(_asked(each))
        yield _judged(each, wait(PRESS_WAIT_S), board.pins)
    board.light([0.0] * len(board.lamps), (0.0, 0.0, 0.0))
    board.sound(0)


def _asked(trial: PartTrial) -> Phrase:
    if trial.seat is not None:
        return phrase("doctor.press.lamp", part=trial.part)
    return phrase("doctor.press.buzzer" if trial.role == "buzzer" else "doctor.press.status", part=trial.part)


def _judged(trial: PartTrial, heard: Gesture | None, pins: PinConfig) -> Finding:
    if heard is None:
        return Finding(False, _silent(trial, pins))
    if not isinstance(heard, Press):
        return Finding(False, phrase("doctor.press.together"))
    if heard.long:
        return Finding(False, phrase("doctor.press.dark", part=trial.part, bcm=trial.bcm, pin=HEADER[trial.bcm]))
    if trial.seat is None:
        return Finding(True, phrase("doctor.press.well_alone", part=trial.part, bcm=trial.bcm))
    button = pins.seats[trial.seat][0]
    if heard.seat != trial.seat:
        there, other = pins.seats[heard.seat][0], part_phrase("button", heard.seat)
        return Finding(False, phrase("doctor.press.other", part=trial.part, other=other, bcm=there, wanted=button))
    return Finding(True, phrase("doctor.press.well", part=trial.part, bcm=trial.bcm, button=button))


def _silent(trial: PartTrial, pins: PinConfig) -> Phrase:
    if trial.seat is None:
        return phrase("doctor.press.none", part=trial.part)
    button = pins.seats[trial.seat][0]
    return phrase("doctor.press.silent", part=part_phrase("button", trial.seat), bcm=button, pin=HEADER[button])
