"""The session's state: frozen values. `evolve` says what each event changes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.engine import AnyGame, Json, Ply, ToMove, record
from companion.engine.amend import Confidence
from companion.engine.play import after_plies
from companion.errors import Phrase
from companion.interpret import Choice, Moved
from companion.session.courses import open_to_all, told_course
from companion.session.events import Event, PlyMade, UndoAsked
from companion.session.library import LookInterpreter
from companion.session.pace import Pace
from companion.session.setup_draft import SetupDraft
from companion.session.snapshot import EyesShown, Unheeded
from companion.table import Layout, Placement


@dataclass(frozen=True, slots=True)
class Made:
    """A ply that was played, and its event."""

    ply: Ply[Any]
    event: PlyMade


@dataclass(frozen=True, slots=True)
class Match:
    """A game being played. `states[0]` is the start, `states[n]` the state after ply `n`, as everybody saw it: all that
    is decided is decided by these. `told[n]` is the same with what seats told of what they alone see: their views."""

    number: int
    opened: record.OpenedGame
    interpreter: LookInterpreter
    layout: Layout
    states: tuple[Any, ...]
    told: tuple[Any, ...]
    made: tuple[Made, ...] = ()
    result: Mapping[str, Json] | None = None
    confided: tuple[Confidence, ...] = ()
    """What seats confided of what only they see, and after how many plies."""
    key: str = ""
    """Names the game among all that ever were."""
    pace: Pace | None = None
    """How long each player has thought, if that is counted."""
    put_aside: frozenset[int] = frozenset()
    """Seats of whose tellings something was put aside since they told last: each hears of it, and nobody else does."""

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.opened.game

    @property
    def state(self) -> Any:
        """The state now."""
        return self.states[-1]

    def paced(self, at: str, rests: bool = False) -> Match:
        """The same match at this time: what has passed counts for whoever is to act, unless the game `rests`."""
        if self.pace is None or not at:
            return self
        turn = self.game.turn(self.state)
        seats = turn.seats if isinstance(turn, ToMove) and not rests else ()
        return replace(self, pace=self.pace.until(at, seats))

    def names(self, seats: Iterable[int]) -> tuple[str, ...]:
        """What the players of these seats are called."""
        return tuple(self.opened.header["players"][seat]["name"] for seat in seats)

    def written(self, ply: Ply[Any]) -> dict[str, Json]:
        """A ply as the object that stands in a record."""
        return {"player": ply.player, "action": self.game.write_action(ply.action)}

    def seen(self, ply: Ply[Any]) -> Ply[Any]:
        """A ply as everybody saw it."""
        return open_to_all(self.game, self.opened.options, ply)

    @property
    def seen_plies(self) -> tuple[Ply[Any], ...]:
        """All that was played, as everybody saw it."""
        return tuple(self.seen(made.ply) for made in self.made)

    def known_to(self, by: int) -> tuple[Any, ...]:
        """The states as this seat knows them: by what it told itself, and by what everybody saw."""
        seen = self.seen_plies
        own = [made.ply if made.ply.player == by else ply for made, ply in zip(self.made, seen)]
        confided = [each for each in self.confided if each[1] == by]
        return told_course(self.game, self.opened.state, own, seen, confided)[1]

    def after(self, explanation: Moved | Choice) -> Any:
        """The state of the game once the plies of an explanation are played, those that it takes back gone."""
        return after_plies(self.game, self.states[len(self.made) - explanation.taken_back], explanation.plies)

    @property
    def abandoned(self) -> bool:
        """Whether people ended it before the rules did: nothing can be added to it."""
        return self.result is not None and self.result["reason"] == record.ABANDONED


NO_EYES = EyesShown("none")


@dataclass(frozen=True, slots=True)
class Pointed:
    """The choice that a button's press has shown, by which seat, and when (monotonic) it is taken."""

    choice: int
    by: int
    taken_s: float


@dataclass(frozen=True, slots=True)
class Question:
    """An open question of the eyes. What a button points at is not remembered."""

    id: int
    choices: tuple[Choice, ...]
    pointed: Pointed | None = None

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats whose plies are in question."""
        return tuple(sorted({ply.player for each in self.choices for ply in each.plies if isinstance(ply.player, int)}))


@dataclass(frozen=True, slots=True)
class Carry:
    """A bot's ply that somebody is to carry out, decided when the state's number was `seq`."""

    seq: int
    ply: Ply[Any]


@dataclass(frozen=True, slots=True)
class Lately:
    """Something that happened a moment ago: the event that made the number `seq`, and what stood before it. `ply` is
    the ply of a `PlyMade`."""

    seq: int
    event: Event
    match: Match | None = field(compare=False)
    question: Question | None = field(compare=False)
    ply: Ply[Any] | None = field(default=None, compare=False)


MAX_LATELY = 20
"""So many events are remembered for who comes too late."""


@dataclass(frozen=True, slots=True)
class State:
    """All that the session knows. `belief`, `held` and `eyes` are not remembered across a restart: the eyes look anew.

    `seen` is how the table stands while it differs from the game, `is_seen_surely` whether the eyes doubt nothing of
    that, which is asked only once what was played is asked openly. `held` is how it stood when plies were taken back or
    corrected: as long as it is seen so, those plies are not given out again. Once a set-up is read, the game before it
    is `shelved` until another begins.
    """

    seq: int = 0
    draft: SetupDraft | None = None
    match: Match | None = None
    shelved: Match | None = None
    matches: int = 0
    question: Question | None = None
    questions: int = 0
    undo: UndoAsked | None = None
    undo_seq: int = 0
    """`seq` when the undo was asked for: an answer that saw this, or more, means it."""
    paused: bool = False
    odd: tuple[Phrase, ...] = ()
    differences: tuple[Phrase, ...] = ()
    belief: Any = None
    held: Placement | None = None
    seen: Placement | None = None
    is_seen_surely: bool = False
    eyes: EyesShown = NO_EYES
    unheeded: Unheeded | None = None
    carry: Carry | None = None
    lately: tuple[Lately, ...] = ()
    """The last events, the newest last."""

    @property
    def rests(self) -> bool:
        """Whether a game is going on that is paused."""
        return self.paused and self.draft is None and self.match is not None and self.match.result is None

    @property
    def is_asked_openly(self) -> bool:
        """Whether what was played is asked without a choice, since nothing explains it."""
        return self.question is not None and not self.question.choices

    @property
    def reopenable(self) -> Match | None:
        """The game that people ended and may go on with, as no other has begun."""
        last = self.match or self.shelved
        return last if last is not None and last.abandoned else None
