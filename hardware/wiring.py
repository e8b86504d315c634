"""What is soldered where: lists every connection, and warns of pins that other functions use too.

That the pins exist and that none is used twice is checked where the config is read. Pins are named by their BCM
numbers (`GPIO17`), as gpiozero does; the place on the 40-pin header is listed beside it.

    >>> from companion.session.config import PinConfig
    >>> [(wire.role, wire.bcm, wire.header, wire.resistor_ohm) for wire in wires(PinConfig(seats=((5, 17),)))][:2]
    [('button', 5, 29, 0), ('lamp', 17, 11, 330)]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.errors import Phrase, phrase
from companion.session.config import PinConfig

HEADER = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21,
    25: 22, 11: 23, 8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""BCM number → pin of the 40-pin header."""

GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
"""Pins of the header that are ground."""

RESERVED = {0: "HAT EEPROM", 1: "HAT EEPROM", 2: "I2C", 3: "I2C", 14: "UART", 15: "UART"}
"""Pins that work, but that other functions of a Pi use too: worth a warning."""

LED_OHM = 330
BUZZER_OHM = 100

SEAT_MARKS = (
    ("A", "●", "blue"),
    ("B", "■", "orange"),
    ("C", "▲", "green"),
    ("D", "◆", "vermilion"),
    ("E", "★", "purple"),
    ("F", "⬢", "sky"),
)
"""Letter, shape and colour of each seat, as on every page."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One connection: pin `bcm` through `resistor_ohm` (0: none) to the part `role`, and from there to ground.

    `role` is `button`, `lamp`, `red`, `green`, `blue` or `buzzer`; `seat` is its seat, None for what all share.
    """

    role: str
    bcm: int
    resistor_ohm: int = 0
    seat: int | None = None

    @property
    def header(self) -> int:
        """The pin of the header, counted from 1."""
        return HEADER[self.bcm]

    @property
    def ground(self) -> int:
        """The nearest ground on the header."""
        return min(GROUNDS, key=lambda pin: abs(pin - self.header))

    @property
    def part(self) -> Phrase:
        """The part in words: "button of seat A"."""
        return part_phrase(self.role, self.seat)


def part_phrase(role: str, seat: int | None = None) -> Phrase:
    """A part in words; `seat` is its seat, None for what all share."""
    return phrase(f"hw.part.{role}") if seat is None else phrase(f"hw.part.{role}", seat=SEAT_MARKS[seat][0])


def wires(pins: PinConfig) -> tuple[Wire, ...]:
    """Every connection, seat by seat, then what all share."""
    return tuple(_wires(pins))


def _wires(pins: PinConfig) -> Iterator[Wire]:
    for seat, (button, lamp) in enumerate(pins.seats):
        yield Wire("button", button, 0, seat)
        yield Wire("lamp", lamp, LED_OHM, seat)
    for colour, bcm in zip(("red", "green", "blue"), pins.status_rgb):
        yield Wire(colour, bcm, LED_OHM)
    yield Wire("buzzer", pins.buzzer, BUZZER_OHM)


def warnings(pins: PinConfig) -> tuple[Phrase, ...]:
    """What is said of pins that work here, but that other things on a Pi like to use."""
    return tuple(
        phrase("hw.pin_reserved", bcm=wire.bcm, part=wire.part, bus=RESERVED[wire.bcm])
        for wire in wires(pins)
        if wire.bcm in RESERVED
    )
