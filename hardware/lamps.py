"""What the lamps and the buzzer should do: pure functions of the table's state and the time.

Nothing here is latched: a lamp is what `lamp_plan(state)` says, at every moment. Colours are never alone: each mood
has a rhythm of its own. No lamp goes on and off more than three times a second (photosensitive people).

    your turn    the seat's lamp is steady
    reading      the lamps of the seats on turn breathe, the status lamp with them
    question     two blinks, then a rest, at every seat that may answer
    impossible   neighbouring seats' lamps take slow turns

    >>> lamps = lamp_plan(LampState("playing", seats=2, asked=frozenset({1})))
    >>> [light.at(5.0) for light in lamps.seats]
    [0.0, 1.0]
    >>> question = lamp_plan(LampState("question", seats=2, asked=frozenset({1})))
    >>> [question.seats[1].at(since_s) for since_s in (0.1, 0.3, 0.5, 1.0)]
    [1.0, 0.0, 1.0, 0.0]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi
from typing import Literal

from companion.engine import Over, ToMove
from companion.session.snapshot import Snapshot
from companion.table import HINDERED, EyesState

Mood = Literal["idle", "playing", "reading", "question", "impossible", "blind", "over"]
"""What the table is like: no game; play goes on; a look is being read; a question is open; the table cannot be so;
no camera; the game has ended."""

Rhythm = Literal["off", "steady", "breathing", "two_blinks", "first_half", "second_half", "short_dip"]
Rgb = tuple[float, float, float]
"""Red, green, blue, each 0 to 1."""

DIM = 0.2
"""Brightness of lamps that ask nobody for anything."""

BREATH_S = 3.0
BLINKS_S = 2.0
ALTERNATION_S = 2.0
DIP_S = 4.0


@dataclass(frozen=True, slots=True)
class LampState:
    """All that the lamps depend on: `mood`, the number of `seats` that have a lamp, and the seats that are `asked` (on
    turn, to answer, to put the table right, or the winners)."""

    mood: Mood
    seats: int
    asked: frozenset[int] = frozenset()


READING: frozenset[EyesState] = frozenset({"starting", "moving", "reading"})
"""States of the eyes in which a reading is on its way."""


def lamp_state(snapshot: Snapshot, seats: int) -> LampState:
    """The state of `seats` lamps for a snapshot. What a person must answer comes before everything else."""
    if snapshot.seen is None or snapshot.paused:
        return LampState("idle", seats)
    if snapshot.question is not None:
        return LampState("question", seats, frozenset(snapshot.question.seats))
    if snapshot.undo is not None:
        return LampState("question", seats, frozenset(snapshot.undo.waiting))
    if snapshot.odd:
        return LampState("impossible", seats, frozenset(range(len(snapshot.players))))
    turn = snapshot.seen.turn
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

    def at(self, since_s: float) -> float:
        """Brightness 0 to 1, `since_s` seconds after the plan began."""
        return self.level * RHYTHMS[self.rhythm](since_s)


@dataclass(frozen=True, slots=True)
class LampPlan:
    """What every lamp does until the state changes: a light a seat, and the status lamp with its colour."""

    seats: tuple[Light, ...]
    status: Light = Light()
    rgb: Rgb = (0.0, 0.0, 0.0)

    def restless(self) -> bool:
        """Whether any lamp changes while the plan stays."""
        return any(light.rhythm not in ("off", "steady") for light in (*self.seats, self.status))

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
}

STATUS: dict[Mood, tuple[Light, Rgb]] = {
    "idle": (Light("steady", DIM), (1.0, 1.0, 1.0)),
    "playing": (Light("steady", DIM), (0.0, 1.0, 0.0)),
    "reading": (Light("breathing"), (0.0, 0.4, 1.0)),
    "question": (Light("two_blinks"), (1.0, 0.8, 0.0)),
    "impossible": (Light("first_half"), (1.0, 0.0, 0.0)),
    "blind": (Light("short_dip"), (0.8, 0.0, 1.0)),
    "over": (Light("steady"), (1.0, 1.0, 1.0)),
}

ASKED: dict[Mood, Light] = {
    "idle": Light(),
    "playing": Light("steady"),
    "reading": Light("breathing"),
    "question": Light("two_blinks"),
    "blind": Light("steady"),
    "over": Light("steady"),
}
"""The lamp of a seat that is asked. Without a camera play goes on by hand, so a turn stays a turn."""


def lamp_plan(state: LampState) -> LampPlan:
    """What the lamps do in this state; the same state always gives the same plan."""
    status, rgb = STATUS[state.mood]
    return LampPlan(tuple(_seat_light(state, seat) for seat in range(state.seats)), status, rgb)


def _seat_light(state: LampState, seat: int) -> Light:
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
TUNES: dict[Mood, Tune] = {"question": QUESTION, "impossible": IMPOSSIBLE, "over": OVER}


def tune(before: LampState, after: LampState) -> Tune | None:
    """What the buzzer plays when one state follows the other; None: it is silent."""
    if after.mood != before.mood and after.mood in TUNES:
        return TUNES[after.mood]
    if after.mood in ("playing", "blind") and after.asked - before.asked:
        return YOUR_TURN
    return None
