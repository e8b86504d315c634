"""Pick & Pack as the companion knows games; the parts stand in the modules beside."""
# ruff: noqa: ARG002 (the contract hands over more than an open game without chance needs)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.engine import Json, Observer, OpenGame, Ply, form
from companion.errors import InvalidError, Phrase, phrase
from companion.games.pick_and_pack import actions, evaluation, layout, position, recognition, rules, setup, views
from companion.games.pick_and_pack.actions import Action
from companion.games.pick_and_pack.placing import TilePlacing
from companion.games.pick_and_pack.state import State
from companion.table import Appearance, Layout, Spot


@dataclass(frozen=True)
class PickAndPack(OpenGame[State, Action]):
    """The game. Nothing in it is hidden once it has begun, and nothing is left to chance."""

    id = "pick-and-pack"
    seats = (2,)
    words = Path(__file__).parent
    reasons = (rules.ALL_CLOSED, rules.NO_MOVE)
    ways = ("hidden_tiles",)

    instructions = staticmethod(setup.instructions)
    setup_open = staticmethod(recognition.setup_open)
    setup_parts = staticmethod(recognition.setup_parts)
    turn = staticmethod(rules.turn)
    legal = staticmethod(rules.legal)
    apply = staticmethod(rules.apply)
    scores = staticmethod(rules.scores)
    score_parts = staticmethod(rules.score_parts)
    placement = staticmethod(views.placement)
    facts = staticmethod(views.facts)
    evaluate = staticmethod(evaluation.evaluate)
    rearranged = staticmethod(position.rearranged)
    read_action = staticmethod(actions.CODEC.read)
    write_action = staticmethod(actions.CODEC.write)

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

    def setup_seen(
        self, costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], options: Mapping[str, Json], players: int
    ) -> Json:
        """Trays and tiles as they lie; who begins cannot be seen."""
        return recognition.setup_seen(costs)

    def all_pieces(self, setup: Json) -> Sequence[Appearance]:
        """The same for every set-up."""
        return position.ALL_PIECES

    def layout(self, setup: Json) -> Layout:
        """The same for every set-up."""
        return layout.layout()

    def start(self, setup_: Json, options: Mapping[str, Json], players: int) -> State:
        """The state before the first ply."""
        return setup.start(setup_)

    def say(self, state: State, ply: Ply[Action], observer: Observer) -> Phrase:
        """The ply in words."""
        return views.say(state, ply)
