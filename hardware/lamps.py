"""What the lamps and the buzzer should do: pure functions of the table's state and the time.

Nothing here is latched: a lamp is what `lamp_plan(state)` says, at every moment. Colours are never alone: each mood
has a rhythm of its own. No lamp goes on and off more than three times a second (photosensitive people).

    your turn    the seat's lamp is steady
    reading      the lamps of the seats on turn breathe, the status lamp with them
    question     two blinks, then a rest, at every seat that may answer
    taken        the lamps of the seats that are asked fade: the choice shown is taken when they are dark
    impossible   neighbouring seats' lamps take slow turns
    pause        every lamp glows up shortly, now and then
    end          the winners' lamps are steady
    unheeded     three blinks at the seat whose press changed nothing, then what its lamp did before

    >>> lamps = lamp_plan(LampState("playing", seats=2, asked=frozenset({1})))
    >>> [light.at(5.0) for light in lamps.seats]
    [0.0, 1.0]
    >>> question = lamp_plan(LampState("question", seats=2, asked=frozenset({1})))
    >>> [question.seats[1].at(since_s) for since_s in (0.1, 0.3, 0.5, 1.0)]
    [1.0, 0.0, 1.0, 0.0]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import cos, pi
from typing import Literal

from companion.engine import Over, ToMove, Turn
from companion.session.answers import POINT_S
from companion.session.snapshot import Snapshot
from companion.table import HINDERED, EyesState

Mood = Literal["idle", "paused", "playing", "reading", "question", "taken", "impossible", "blind", "over"]
"""What the table is like: no game; a pause; play goes on; a look is being read; a question is open; a choice is taken
in a moment; the table cannot be so; no camera; the game has ended."""

Rhythm = Literal[
    "off", "steady", "breathing", "two_blinks", "first_half", "second_half", "short_dip", "short_glow", "fading"
]
Rgb = tuple[float, float, float]
"""Red, green, blue, each 0 to 1."""

DIM = 0.2
"""Brightness of lamps that ask nobody for anything."""

BREATH_S = 3.0
BLINKS_S = 2.0
ALTERNATION_S = 2.0
DIP_S = 4.0
UNHEEDED_BLINK_S = 0.4
UNHEEDED_S = 3 * UNHEEDED_BLINK_S


@dataclass(frozen=True, slots=True)
class LampState:
    """All that the lamps depend on: `mood`, the number of `seats` that have a lamp, and the seats that are `asked` (on
    turn, to answer, to put the table right, or the winners)."""

    mood: Mood
    seats: int
    asked: frozenset[int] = frozenset()
    unheeded: int | None = None
    """The seat whose button was pressed without anything coming of it."""
    choice: int = 0
    """Which choice is taken in a moment."""


READING: frozenset[EyesState] = frozenset({"starting", "moving", "settling", "reading"})
"""States of the eyes in which a reading is on its way."""


def lamp_state(snapshot: Snapshot, seats: int) -> LampState:
    """The state of `seats` lamps for a snapshot. What a person must answer comes before everything else."""
    unheeded = None if snapshot.unheeded is None else snapshot.unheeded.seat
    return replace(_calm_state(snapshot, seats), unheeded=unheeded)


def _calm_state(snapshot: Snapshot, seats: int) -> LampState:
    if snapshot.seen is None:
        return LampState("idle", seats)
    if snapshot.can_reopen:  # people ended it: nobody is asked
        return LampState("over", seats)
    if isinstance(snapshot.seen.turn, Over) or not snapshot.paused:
        return _going_on(snapshot, snapshot.seen.turn, seats)
    return LampState("paused", seats, frozenset(range(len(snapshot.players))))


def _going_on(snapshot: Snapshot, turn: Turn, seats: int) -> LampState:
    if snapshot.question is not None:
        pointed = snapshot.question.pointed
        mood: Mood = "question" if pointed is None else "taken"
        return LampState(mood, seats, frozenset(snapshot.question.seats), choice=pointed or 0)
    if snapshot.undo is not None:
        return LampState("question", seats, frozenset(snapshot.undo.waiting))
    if snapshot.odd:
        return LampState("impossible", seats, frozenset(range(len(snapshot.players))))
    if isinstance(turn, Over):
        return LampState("over", seats, frozenset(turn.winners))
    asked = frozenset(turn.seats) if isinstance(turn, ToMove) else frozenset()
    return LampState(_mood(snapshot.eyes.state), seats, asked)


def _mood(eyes: EyesState) -> Mood:
    if eyes in HINDERED:
        return "blind"
    return "reading" if eyes in READING else "playing"


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp: `rhythm` over time, at its brightest `level` (0 to 1)."""

    rhythm: Rhythm = "off"
    level: float = 1.0
    unheeded: bool = False
    """Whether it blinks three times first."""

    def at(self, since_s: float) -> float:
        """Brightness 0 to 1, `since_s` seconds after the plan began."""
        if self.unheeded and since_s < UNHEEDED_S:
            return 1.0 if since_s % UNHEEDED_BLINK_S < UNHEEDED_BLINK_S / 2 else 0.0
        return self.level * RHYTHMS[self.rhythm](since_s)

    def is_restless(self, since_s: float) -> bool:
        """Whether it still changes by itself, `since_s` seconds after the plan began."""
        over_s = ENDING.get(self.rhythm, math.inf)
        return since_s < (UNHEEDED_S if self.unheeded else 0.0) or since_s < over_s


