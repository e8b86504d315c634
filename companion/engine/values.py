"""The frozen values that games, records and observers speak in: plies, turns, views, parts of a set-up."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Generic, Literal, TypeVar

from companion.errors import Phrase
from companion.table import Placement, Spot

Json = Any
"""A JSON value as `json.loads` gives it."""

Seat = int
Player = int | Literal["chance"]
CHANCE: Final = "chance"
Observer = int | Literal["room", "referee"]
"""A seat, the room (what everybody may see), or the referee (no seat; may know all that the engine knows)."""

ActionT = TypeVar("ActionT", covariant=True)


@dataclass(frozen=True, slots=True)
class Ply(Generic[ActionT]):
    """One action by one player: the unit of records, undo and interpretation."""

    player: Player
    action: ActionT


Odds = tuple[ActionT, Fraction]
"""An outcome of chance with its exact probability."""


@dataclass(frozen=True, slots=True)
class ToMove:
    """These seats are to act: one, or several at once (hidden simultaneous choices). `ask` says what is asked."""

    seats: tuple[Seat, ...]
    ask: Phrase


@dataclass(frozen=True, slots=True)
class Chance:
    """Chance is due: `ask` says what the players must enter (what was drawn, what came out of the machine)."""

    ask: Phrase


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended: the winning seats (empty: nobody) and one of the game's `reasons`."""

    winners: tuple[Seat, ...]
    reason: str


Turn = ToMove | Chance | Over


@dataclass(frozen=True, slots=True)
class Choose:
    """Stands in a list of legal plies for all actions that pick a subset: `number` of `among` (None: any number).

    `rest` are the other keys of the action, `key` is the one that the chosen list stands under. A game's `apply` takes
    the action itself, never a `Choose`.
    """

    type: str
    among: tuple[str, ...]
    number: int | None
    rest: tuple[tuple[str, Json], ...] = ()
    key: str = "chosen"


@dataclass(frozen=True, slots=True)
class Seen:
    """A state redacted for one observer: the only thing that pages, lamps and exports accept.

    `known` is the game's own frozen value with all that this observer knows; two states of which the observer knows the
    same give equal `Seen`. `facts` are lines for the page ("in your hand": …).
    """

    game: str
    observer: Observer
    turn: Turn
    scores: tuple[int, ...]
    placement: Placement
    known: object
    facts: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A part of a seat's score: `points` for what `said` tells, by the rule of this number (`"KC 7.1"`)."""

    said: Phrase
    points: int
    rule: str


ScoreParts = tuple[tuple[ScorePart, ...], ...]
"""The parts of all scores, by seat."""

SetupPath = tuple[str | int, ...]
"""Keys and indices that lead to a part of a set-up, or a name of that part."""


@dataclass(frozen=True, slots=True)
class OpenPart:
    """A part of a set-up that a picture did not settle: the value at `path` is one of `choices`; `spot` shows it, if
    anything does."""

    path: SetupPath
    spot: Spot | None
    choices: tuple[Json, ...]
