"""Crate Wars as the companion knows games; the parts stand in the modules beside."""
# ruff: noqa: ARG002 (the contract hands over more than an open game needs)

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import ClassVar

from companion.engine import Choose, Json, Observer, OpenPart, Ply, Seat, Seen, SetupPath, Turn
from companion.errors import Phrase
from companion.games.crate_wars import actions, layout, rules, scoring, setup, views
from companion.games.crate_wars import evaluation as promise
from companion.games.crate_wars import recognition as seen
from companion.games.crate_wars.actions import Action
from companion.games.crate_wars.state import State
from companion.table import COLOURS, Appearance, Layout, Placement, Spot


@dataclass(frozen=True)
class CrateWars:
    """The game, played with drinks of these colours."""

    colours: tuple[str, ...] = COLOURS

    id: ClassVar[str] = "crate-wars"
    seats: ClassVar[tuple[int, ...]] = (2,)
    words: ClassVar[Path] = Path(__file__).parent

    def with_colours(self, colours: tuple[str, ...]) -> CrateWars:
        """The same game, with a piece set of these six colours."""
        return replace(self, colours=colours)

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """`points`."""
        return setup.read_options(given)

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """Cards and supplies, checked."""
        return setup.read_setup(given, self.colours)

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """Random cards, and one of the 297,200 deals."""
        return setup.deal(self.colours, rng)

    def instructions(self, setup_: Json) -> tuple[Phrase, ...]:
        """How to lay this set-up out on the table."""
        return setup.instructions(setup_)

    def setup_seen(
        self, costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], options: Mapping[str, Json], players: int
    ) -> Json:
        """Cards at the crates and drinks in the supplies; who begins cannot be seen."""
        return seen.setup_seen(costs, self.colours)

    def setup_open(self, setup: Json) -> Sequence[OpenPart]:
        """What is null in a set-up, with what is left for it."""
        return seen.setup_open(setup, self.colours)

    def setup_parts(self, setup: Json) -> Mapping[SetupPath, Json]:
        """What a picture tells of a set-up."""
        return seen.setup_parts(setup)

    def layout(self, setup: Json) -> Layout:
        """The same for every set-up."""
        return layout.layout()

    def start(self, setup_: Json, options: Mapping[str, Json], players: int) -> State:
        """The state before the first ply."""
        return setup.start(setup_, options)

    def turn(self, state: State) -> Turn:
        """Who is to act, or how the game ended."""
        return rules.turn(state)

    def legal(self, state: State) -> Iterator[Ply[Action | Choose]]:
        """Every legal ply."""
        return rules.legal(state)

    def apply(self, state: State, ply: Ply[Action]) -> State:
        """The state after the ply."""
        return rules.apply(state, ply)

    def outcomes(self, state: State) -> Iterable[tuple[Action, Fraction]]:
        """What may come out of the machine."""
        return rules.outcomes(state)

    def sample(self, state: State, rng: Random) -> Action:
        """What comes out of the machine, by chance."""
        return rules.sample(state, rng)

    def scores(self, state: State) -> tuple[int, ...]:
        """Yen."""
        return scoring.yen(state)

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
        return views.say(ply)

    def read_action(self, given: Json) -> Action:
        """An action from JSON."""
        return actions.codec(self.colours).read(given)  # type: ignore[no-any-return]

    def write_action(self, action: Action | Choose) -> Json:
        """The JSON of an action."""
        return actions.codec(self.colours).write(action)
