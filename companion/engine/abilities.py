"""What a game may offer beyond playing: one small protocol each.

Every `Game` has the first six: `BaseGame` and `OpenGame` (`base_game.py`) supply them, so that they are simply called.
The others have no sensible default, as it matters whether a game has them at all: `isinstance(game, Explaining)` tells.
Drafts stand in `preparation.py`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Protocol, Self, TypeVar, runtime_checkable

from companion.engine.values import Json, Observer, Odds, OpenPart, Ply, ScoreParts, Seat, Seen, SetupPath
from companion.errors import Phrase
from companion.table import Appearance, Placement, Spot

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)
S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)


class Sampling(Protocol[S_contra, A_co]):
    """A game in which something is left to chance."""

    def outcomes(self, state: S_contra) -> Iterable[Odds[A_co]]:
        """Where chance is due: every outcome with its exact odds; they sum to 1."""

    def sample(self, state: S_contra, rng: Random) -> A_co:
        """Where chance is due: one outcome by the odds, without listing them."""


class Hiding(Protocol[S]):
    """What each observer may know of a state."""

    def view(self, state: S, observer: Observer) -> Seen:
        """What this observer may know."""

    def possible(self, seen: Seen, rng: Random) -> S:
        """A random state that agrees with all this observer knows; with nothing hidden: the state itself."""


class Concealing(Protocol[S_contra, A]):
    """A game that keeps secrets besides those that `view` leaves out: in its set-up, or in its plies."""

    def at_table(self, options: Mapping[str, Json]) -> Mapping[str, Json]:
        """The options under which the companion knows only what a table shows to everybody."""

    def open_setup(self, setup: Json, options: Mapping[str, Json], observer: Observer) -> Json:
        """The set-up as this observer may see it before the end; secrets as null. A game in progress is never shown or
        exported with another one."""

    def open_action(self, action: A, options: Mapping[str, Json]) -> A:
        """The action as everybody saw it. A record of a game in progress is exported with these."""

    def open_state(self, state: S_contra) -> Hashable:
        """What lies open of a state, and who is to act: equal where states differ in what not everybody saw."""


class Evaluating(Protocol[S_contra]):
    """A game that can value an unfinished state, for bots."""

    def evaluate(self, state: S_contra, seat: Seat) -> float:
        """A rough value of the state for the seat, 0 (lost) to 1 (won)."""


class Instructing(Protocol):
    """A game that can tell the players how to lay out a set-up."""

    def instructions(self, setup: Json) -> Sequence[Phrase]:
        """What to do, a step a phrase."""


class Coloured(Protocol):
    """A game played with the drinks, whose colours the piece set names."""

    def with_colours(self, colours: tuple[str, ...]) -> Self:
        """The same game, with a piece set of these six colours."""


@runtime_checkable
class Explaining(Protocol[S_contra, A_co]):
    """A game that can say which plies a changed table suggests; a must with too many futures to list."""

    def explain(self, state: S_contra, placement: Placement) -> Sequence[tuple[Ply[A_co], ...]]:
        """Sequences of plies that might lead from `state` to `placement`; each is still checked through `apply`, and
        where that refuses one, its reason is said to people."""


@runtime_checkable
class Accounting(Protocol[S_contra]):
    """A game that can say what its scores are made of."""

    def score_parts(self, state: S_contra) -> ScoreParts:
        """The parts of each seat's score, which add up to it. Everybody is told of them: they name no secret."""


@runtime_checkable
class Rearranging(Protocol[S]):
    """A game that can go on from whatever stands on its table, however it came to stand so."""

    def all_pieces(self, setup: Json) -> Sequence[Appearance]:
        """All that may ever stand somewhere, each as often as there is of it; also what may lie face down."""

    def rearranged(self, state: S, placement: Placement, seat: Seat) -> S:
        """The state in which exactly this stands and `seat` begins a turn; what no piece shows is as in `state`. Raises
        `IllegalError` where that cannot be. Given are pieces of `all_pieces`, no more than there are, on spots of the
        layout that are made for them, one where no stack is."""


@runtime_checkable
class Recognising(Protocol):
    """A game whose set-up, or a part of it, can be seen on the table (`recognise.py` helps)."""

    def setup_seen(
        self, costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], options: Mapping[str, Json], players: int
    ) -> Json:
        """The set-up with null for what is not clear. `costs`: the things at each place and in each zone, each with its
        costs in nats by appearance (0 for the likeliest)."""

    def setup_open(self, setup: Json) -> Sequence[OpenPart]:
        """What is null in a set-up that `setup_seen` gave, or that was filled up since: the values that are left."""

    def setup_parts(self, setup: Json) -> Mapping[SetupPath, Json]:
        """What a picture shows of a set-up: set-ups that look alike on the table have equal parts, however they are
        spelled. What no picture shows (who begins) is no part, and null is left out."""


@runtime_checkable
class Revealing(Protocol[S_contra]):
    """A game in which a player's own ply may tell that player, or others, what somebody else keeps secret. What chance
    brings, and the end of a game that keeps secrets, always come to light and need not be said."""

    def brings_to_light(self, before: S_contra, after: S_contra) -> bool:
        """Whether the ply that led from `before` to `after` told something of what was secret: it is taken back only
        with the consent of all others. What a player shows of the own secrets does not count."""


@runtime_checkable
class Confiding(Protocol[S]):
    """A game in which seats see things that the companion does not (cards or coins at a table), and may tell it of
    them.

    What a seat confides is no ply and stands in no record. Until the game is over it changes the view of that seat, and
    nothing else: no other view, no legal ply, no refusal. If it turns out wrong, it is put aside, and the seat's view
    says so. A state made up from such a view is played on as if all in it were known.
    """

    def may_confide(self, state: S, seat: Seat) -> Iterator[Json]:
        """What this seat may confide now, each as JSON, lazily."""

    def confide(self, state: S, seat: Seat, confided: Json) -> S:
        """The state in which `seat` confided this; raises `InvalidError` for a wrong form, `IllegalError` with the
        reason when it cannot be."""
