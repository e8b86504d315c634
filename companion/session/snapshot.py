"""What the session shows to one observer: all that pages and lamps may know, in one frozen value.

Everything about the game comes from `Game.view` (already redacted for the observer) and from phrases.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.engine import Observer, Over, Player, ScoreParts, Seat, Seen, SetupPath
from companion.engine.positions import POSITION_SAID
from companion.errors import Phrase
from companion.table import COLOURS, Appearance, EyesState, Layout, Placement, Point, Spot


@dataclass(frozen=True, slots=True)
class PlayerShown:
    """Who sits where. `colour` is the player's colour of drinks where the game gives one, else None."""

    seat: Seat
    name: str
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class PlyShown:
    """One of the last plies, in words. `n` counts from 1; `source` as in a record (`camera`, `phone`, `button` …)."""

    n: int
    player: Player
    phrase: Phrase
    source: str
    confidence: float | None = None

    @property
    def is_position(self) -> bool:
        """Whether it is none of the game's own: the whole position was put right."""
        return self.phrase.id == POSITION_SAID


@dataclass(frozen=True, slots=True)
class ChoiceShown:
    """One answer to a question: its plies in words, and what would stand where after them (for this observer).

    `touched` are the spots in which `placement` differs from the present one: the part of the board to draw.
    """

    plies: tuple[Phrase, ...]
    placement: Placement
    touched: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class QuestionShown:
    """An open question. An answer names `id` and the number of a choice from 0, or None for "none of these"."""

    id: int
    choices: tuple[ChoiceShown, ...]
    seats: tuple[Seat, ...]
    """Whose button answers it: the players of the plies in question."""
    pointed: int | None = None
    """The choice that is taken in a moment, as a button was pressed; None: no button was."""


@dataclass(frozen=True, slots=True)
class CorrectionShown:
    """What a person can say instead of the last plies: `plies` are the record objects (`player`, `action`) to send in a
    `Correct`, `phrases` the same in words; `placement` and `touched` as in a `ChoiceShown`."""

    plies: tuple[Any, ...]
    phrases: tuple[Phrase, ...]
    placement: Placement
    touched: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class CoveredShown:
    """A ply of a seat that others saw only in part (a coin spent face down): ply `n`, what it is taken for, and what
    else it may have been, each as the action to send and in words."""

    n: int
    phrase: Phrase
    choices: tuple[tuple[Any, Phrase], ...]


@dataclass(frozen=True, slots=True)
class HandShown:
    """What a seat alone may see and tell: what it may hold now, each as the JSON to send in a `Confide`, and its own
    covered plies, the newest first."""

    may_tell: tuple[Any, ...]
    covered: tuple[CoveredShown, ...]


@dataclass(frozen=True, slots=True)
class UndoShown:
    """A move is asked back: `by` wants it, the seats in `waiting` have not agreed yet, `plies` would go."""

    by: Seat
    plies: int
    waiting: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Unheeded:
    """A button of this seat was pressed and nothing came of it: `why`."""

    seat: Seat
    why: Phrase


@dataclass(frozen=True, slots=True)
class CarryShown:
    """A bot's ply that somebody is to carry out, in words, and what would stand where after it."""

    seat: Seat
    phrase: Phrase
    placement: Placement


@dataclass(frozen=True, slots=True)
class ClockShown:
    """How long a seat has thought: whole seconds until its last turn, and since when (RFC 3339) it thinks now, if it
    does."""

    seat: Seat
    used_s: int
    since: str = ""


@dataclass(frozen=True, slots=True)
class EyesShown:
    """What the eyes do. `why` says it to people; None: all is well."""

    state: EyesState
    why: Phrase | None = None


@dataclass(frozen=True, slots=True)
class PartShown:
    """A part of a set-up that the look left open: a person says which of `choices` it is. `spot` shows it, if
    anything does; `things` lie there (x, y in mm in the table frame, and whether it is clear that it is none of the
    choices, or what it is)."""

    path: SetupPath
    spot: Spot | None
    choices: tuple[Any, ...]
    things: tuple[tuple[Point, bool], ...] = ()

    @property
    def picture(self) -> str:
        """The name of the picture that shows it."""
        return ".".join(map(str, self.path))


@dataclass(frozen=True, slots=True)
class DraftShown:
    """A set-up that is being read. `is_read`: a look has shown it; `placement` draws it, open parts by their first
    choice. `parts` are all that was read or said, by path. `ready`: the game can begin; `why_not` is the rule that is
    in the way."""

    is_read: bool
    placement: Placement
    open: tuple[PartShown, ...]
    parts: tuple[tuple[SetupPath, Any], ...]
    differs: bool
    """Whether the table shows another set-up than was entered before."""
    ready: bool
    why_not: Phrase | None = None
    waiting: tuple[Seat, ...] = ()
    """The seats that have still to say what they alone see; each is asked on its own phones."""


