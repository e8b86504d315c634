"""The board as the page /panel shows and presses it: what the pins really do, mock or not.

    >>> from companion.session.config import PinConfig
    >>> from hardware import pins
    >>> mock = pins.factory("mock")
    >>> board = Board(PinConfig(seats=((5, 17),)), on_press=print, factory=mock)
    >>> panel = Panel(board)
    >>> panel.press("seat:0")
    Press(seat=0, long=False)
    >>> panel.state()["seats"][0]["lamp"]
    0.0
    >>> board.close()
    >>> mock.close()
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from companion.errors import HardwareError, InvalidError, phrase
from hardware.board import Board
from hardware.driver import TRIED_RGB, Manners
from hardware.pins import is_mock
from hardware.presses import HOLD_S, SPIKE_S, TOGETHER_S
from hardware.wiring import SEAT_MARKS

TOGETHER: Final = "together"
"""The name of the first two buttons, held together."""


class Panel:
    """What /panel needs. `state` may be called from any thread; `press` takes as long as a finger would."""

    def __init__(
        self, board: Board, sleep: Callable[[float], None] = time.sleep, manners: Manners | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._board, self._sleep, self._manners, self._clock = board, sleep, manners or Manners(), clock

    def state(self) -> dict[str, Any]:
        """JSON: `mock`; `seats`, each `button` (its name), `letter`, `pressed`, `presses` (how often since the start),
        `lamp` (0 to 1) and both pins; `status` with `rgb` (each 0 to 1) and its pins; `buzzer` with `hz` (0: silent)
        and its pin; `manners`, whether there is `sound` and whether all is `quiet`."""
        board = self._board
        return {
            "mock": is_mock(board.factory),
            "seats": [
                {
                    "button": f"seat:{seat}",
                    "letter": SEAT_MARKS[seat][0],
                    "pressed": button.pressed,
                    "presses": button.presses,
                    "lamp": float(lamp.value),
                    "pins": {"button": pins[0], "lamp": pins[1]},
                }
                for seat, (button, lamp, pins) in enumerate(zip(board.buttons, board.lamps, board.pins.seats))
            ],
            "status": {"rgb": list(board.status.value), "pins": list(board.pins.status_rgb)},
            "buzzer": {"hz": _hertz(board.buzzer), "pin": board.pins.buzzer},
            "manners": {"sound": self._manners.sound, "quiet": self._manners.quiet},
        }

    def choose_manner(self, name: str, on: bool) -> None:
        """Switches the sound (`sound`) or the quiet mode (`quiet`) on or off, until the service stops. Raises
        `InvalidError` when there is no such mode."""
        if name == "sound":
            self._manners.sound = on
        elif name == "quiet":
            self._manners.quiet = on
        else:
            raise InvalidError(phrase("hw.no_manner", key=name))

    def try_out(self, part: str) -> None:
        """Lets one part be seen, or heard, alone for a few seconds: `seat:0` (a lamp), `red`, `green`, `blue` or
        `buzzer`. Raises `InvalidError` when there is no such part."""
        if part not in (*(f"seat:{seat}" for seat in range(len(self._board.lamps))), *TRIED_RGB, "buzzer"):
            raise InvalidError(phrase("hw.no_part", key=part))
        self._manners.try_out(part, self._clock())

    def press(self, name: str, long: bool = False) -> None:
        """Presses a mock button named as in `state` and lets it go again; `together` holds the first two.

        Raises `InvalidError` when no button has the name, `HardwareError` when the pins are real.
        """
        if not is_mock(self._board.factory):
            raise HardwareError(phrase("hw.press_real"))
        buttons = {f"seat:{seat}": [button] for seat, button in enumerate(self._board.buttons)}
        buttons[TOGETHER] = self._board.buttons[:2]
        if name not in buttons:
            raise InvalidError(phrase("hw.no_button", key=name))
        pins = [button.device.pin for button in buttons[name]]
        for pin in pins:
            pin.drive_low()
        hold_s = TOGETHER_S if name == TOGETHER else HOLD_S
        self._sleep(hold_s * 1.25 if long or name == TOGETHER else SPIKE_S * 3)
        for pin in pins:
            pin.drive_high()


def _hertz(buzzer: Any) -> float:
    tone = buzzer.tone
    return 0.0 if tone is None else round(float(tone), 1)
