"""Yuzu Twist as the companion knows games; the parts stand in the modules beside."""
# ruff: noqa: ARG002 (the contract hands over more than a game without chance needs)

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import ClassVar

from companion.engine import Choose, Json, Observer, OpenPart, Ply, Seat, Seen, SetupPath, Turn
from companion.errors import Phrase
from companion.games.yuzu_twist import actions, explain, layout, rules, setup, views
from companion.games.yuzu_twist import evaluation as promise
from companion.games.yuzu_twist import recognition as seen
from companion.games.yuzu_twist.actions import Action
from companion.games.yuzu_twist.state import State
from companion.table import COLOURS, Appearance, Layout, Placement, Spot


@dataclass(frozen=True)
class YuzuTwist:
    """The game, played with drinks of these colours."""

    colours: tuple[str, ...] = COLOURS

    id: ClassVar[str] = "yuzu-twist"
    seats: ClassVar[tuple[int, ...]] = (1, 2, 3, 4, 5, 6)
    words: ClassVar[Path] = Path(__file__).parent

    def with_colours(self, colours: tuple[str, ...]) -> YuzuTwist:
        """The same game, with a piece set of these six colours."""
        return replace(self, colours=colours)

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """`teams`, `blind` and `quiet_limit`."""
        return setup.read_options(given, players)

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """Crates and colours, checked."""
        return setup.read_setup(given, players, self.colours)

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """Random crates and colours."""
        return setup.deal(players, self.colours, rng)

    def open_setup(self, setup_: Json, options: Mapping[str, Json], observer: Observer) -> Json:
        """The set-up as it may be shown while the game is on: no colours of a blind game but the observer's own."""
        return setup.open_setup(setup_, options, observer)

    def instructions(self, setup_: Json) -> tuple[Phrase, ...]:
        """How to lay this set-up out on the table."""
        return setup.instructions(setup_)

    def setup_seen(
        self, costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], options: Mapping[str, Json], players: int
    ) -> Json:
        """The drinks in the crates, the seats' colours by their cards; who begins cannot be seen."""
        return seen.setup_seen(costs, self.colours, players)

    def setup_open(self, setup: Json) -> Sequence[OpenPart]:
        """What is null in a set-up, with what is left for it."""
        return seen.setup_open(setup, self.colours)

    def setup_parts(self, setup: Json) -> Mapping[SetupPath, Json]:
        """What a picture tells of a set-up, whatever the crates are called and however they are turned."""
        return seen.setup_parts(setup)

    def layout(self, setup: Json) -> Layout:
        """A lattice for the crates, and the seats' cards around it."""
        return layout.layout(len(setup["colours"]))

    def start(self, setup_: Json, options: Mapping[str, Json], players: int) -> State:
        """The state before the first ply."""
        return setup.start(setup_, options)

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
        raise ValueError("nothing is left to chance in Yuzu Twist")

    def scores(self, state: State) -> tuple[int, ...]:
        """One for each winner; alone, the turns."""
        return rules.scores(state)

    def placement(self, state: State) -> Placement:
        """What stands where."""
        return views.placement(state)

    def view(self, state: State, observer: Observer) -> Seen:
        """All but other seats' colours in a blind game."""
        return views.view(state, observer)

    def possible(self, seen: Seen, rng: Random) -> State:
        """Hidden colours are dealt anew."""
        assert isinstance(seen.told, State)
        return views.possible(seen.told, rng)

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

    def explain(self, state: State, placement: Placement) -> Sequence[tuple[Ply[Action], ...]]:
        """The plies that lead to the placement: first the crate, then the swaps."""
        return explain.explain(state, placement)
