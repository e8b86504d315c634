"""Yuzu Twist as the companion knows games; the parts stand in the modules beside."""
# ruff: noqa: ARG002 (the contract hands over more than a game without chance needs)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import MappingProxyType

from companion.engine import BaseGame, Json, Observer, OpenPart, Ply, Seen
from companion.errors import Phrase
from companion.games.yuzu_twist import (
    actions, evaluation, explain, layout, position, recognition, rules, setup, views,
)
from companion.games.yuzu_twist.actions import Action
from companion.games.yuzu_twist.state import State
from companion.table import COLOURS, Appearance, Layout, Spot


@dataclass(frozen=True)
class YuzuTwist(BaseGame[State, Action]):
    """The game, played with drinks of these colours."""

    colours: tuple[str, ...] = COLOURS

    id = "yuzu-twist"
    seats = (1, 2, 3, 4, 5, 6)
    words = Path(__file__).parent
    reasons = (rules.CRATE_COMPLETED, rules.ALL_COMPLETED, rules.QUIET_LIMIT)
    simulation = MappingProxyType({"quiet_limit": 200})

    read_options = staticmethod(setup.read_options)
    open_setup = staticmethod(setup.open_setup)
    instructions = staticmethod(setup.instructions)
    setup_parts = staticmethod(recognition.setup_parts)
    turn = staticmethod(rules.turn)
    legal = staticmethod(rules.legal)
    apply = staticmethod(rules.apply)
    scores = staticmethod(rules.scores)
    score_parts = staticmethod(rules.score_parts)
    placement = staticmethod(views.placement)
    view = staticmethod(views.view)
    brings_to_light = staticmethod(views.brings_to_light)
    evaluate = staticmethod(evaluation.evaluate)
    all_pieces = staticmethod(position.all_pieces)
    rearranged = staticmethod(position.rearranged)
    explain = staticmethod(explain.explain)
    read_action = staticmethod(actions.CODEC.read)
    write_action = staticmethod(actions.CODEC.write)

    def with_colours(self, colours: tuple[str, ...]) -> YuzuTwist:
        """The same game, with a piece set of these six colours."""
        return replace(self, colours=colours)

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """Crates and colours, checked."""
        return setup.read_setup(given, players, self.colours)

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """Random crates and colours."""
        return setup.deal(players, self.colours, rng)

    def setup_seen(
        self, costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], options: Mapping[str, Json], players: int
    ) -> Json:
        """The drinks in the crates, the seats' colours by their cards; who begins cannot be seen."""
        return recognition.setup_seen(costs, self.colours, players)

    def setup_open(self, setup: Json) -> Sequence[OpenPart]:
        """What is null in a set-up, with what is left for it."""
        return recognition.setup_open(setup, self.colours)

    def layout(self, setup: Json) -> Layout:
        """A lattice for the crates, and the seats' cards around it."""
        return layout.layout(len(setup["colours"]))

    def start(self, setup_: Json, options: Mapping[str, Json], players: int) -> State:
        """The state before the first ply."""
        return setup.start(setup_, options)

    def possible(self, seen: Seen, rng: Random) -> State:
        """Hidden colours are dealt anew."""
        assert isinstance(seen.known, State)
        return views.possible(seen.known, rng)

    def say(self, state: State, ply: Ply[Action], observer: Observer) -> Phrase:
        """The ply in words."""
        return views.say(state, ply)
