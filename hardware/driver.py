"""Lets the lamps and the buzzer say what the table is like: the one thread that writes to the board.

    >>> from companion.session.config import PinConfig
    >>> from hardware import pins
    >>> mock = pins.factory("mock")
    >>> board = Board(PinConfig(seats=((5, 17), (6, 27))), on_press=print, factory=mock)
    >>> driver = Driver(board, Manners(LampConfig(brightness=0.5)))
    >>> driver.show(LampState("playing", seats=2, asked=frozenset({0})))
    >>> driver.render()
    >>> [lamp.value for lamp in board.lamps]
    [0.5, 0.0]
    >>> board.close()
    >>> mock.close()

In the service its `follow` runs in a thread of its own and shows every change of the session.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping

from companion.session.config import LampConfig
from companion.session.port import ClosedError, Desk
from hardware.board import Board
from hardware.lamps import Calm, LampState, Rgb, Tune, lamp_state, lamp_plan, tune

_logger = logging.getLogger(__name__)

RENDER_EVERY_S = 0.04
"""Time between two steps while a lamp breathes or a tune plays."""

IDLE_S = 1.0
"""Longest wait for a snapshot while no lamp changes."""


QUIET_LEVEL = 0.3
"""How bright lamps are in the quiet mode."""

TRIED_S = 4.0
"""A part that people try is lit, or sounds, for so long."""
TRIED_RGB: Mapping[str, Rgb] = {"red": (1.0, 0.0, 0.0), "green": (0.0, 1.0, 0.0), "blue": (0.0, 0.0, 1.0)}
"""The colours of the status lamp."""
TRIED_HZ = 440.0


class Manners:
    """How the table tells things: with `sound`, or `quiet`. Set by a page, read by the thread of the lamps."""

    def __init__(self, lamps: LampConfig = LampConfig()) -> None:  # noqa: B008  # it is frozen
        self.brightness, self.sound, self.quiet = lamps.brightness, lamps.buzzer, lamps.quiet
        self._tried: tuple[str, float] = ("", -math.inf)

    @property
    def level(self) -> float:
        """How bright a lamp is that is fully lit, 0 to 1."""
        return self.brightness * (QUIET_LEVEL if self.quiet else 1.0)

    @property
    def is_heard(self) -> bool:
        """Whether the buzzer sounds."""
        return self.sound and not self.quiet

    def try_out(self, part: str, now_s: float) -> None:
        """A person wants to see, or hear, this part alone: `seat:0`, a colour of the status lamp, or `buzzer`."""
        self._tried = part, now_s + TRIED_S

    def tried(self, now_s: float) -> str:
        """The part that is tried at this moment; empty when none is."""
        part, until_s = self._tried
        return part if now_s < until_s else ""


class Driver:
    """Renders the plan of the present state over time. Not for several threads; `changed_s` and `alive_s` may be read
    by any."""

    def __init__(self, board: Board, manners: Manners, clock: Callable[[], float] = time.monotonic) -> None:
        self._board, self._manners, self._clock = board, manners, clock
        self._seats = len(board.pins.seats)
        self._state = LampState("idle", self._seats)
        self._plan = lamp_plan(self._state)
        self._tune: Tune | None = None
        self._tune_s = 0.0
        self._calm = [Calm() for _ in range(self._seats + 1)]
        self.changed_s = clock()
        """When the plan last changed. A picture exposed across that moment shows two states of light."""
        self.alive_s = self.changed_s
        """When `follow` last came round, for the watchdog."""

    @property
    def restless(self) -> bool:
        """Whether a lamp is changing all the time now, or a tune plays."""
        now_s = self._clock()
        return self._plan.restless(now_s - self.changed_s) or self._tune is not None or self._manners.tried(now_s) != ""

    def follow(self, desk: Desk) -> None:
        """Shows every change of the session until the service stops; then closes the board."""
        listener = desk.listen("room")
        try:
            while True:
                self.alive_s = self._clock()
                if snapshot := listener.get(RENDER_EVERY_S if self.restless else IDLE_S):
                    self.show(lamp_state(snapshot, self._seats))
                self.render()
        except ClosedError:
            _logger.debug("lamps off: the service stops")
        finally:
            listener.close()
            self._board.close()

    def show(self, state: LampState) -> None:
        """Says `state` from now on."""
        before, self._state = self._state, state
        now_s = self._clock()
        wanted = lamp_plan(state)
        if wanted != self._plan or state.choice != before.choice:
            self._plan, self.changed_s = wanted, now_s
        if (news := tune(before, state)) and self._manners.is_heard:
            self._tune, self._tune_s = news, now_s

    def render(self) -> None:
        """Sets every pin to what the plan wants of it at this moment."""
        now_s = self._clock()
        if part := self._manners.tried(now_s):
            self._try(part)
            return
        since_s = now_s - self.changed_s
        seats = [calm.shown((light.at(since_s),), now_s)[0] for calm, light in zip(self._calm, self._plan.seats)]
        red, green, blue = self._calm[-1].shown(self._plan.status_at(since_s), now_s)
        bright = self._manners.level
        status: Rgb = (red * bright, green * bright, blue * bright)
        self._board.light([level * bright for level in seats], status)
        self._board.sound(self._hertz(now_s))

    def _try(self, part: str) -> None:
        seats = [float(part == f"seat:{seat}") for seat in range(self._seats)]
        self._board.light(seats, TRIED_RGB.get(part, (0.0, 0.0, 0.0)))
        self._board.sound(TRIED_HZ if part == "buzzer" else 0.0)

    def _hertz(self, now_s: float) -> float:
        if self._tune is None or not self._manners.is_heard:
            self._tune = None
            return 0.0
        if (hertz := self._tune.at(now_s - self._tune_s)) is None:
            self._tune = None
        return hertz or 0.0
