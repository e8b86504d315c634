"""Crate Wars as the companion knows games; the parts stand in the modules beside."""
# ruff: noqa: ARG002 (the contract hands over more than an open game needs)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from companion.engine import Choose, Json, Observer, OpenGame, OpenPart, Ply
from companion.errors import Phrase
from companion.games.crate_wars import (
    actions, evaluation, layout, machine, position, recognition, rules, scoring, setup, views,
)
from companion.games.crate_wars.actions import Action
from companion.games.crate_wars.state import State
from companion.table import COLOURS, Appearance, Layout, Spot


@dataclass(frozen=True)
class CrateWars(OpenGame[State, Action]):
    """The game, played with drinks of these colours."""

    colours: tuple[str, ...] = COLOURS

    id = "crate-wars"
    seats = (2,)
    words = Path(__file__).parent
    reasons = (rules.ALL_SCORED,)

    instructions = staticmethod(setup.instructions)
    setup_parts = staticmethod(recognition.setup_parts)
    turn = staticmethod(rules.turn)
    legal = staticmethod(rules.legal)
    apply = staticmethod(rules.apply)
    outcomes = staticmethod(machine.outcomes)
    sample = staticmethod(machine.sample)
    scores = staticmethod(scoring.yen)
    score_parts = staticmethod(scoring.score_parts)
    placement = staticmethod(views.placement)
    facts = staticmethod(views.facts)
    evaluate = staticmethod(evaluation.evaluate)
    all_pieces = staticmethod(position.all_pieces)
    rearranged = staticmethod(position.rearranged)

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

    def setup_seen(
        self, costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], options: Mapping[str, Json], players: int
    ) -> Json:
        """Cards at the crates and drinks in the supplies; who begins cannot be seen."""
        return recognition.setup_seen(costs, self.colours)

    def setup_open(self, setup: Json) -> Sequence[OpenPart]:
        """What is null in a set-up, with what is left for it."""
        return recognition.setup_open(setup, self.colours)

    def layout(self, setup: Json) -> Layout:
        """The same for every set-up."""
        return layout.layout()

    def start(self, setup_: Json, options: Mapping[str, Json], players: int) -> State:
        """The state before the first ply."""
        return setup.start(setup_, options)

    def say(self, state: State, ply: Ply[Action], observer: Observer) -> Phrase:
        """The ply in words."""
        return views.say(ply)

    def read_action(self, given: Json) -> Action:
        """An action from JSON."""
        return actions.codec(self.colours).read(given)

    def write_action(self, action: Action | Choose) -> Json:
        """The JSON of an action."""
        return actions.codec(self.colours).write(action)
