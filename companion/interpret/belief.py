"""What is believed of a game between two looks. Frozen values; only `Interpreter` makes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.engine import AnyGame, Player
from companion.engine.play import after_plies
from companion.interpret.contradictions import Difference
from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.explanation import Explanation
from companion.interpret.handovers import Handovers
from companion.interpret.outcome import Outcome, Plies
from companion.interpret.reaches import Reaches
from companion.table import Observation, Point, Spot

UNWATCHED_S = 2.0
"""In so long a time without a picture a ply may be made of which nothing is seen but what it leaves."""
LONG_UNREAD_S = 16.0
"""Who waits for the turn may have had it, and have handed it on, while the table could not be read for so long."""


@dataclass(frozen=True, slots=True)
class SettledTable:
    """A state, what was on the table at the look it was settled by, and what each spot cost then."""

    state: Any
    seen: TableTracks = field(default_factory=TableTracks)
    costs: Mapping[Spot, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Belief:
    """What is believed after the looks so far.

    `now` is settled. While the last ply is provisional, `before` is what was settled before the plies `since` came: a
    later look may replace the last of them. `question` is open, `refused` are states that a person ruled out.
    `unsettled` are the looks since that settled nothing, `contested` the spots at which the last of them may show
    plies; `odd_looks` of them nothing explains. `arms`: the players who reached over the table since, `unread_s`: for
    how long it could not be read without that, in seconds, and `unwatched_s`: the longest time without a picture.
    `lasting` are the spots that are held to be misread since the look before. `judged` is the last look that nothing
    explains, and what it came to. `handovers` is how turns were handed over up to `now`, and `stood` whether a look
    since `now` showed the same. `reaches` is how often who reached over the table played something. `doubts` is what
    was wrong in zones at the look before, `places_mm` where places were seen last.
    """

    now: SettledTable
    before: SettledTable | None = None
    since: Plies = ()
    question: OpenQuestion | None = None
    refused: frozenset[Any] = frozenset()
    unsettled: tuple[Evidence, ...] = ()
    contested: frozenset[Spot] = frozenset()
    odd_looks: int = 0
    unread_s: float = 0.0
    unwatched_s: float = 0.0
    arms: frozenset[Player] = frozenset()
    lasting: frozenset[Spot] = frozenset()
    judged: tuple[Observation, Outcome] | None = None
    doubts: frozenset[Difference] = frozenset()
    places_mm: Mapping[Spot, Point] = field(default_factory=dict)
    handovers: Handovers = field(default_factory=Handovers)
    reaches: Reaches = field(default_factory=Reaches)
    stood: bool = False

    @property
    def is_long_unread(self) -> bool:
        """Whether anybody may have played since then without an arm being seen."""
        return self.unread_s >= LONG_UNREAD_S

    @property
    def missed_looks(self) -> int:
        """How many looks there might have been besides since then, had the table been read all the time: between two
        players' arms was one."""
        return max(int(self.is_long_unread), len(self.arms) - 1)

    @property
    def looks(self) -> int:
        """How many looks settled nothing since, or might have been."""
        return len(self.unsettled) + self.missed_looks

    @property
    def base(self) -> SettledTable:
        """What the next look is compared with."""
        return self.before or self.now


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An open question: the explanations behind its choices, the evidence it came from, and all that was found. Without
    choices it is asked what was played."""

    explanations: tuple[Explanation, ...]
    evidence: Evidence
    found: tuple[Explanation, ...] = ()


@dataclass(frozen=True, slots=True)
class Update:
    """What one look, or one answer, led to."""

    belief: Belief
    outcome: Outcome


def root_of(game: AnyGame, belief: Belief, taken_back: int) -> Any:
    """The state that an explanation starts from, by how many plies it takes back."""
    return forked(game, belief) if taken_back else belief.now.state


def forked(game: AnyGame, belief: Belief) -> Any:
    """The state just before the last provisional ply."""
    return after_plies(game, belief.base.state, belief.since[:-1])
