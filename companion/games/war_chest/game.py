"""War Chest as the companion knows games: the rules behind the contract of `companion.engine`."""
# ruff: noqa: ARG002 (the contract hands over more than is needed)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.engine import BaseGame, Json, Observer, ScoreParts, Seen
from companion.games.war_chest import (
    chance, confiding, drafts, evaluation, maneuvers, position, recognition, rules, setup, speech, views,
)
from companion.games.war_chest.actions import CODEC, Action, as_seen
from companion.games.war_chest.layout import layout
from companion.games.war_chest.state import State
from companion.table import Appearance, Layout, Spot


@dataclass(frozen=True)
class WarChest(BaseGame[State, Action]):
    """The game for two players, and for four as two against two."""

    id = "war-chest"
    seats = (2, 4)
    words = Path(__file__).parent
    reasons = (maneuvers.LAST_MARKER, rules.STALEMATE)
    ways = drafts.WAYS
    """How units may be chosen before the game (WC 3.5 to WC 3.12)."""

    preparation = staticmethod(drafts.way)
    instructions = staticmethod(speech.instructions)
    setup_open = staticmethod(recognition.setup_open)
    setup_parts = staticmethod(recognition.setup_parts)
    turn = staticmethod(rules.turn)
    legal = staticmethod(rules.legal)
    apply = staticmethod(rules.apply)
    outcomes = staticmethod(chance.outcomes)
    sample = staticmethod(chance.sample)
    placement = staticmethod(views.placement)
    may_confide = staticmethod(confiding.may_confide)
    confide = staticmethod(confiding.confide)
    open_state = staticmethod(views.open_state)
    evaluate = staticmethod(evaluation.evaluate)
    all_pieces = staticmethod(position.all_pieces)
    rearranged = staticmethod(position.rearranged)
    say = staticmethod(speech.say)
    read_action = staticmethod(CODEC.read)
    write_action = staticmethod(CODEC.write)

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """`knowledge`, `royal_guard`, `preview_second_hand`."""
        return setup.read_options(given)

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """`{"units": [[unit, …] a seat], "initiative": SEAT, "factions": [one a seat]}`."""
        return setup.read_setup(given, players)

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """Random units, a random seat begins."""
        return setup.random_setup(players, rng)

    def setup_seen(
        self, costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], options: Mapping[str, Json], players: int
    ) -> Json:
        """The armies by the supplies, the factions and the initiative by their markers; null if unsure."""
        return recognition.setup_seen(costs, players)

    def layout(self, setup: Json) -> Layout:
        """The board, and each seat's zones."""
        return layout(setup)

    def start(self, setup: Json, options: Mapping[str, Json], players: int) -> State:
        """All bags full, the starting markers placed."""
        table = rules.new_table(
            tuple(tuple(own) for own in setup["units"]), tuple(setup["factions"]),
            referee=options["knowledge"] == "referee",
            original_royal_guard=options["royal_guard"] == "original",
            preview=options["preview_second_hand"],
        )
        return rules.start(table, setup["initiative"])

    def scores(self, state: State) -> tuple[int, ...]:
        """Markers of the seat's side on the board (WC 1.2)."""
        return tuple(state.markers(seat % 2) for seat in state.table.seats)

    def score_parts(self, state: State) -> ScoreParts:
        """Each marker, by the location on which it lies."""
        return tuple(tuple(speech.marker_parts(state, seat % 2)) for seat in state.table.seats)

    def view(self, state: State, observer: Observer) -> Seen:
        """A seat knows its own coins; the room only what lies open; the referee everything in the open, at a table what
        follows from what everybody saw. Once the game is over, everybody knows what the companion knows."""
        known = views.known_to(observer, state)
        facts = tuple(views.facts(known))
        return Seen(self.id, observer, self.turn(state), self.scores(state), self.placement(state), known, facts)

    def possible(self, seen: Seen, rng: Random) -> State:
        """A state in which the coins that the observer does not see are dealt out, at a table by the exact odds; it is
        played on in the open."""
        assert isinstance(seen.known, views.Knowledge)
        return views.possible(seen.known, rng)

    def at_table(self, options: Mapping[str, Json]) -> Mapping[str, Json]:
        """As a referee knows it: the coins in hands and bags are nobody's but their owner's (WC 9)."""
        return {**options, "knowledge": "referee"}

    def open_action(self, action: Action, options: Mapping[str, Json]) -> Action:
        """At a table, without the coins that not everybody saw (WC 9.6)."""
        return as_seen(action) if options["knowledge"] == "referee" else action
