"""An enrolment with the camera as pages show it: what to lay where, what is seen, what came of it. Plain values that
cross from the eyes' process; nothing of them is in the journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.errors import Phrase
from companion.table import Appearance, PieceKind, Point

EnrolStage = Literal["opening", "laying", "ready", "learning", "learned", "stopped"]
"""The camera is being opened; a picture is to be laid; all are taken; the pieces are being learned; they are known;
it was broken off and can be gone on with."""

EnrolAct = Literal["take", "go_on", "again", "learn"]
"""What people want: this picture, this picture without what is missing, a picture once more, the pieces learned."""


@dataclass(frozen=True, slots=True)
class Lack:
    """A thing that does not lie where it was asked for, by its number, and how that is said."""

    number: int
    said: Phrase


@dataclass(frozen=True, slots=True)
class ThingToLay:
    """A piece to lay: centre in mm in the table frame (from card 0's marker, y to the back), turn in degrees
    anticlockwise. `number` is what it is called by; what stands in a crate has the crate's."""

    number: int
    appearance: Appearance
    kind: str
    at_mm: Point
    size_mm: Point
    turn_deg: float
    is_inside: bool = False


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A tag card, by its number: centre of its marker in mm, turn in degrees."""

    card: int
    at_mm: Point
    turn_deg: float


@dataclass(frozen=True, slots=True)
class Laying:
    """One picture to take: `what` names its kind as the plan does (bare, table, crates, empty_crates, flat, given)."""

    what: str
    things: tuple[ThingToLay, ...] = ()
    cards: tuple[LaidCard, ...] = ()


@dataclass(frozen=True, slots=True)
class AlikeShown:
    """Two pieces that are easily taken for each other: in words, with what would help. `is_good`: they are told apart.
    `pictures` are the names of their pictures, where there are some."""

    said: Phrase
    one: Appearance
    other: Appearance
    is_good: bool
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EnrolmentShown:
    """How far it is. `name` is the set of pieces, `game` its game's id; `number` counts pictures from 0 up to `count`,
    which is 1 until the bare table was seen; `taken` are those that are kept.

    `why` says why no picture can be taken now (None: it can), `is_checked` whether the lacks are those of the newest
    still picture, `is_taking` whether the next one that can be is taken, `share` how much is learned, `trouble`
    what went wrong last.
    """

    stage: EnrolStage
    name: str
    game: str
    number: int = 0
    count: int = 1
    taken: tuple[int, ...] = ()
    laying: Laying = Laying("bare")
    kinds: tuple[PieceKind, ...] = ()
    why: Phrase | None = None
    is_checked: bool = False
    lacks: tuple[Lack, ...] = ()
    is_taking: bool = False
    share: float = 0.0
    trouble: Phrase | None = None
    alike: tuple[AlikeShown, ...] = ()


@dataclass(frozen=True, slots=True)
class EnrolOrder:
    """To the eyes: people want this, of picture `number`. What is of another picture than the present one comes too
    late and is passed over; `again` names the picture to take once more."""

    act: EnrolAct
    number: int
