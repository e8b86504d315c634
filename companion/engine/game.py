"""The contract of a game. Start reading here.

A game is a set of pure functions over frozen values. A state is what replaying the plies of a record gives; nothing is
ever changed in place. Chance is a player, hidden information is a normal value, several seats may be on turn at once.
This loop plays any game:

    state = game.start(setup, options)
    while not isinstance(turn := game.turn(state), Over):
        state = game.apply(state, choose(game.legal(state)))
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from companion.errors import Phrase
from companion.table import Appearance, Layout, Placement, Spot

Json = Any
"""A JSON value as `json.loads` gives it."""

Seat = int
Player = int | Literal["chance"]
CHANCE: Final = "chance"
Observer = int | Literal["room", "referee"]
"""A seat, the room (what everybody may see), or the referee (no seat; may know all that the engine knows)."""

S = TypeVar("S")
A = TypeVar("A")
StateT = TypeVar("StateT", contravariant=True)
ConfidedT = TypeVar("ConfidedT")
CoveredT = TypeVar("CoveredT")
ActionT = TypeVar("ActionT", covariant=True)


@dataclass(frozen=True, slots=True)
class Ply(Generic[ActionT]):
    """One action by one player: the unit of records, undo and interpretation."""

    player: Player
    action: ActionT


@dataclass(frozen=True, slots=True)
class ToMove:
    """These seats are to act: one, or several at once (hidden simultaneous choices). `ask` says what is asked."""

    seats: tuple[Seat, ...]
    ask: Phrase


@dataclass(frozen=True, slots=True)
class Chance:
    """Chance is due: `ask` says what the table must tell (what was drawn, what came out of the machine)."""

    ask: Phrase


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended: the winning seats (empty: nobody) and one of the reasons of the record format."""

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
    key: str = "drinks"


@dataclass(frozen=True, slots=True)
class Seen:
    """A state redacted for one observer: the only thing that pages, lamps and exports accept.

    `told` is the game's own frozen value with all that this observer knows; two states in which the observer was told
    the same give equal `Seen`. `facts` are lines for the page ("in your hand": …).
    """

    game: str
    observer: Observer
    turn: Turn
    scores: tuple[int, ...]
    placement: Placement
    told: object
    facts: tuple[Phrase, ...] = ()


class Game(Protocol[S, A]):
    """What every game offers. `S` is its frozen state, `A` the union of its frozen, hashable actions.

    JSON comes in and goes out exactly as the record format writes it. Reading raises `InvalidError` (wrong form); a
    set-up that cannot be raises `IllegalError` with its rule, and so does `apply` for a ply that breaks a rule.
    """

    id: str
    seats: tuple[int, ...]
    """The numbers of players that can play it."""
    words: Path
    """The language files' folder of this game (`words.en.toml` …)."""

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """All options with their defaults filled in."""

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """The set-up, checked whole and in its exported spelling. (`x-` keys are kept by records, not here.)"""

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """A random set-up as it can be dealt at a table."""

    def layout(self, setup: Json) -> Layout:
        """Where this set-up's spots lie."""

    def start(self, setup: Json, options: Mapping[str, Json], players: int) -> S:
        """The state before the first ply."""

    def turn(self, state: S) -> Turn:
        """Who is to act, or how the game ended."""

    def legal(self, state: S) -> Iterator[Ply[A | Choose]]:
        """Every legal ply, lazily, each once in its exported spelling; subsets as `Choose`, draws not at all."""

    def apply(self, state: S, ply: Ply[A]) -> S:
        """The state after `ply`; raises `IllegalError` and leaves everything as it was when it is not legal."""

    def outcomes(self, state: S) -> Iterable[tuple[A, Fraction]]:
        """Where chance is due: every outcome with its exact odds; they sum to 1."""

    def sample(self, state: S, rng: Random) -> A:
        """Where chance is due: one outcome by the odds, without listing them."""

    def scores(self, state: S) -> tuple[int, ...]:
        """Points now, one a seat."""

    def placement(self, state: S) -> Placement:
        """What stands where."""

    def view(self, state: S, observer: Observer) -> Seen:
        """What this observer may know."""

    def possible(self, seen: Seen, rng: Random) -> S:
        """A random state that agrees with all this observer was told; with nothing hidden: the state itself."""

    def say(self, state: S, ply: Ply[A], observer: Observer) -> Phrase:
        """The ply in words, before it is applied to `state`, as this observer may know it."""

    def read_action(self, given: Json) -> A:
        """An action from JSON, in its exported spelling whatever the given one was."""

    def write_action(self, action: A | Choose) -> Json:
        """The exported JSON of an action."""


AnyGame = Game[Any, Any]