@dataclass(frozen=True, slots=True)
class LampPlan:
    """What every lamp does until the state changes: a light a seat, and the status lamp with its colour."""

    seats: tuple[Light, ...]
    status: Light = Light()
    rgb: Rgb = (0.0, 0.0, 0.0)

    def restless(self, since_s: float = 0.0) -> bool:
        """Whether any lamp still changes while the plan stays, `since_s` seconds after it began."""
        return any(light.is_restless(since_s) for light in (*self.seats, self.status))

    def status_at(self, since_s: float) -> Rgb:
        """Red, green and blue of the status lamp, `since_s` seconds after the plan began."""
        level = self.status.at(since_s)
        red, green, blue = self.rgb
        return (red * level, green * level, blue * level)


class Calm:
    """Keeps one lamp from flashing when states follow each other quickly: a sudden rise waits until
    `MIN_RISE_GAP_S` after the last one. `now_s` is any steadily running clock in seconds."""

    MIN_RISE_GAP_S = 0.35
    SUDDEN = 0.3

    def __init__(self) -> None:
        self._shown: tuple[float, ...] = ()
        self._rose_s = -self.MIN_RISE_GAP_S

    def shown(self, wanted: tuple[float, ...], now_s: float) -> tuple[float, ...]:
        """The brightness of each colour to show now, given the brightness wanted."""
        before = self._shown or (0.0,) * len(wanted)
        if max(new - old for new, old in zip(wanted, before)) > self.SUDDEN:
            if now_s - self._rose_s < self.MIN_RISE_GAP_S:
                return before
            self._rose_s = now_s
        self._shown = wanted
        return wanted


def _breathing(since_s: float) -> float:
    return 0.55 + 0.45 * cos(2 * pi * since_s / BREATH_S)


def _two_blinks(since_s: float) -> float:
    phase_s = since_s % BLINKS_S
    return 1.0 if phase_s < 0.2 or 0.4 <= phase_s < 0.6 else 0.0


def _first_half(since_s: float) -> float:
    return 1.0 if since_s % ALTERNATION_S < ALTERNATION_S / 2 else 0.0


