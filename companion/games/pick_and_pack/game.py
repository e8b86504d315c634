"""Pick & Pack as the companion knows games; the parts stand in the modules beside."""
# ruff: noqa: ARG002 (the contract hands over more than an open game without chance needs)

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import ClassVar

from companion.engine import Choose, Json, Observer, OpenPart, Ply, Seat, Seen, SetupPath, Turn, form
from companion.errors import InvalidError, Phrase, phrase
from companion.games.pick_and_pack import actions, layout, rules, setup, views
from companion.games.pick_and_pack import evaluation as promise
from companion.games.pick_and_pack import recognition as seen
from companion.games.pick_and_pack.actions import Action
from companion.games.pick_and_pack.placing import TilePlacing
from companion.games.pick_and_pack.state import State
from companion.table import Appearance, Layout, Placement, Spot


@dataclass(frozen=True)
class PickAndPack:
    """The game. Nothing in it is hidden once it has begun, and nothing is left to chance."""

    id: ClassVar[str] = "pick-and-pack"
    seats: ClassVar[tuple[int, ...]] = (2,)
    words: ClassVar[Path] = Path(__file__).parent
    ways: ClassVar[tuple[str, ...]] = ("hidden_tiles",)

    def preparation(self, way: str) -> TilePlacing:
        """Hidden placing of the tiles (PP 1.6)."""
        if way not in self.ways:
            raise InvalidError(phrase("pp.no.way", given=way))
        return TilePlacing()

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """None."""
        return form.fields(given, "options", ())

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """Trays and tiles, checked."""
        return setup.read_setup(given)

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """Random trays and tiles."""
        return setup.deal(rng)

    def instructions(self, setup_: Json) -> tuple[Phrase, ...]:
        """How to lay this set-up out on the table."""
        return setup.instructions(setup_)

    def setup_seen(
        self, costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], options: Mapping[str, Json], players: int
    ) -> Json:
        """Trays and tiles as they lie; who begins cannot be seen."""
        return seen.setup_seen(costs)

    def setup_open(self, setup: Json) -> Sequence[OpenPart]:
        """What is null in a set-up, with what is left for it."""
        return seen.setup_open(setup)

    def setup_parts(self, setup: Json) -> Mapping[SetupPath, Json]:
        """What a picture tells of a set-up."""
        return seen.setup_parts(setup)

    def layout(self, setup: Json) -> Layout:
        """The same for every set-up."""
        return layout.layout()

    def start(self, setup_: Json, options: Mapping[str, Json], players: int) -> State:
        """The state before the first ply."""
        return setup.start(setup_)

    def turn(self, state: State) -> Turn:
        """Who is to act, or how the game ended."""
        return rules.turn(state)

    def legal(self, state: State) -> Iterator[Ply[Action | Choose]]:
        """Every legal ply."""
        yield from rules.legal(state)

    def apply(self, state: State, ply: Ply[Action]) -> State:
        """The state after the ply."""
        return rules.apply(state, ply)

    def outcomes(self, state: State) -> Iterable[tuple[Action, Fraction]]:
        """None: chance is never due."""
        return ()

    def sample(self, state: State, rng: Random) -> Action:
        """Never asked for."""
        raise ValueError("nothing is left to chance in Pick & Pack")

    def scores(self, state: State) -> tuple[int, ...]:
        """Points now."""
        return rules.scores(state)

    def placement(self, state: State) -> Placement:
        """What stands where."""
        return views.placement(state)

    def view(self, state: State, observer: Observer) -> Seen:
        """Everything is open."""
        return views.view(state, observer)

    def possible(self, seen: Seen, rng: Random) -> State:
        """The state itself."""
        assert isinstance(seen.told, State)
        return seen.told

    def promise(self, state: State, seat: Seat) -> float:
        """A rough value from 0 (lost) to 1 (won)."""
        return promise.promise(state, seat)

    def say(self, state: State, ply: Ply[Action], observer: Observer) -> Phrase:
        """The ply in words."""
        return views.say(state, ply)

    def read_action(self, given: Json) -> Action:
        """An action from JSON."""
        return actions.codec().read(given)  # type: ignore[no-any-return]

    def write_action(self, action: Action | Choose) -> Json:
        """The JSON of an action."""
        return actions.codec().write(action)