@dataclass(frozen=True, slots=True)
class SetupPartShown:
    """A part of the set-up of a game that goes on: what it was told as, and what it may be instead."""

    path: SetupPath
    value: Any
    others: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class SetupChangeShown:
    """What comes of it when the set-up is `value` at `path`: all parts that change, and how many of the last plies
    cannot have been (`first` is the first of them, in words)."""

    path: SetupPath
    value: Any
    changed: tuple[tuple[SetupPath, Any], ...]
    drop: int
    first: Phrase | None


@dataclass(frozen=True, slots=True)
class SetupAgainShown:
    """The set-up of the game, to be put right; `why_not` says why it, or what was asked, cannot be."""

    seq: int
    parts: tuple[SetupPartShown, ...] = ()
    change: SetupChangeShown | None = None
    why_not: Phrase | None = None


@dataclass(frozen=True, slots=True)
class PositionShown:
    """A position to go on from: what stands on the table as the game has it (`now`) and as the eyes see it where that
    is something else (`seen`), all pieces that there are, and `seat`, which is to move. `scores` are those of what was
    asked about, `is_over`: the game would end by it; `why_not` says why it cannot be."""

    seq: int
    now: Placement = field(default_factory=dict)
    pieces: tuple[Appearance, ...] = ()
    seat: Seat = 0
    seen: Placement | None = None
    scores: tuple[int, ...] = ()
    is_over: bool = False
    why_not: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole of what one observer is shown.

    `seq` is the number that commands carry back; it grows with every ply, question and request, never falls while the
    journal lives, and stays when only the eyes' state changes. `version` grows with every change whatsoever, from 1 at
    each start of the service. Without a game `game` is empty, `seen` and `layout` are None.
    """

    seq: int
    version: int
    observer: Observer
    game: str
    match: int
    """Number of the game in the journal, from 1; 0 without a game."""
    players: tuple[PlayerShown, ...]
    seen: Seen | None
    layout: Layout | None
    plies: int
    last: tuple[PlyShown, ...]
    """The last plies, newest last, at most `MAX_LAST_PLIES`."""
    question: QuestionShown | None
    odd: tuple[Phrase, ...]
    """What cannot be explained on the table."""
    differences: tuple[Phrase, ...]
    """What to do so that the table agrees with the game ("put the red tall can back on c4")."""
    undo: UndoShown | None
    can_undo: bool
    """Whether there is a ply to take back, for whom it may ever be."""
    paused: bool
    eyes: EyesShown
    can_reopen: bool = False
    """Whether people ended the last game and may go on with it: no other has begun."""
    trouble: tuple[Phrase, ...] = ()
    """Troubles of the house itself: a journal that cannot be written."""
    notices: tuple[Phrase, ...] = ()
    """What happened to the journal (it was damaged, put aside, salvaged), until a person has read it."""
    offered: Placement | None = None
    """What surely stands on the table, where no move explains it: the game can go on from it."""
    before: Placement | None = None
    """What stood where before the last ply, for this observer; None without a ply."""
    owners: Mapping[Appearance, Seat] = field(default_factory=dict)
    """Whose pieces are, where the start tells it: what lay in zones of one seat alone."""
    has_hand: bool = False
    """Whether this observer is a seat that may tell of what it alone sees."""
    hints: bool = False
    """Whether the players allowed hints at the start."""
    host_corrects: bool = False
    """Whether the host alone puts right what is not a seat's own last turn."""
    colours: tuple[str, ...] = COLOURS
    """Of the piece set that is played with."""
    draft: DraftShown | None = None
    """A game that has not begun: its set-up is being read. `seen` is None then."""
    clocks: tuple[ClockShown, ...] = ()
    """How long each seat has thought; empty if that is not counted."""
    carry: CarryShown | None = None
    """What a bot wants to be done."""
    bot_seats: tuple[Seat, ...] = ()
    """For which seats bots play, whether others can or not."""
    waits_for_hand: Seat | None = None
    """The bot whose helper has first to say what it drew, if one is to move."""
    unheeded: Unheeded | None = None
    """The last press of a button, if nothing came of it and nothing has happened since."""
    score_parts: ScoreParts = ()
    """What the scores are made of; empty for a game that does not say."""
    bots: tuple[Seat, ...] | None = None
    """For which seats bots play; None where none can."""
    key: str = ""
    """Names the game among all that ever were, from its set-up to its end; empty without a game. Not for pages."""

    @property
    def rests(self) -> bool:
        """Whether a game that goes on is paused."""
        return self.paused and self.seen is not None and not isinstance(self.seen.turn, Over)


MAX_LAST_PLIES = 200
"""How many plies a snapshot tells."""