RHYTHMS: dict[Rhythm, Callable[[float], float]] = {
    "off": lambda _since_s: 0.0,
    "steady": lambda _since_s: 1.0,
    "breathing": _breathing,
    "two_blinks": _two_blinks,
    "first_half": _first_half,
    "second_half": lambda since_s: 1.0 - _first_half(since_s),
    "short_dip": lambda since_s: 0.0 if since_s % DIP_S < 0.5 else 1.0,
    "short_glow": lambda since_s: 1.0 if since_s % DIP_S < 0.5 else 0.0,
    "fading": lambda since_s: max(0.0, 1.0 - since_s / POINT_S),
}

ENDING: dict[Rhythm, float] = {"off": 0.0, "steady": 0.0, "fading": POINT_S}
"""Seconds after which a rhythm changes nothing more."""

STATUS: dict[Mood, tuple[Light, Rgb]] = {
    "idle": (Light("steady", DIM), (1.0, 1.0, 1.0)),
    "paused": (Light("short_glow"), (1.0, 1.0, 1.0)),
    "playing": (Light("steady", DIM), (0.0, 1.0, 0.0)),
    "reading": (Light("breathing"), (0.0, 0.4, 1.0)),
    "question": (Light("two_blinks"), (1.0, 0.8, 0.0)),
    "taken": (Light("fading"), (1.0, 0.8, 0.0)),
    "impossible": (Light("first_half"), (1.0, 0.0, 0.0)),
    "blind": (Light("short_dip"), (0.8, 0.0, 1.0)),
    "over": (Light("steady"), (1.0, 1.0, 1.0)),
}

ASKED: dict[Mood, Light] = {
    "idle": Light(),
    "paused": Light("short_glow", DIM),
    "playing": Light("steady"),
    "reading": Light("breathing"),
    "question": Light("two_blinks"),
    "taken": Light("fading"),
    "blind": Light("steady"),
    "over": Light("steady"),
}
"""The lamp of a seat that is asked. Without a camera play goes on by hand, so a turn stays a turn."""


def lamp_plan(state: LampState) -> LampPlan:
    """What the lamps do in this state; the same state always gives the same plan."""
    status, rgb = STATUS[state.mood]
    return LampPlan(tuple(_seat_light(state, seat) for seat in range(state.seats)), status, rgb)


def _seat_light(state: LampState, seat: int) -> Light:
    return replace(_asked_light(state, seat), unheeded=seat == state.unheeded)


def _asked_light(state: LampState, seat: int) -> Light:
    if seat not in state.asked:
        return Light()
    if state.mood == "impossible":
        return Light("first_half" if seat % 2 else "second_half")
    return ASKED[state.mood]


@dataclass(frozen=True, slots=True)
class Tune:
    """Notes one after the other: (frequency in Hz, 0 a rest; duration in seconds)."""

    notes: tuple[tuple[float, float], ...]

    def at(self, since_s: float) -> float | None:
        """The frequency in Hz that sounds `since_s` after the tune began, 0 in a rest, None when it is over."""
        for hertz, duration_s in self.notes:
            if since_s < duration_s:
                return hertz
            since_s -= duration_s
        return None


YOUR_TURN = Tune(((440.0, 0.08),))
QUESTION = Tune(((523.3, 0.1), (0.0, 0.08), (659.3, 0.14)))
IMPOSSIBLE = Tune(((329.6, 0.18), (0.0, 0.08), (261.6, 0.3)))
OVER = Tune(((523.3, 0.12), (659.3, 0.12), (784.0, 0.3)))
UNHEEDED = Tune(((196.0, 0.12), (0.0, 0.06), (196.0, 0.12)))
TUNES: dict[Mood, Tune] = {"question": QUESTION, "impossible": IMPOSSIBLE, "over": OVER}


def tune(before: LampState, after: LampState) -> Tune | None:
    """What the buzzer plays when one state follows the other; None: it is silent."""
    if after.unheeded is not None and before.unheeded is None:
        return UNHEEDED
    if after.mood != before.mood and after.mood in TUNES:
        return TUNES[after.mood]
    if after.mood in ("playing", "blind") and after.asked - before.asked:
        return YOUR_TURN
    return None