class Coloured(Protocol):
    """Optional: a game played with the drinks, whose colours the piece set names."""

    def with_colours(self, colours: tuple[str, ...]) -> AnyGame:
        """The same game, with a piece set of these six colours."""


def coloured(game: AnyGame, colours: tuple[str, ...]) -> AnyGame:
    """The game as it is played with a piece set of these colours; one that has no drinks stays as it is."""
    with_colours = getattr(game, "with_colours", None)
    return game if with_colours is None else with_colours(colours)


class Promising(Protocol[StateT]):
    """Optional: a game that can value an unfinished state, for bots."""

    def promise(self, state: StateT, seat: Seat) -> float:
        """A rough value of the state for the seat, 0 (lost) to 1 (won)."""


class Explaining(Protocol[StateT, ActionT]):
    """Optional: a game that can say which plies a changed table suggests; a must with too many futures to list."""

    def explain(self, state: StateT, placement: Placement) -> Sequence[tuple[Ply[ActionT], ...]]:
        """Sequences of plies that might lead from `state` to `placement`; each is still checked through `apply`, and
        where that refuses one, its reason is what people are told."""


SetupPath = tuple[str | int, ...]
"""Keys and indices that lead to a part of a set-up, or a name of that part."""


@dataclass(frozen=True, slots=True)
class OpenPart:
    """A part of a set-up that the table did not tell: the set-up at `path` is one of `choices`; `spot` shows it, if
    anything does."""

    path: SetupPath
    spot: Spot | None
    choices: tuple[Json, ...]


class Recognising(Protocol):
    """Optional: a game whose set-up, or a part of it, can be seen on the table (`recognise.py` helps)."""

    def setup_seen(
        self, costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], options: Mapping[str, Json], players: int
    ) -> Json:
        """The set-up with null for what is not told. `costs`: the things at each place and in each zone, each with its
        costs in nats by appearance (0 for the likeliest)."""

    def setup_open(self, setup: Json) -> Sequence[OpenPart]:
        """What is null in a set-up that `setup_seen` gave, or that was filled up since: the values that are left."""

    def setup_parts(self, setup: Json) -> Mapping[SetupPath, Json]:
        """What a picture tells of a set-up: set-ups that look alike on the table have equal parts, however they are
        spelled. What no picture shows (who begins) is no part, and null is left out."""


SET_UP: Final = "set up"
"""The reason for which a `Preparation` is over. It never stands in a record."""


class Preparation(Game[S, A], Protocol[S, A]):
    """What the players decide before the record begins (a draft, hidden placing), as a game of its own.

    Its plies are no plies of the record; it ends for the reason `SET_UP`.
    """

    def result(self, state: S) -> Json:
        """The set-up that came out, once it is over; `read_setup` of the game takes it."""


class Preparing(Protocol):
    """Optional: a game whose players may decide about the set-up before the record begins."""

    ways: tuple[str, ...]
    """The ways to do so, by name; `name.<way>` says it."""

    def preparation(self, way: str) -> Preparation[Any, Any]:
        """The decisions of this way, to be played before the game itself."""


class Instructing(Protocol):
    """Optional: a game that can tell the players how to lay out a set-up."""

    def instructions(self, setup: Json) -> Sequence[Phrase]:
        """What to do, a step a phrase."""


class Confiding(Protocol[ConfidedT]):
    """Optional: a game in which seats see things that the companion does not (cards or coins at a table), and may tell
    it of them.

    What a seat confides is no ply and stands in no record. Until the game is over it changes the view of that seat, and
    nothing else: no other view, no legal ply, no refusal. If it turns out wrong, it is put aside, and the seat's view
    says so. A state made up from such a view is played on as if all in it were known.
    """

    def may_confide(self, state: ConfidedT, seat: Seat) -> Iterator[Json]:
        """What this seat may tell now, each as JSON, lazily."""

    def confide(self, state: ConfidedT, seat: Seat, told: Json) -> ConfidedT:
        """The state in which `seat` told this; raises `InvalidError` for a wrong form, `IllegalError` with the reason
        when it cannot be."""


class Concealing(Protocol):
    """Optional: a game whose set-up holds secrets while it is on."""

    def open_setup(self, setup: Json, options: Mapping[str, Json], observer: Observer) -> Json:
        """The set-up as this observer may see it before the end; secrets as null. A game in progress is never shown or
        exported with another one."""


class Covering(Protocol[CoveredT]):
    """Optional: a game whose plies may tell what not everybody saw (a coin spent face down)."""

    def open_action(self, action: CoveredT, options: Mapping[str, Json]) -> CoveredT:
        """The action as everybody saw it. A record of a game in progress is exported with these."""

    def open_state(self, state: Any) -> Hashable:
        """What lies open of a state, and who is to act: equal where states differ in what not everybody saw."""
