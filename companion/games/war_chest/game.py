"""War Chest as the companion knows games: the rules behind the contract of `companion.engine`."""
# ruff: noqa: ARG002 (the contract hands over more than is needed)

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import ClassVar

from companion.engine import Choose, Json, Observer, OpenPart, Ply, Seat, Seen, SetupPath, Turn
from companion.errors import Phrase
from companion.games.war_chest import coins, confiding, drafts, rules, setup, speech, views
from companion.games.war_chest import evaluation as promise
from companion.games.war_chest import recognition as seen
from companion.games.war_chest.actions import CODEC, Action, Draw, Hands, Priest, as_seen
from companion.games.war_chest.coins import Coin
from companion.games.war_chest.layout import layout
from companion.games.war_chest.state import DrawCoin, State
from companion.table import Appearance, Layout, Placement, Spot


@dataclass(frozen=True)
class WarChest:
    """The game for two players, and for four as two against two."""

    id: ClassVar[str] = "war-chest"
    seats: ClassVar[tuple[int, ...]] = (2, 4)
    words: ClassVar[Path] = Path(__file__).parent
    ways: ClassVar[tuple[str, ...]] = drafts.WAYS
    """How units may be chosen before the game (WC 3.5 to WC 3.12)."""

    def preparation(self, way: str) -> drafts.Way:
        """The players' decisions of this way, as a game of its own."""
        return drafts.way(way)

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """`knowledge`, `royal_guard`, `preview_second_hand`."""
        return setup.read_options(given)

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """`{"units": [[unit, …] a seat], "initiative": SEAT, "factions": [one a seat]}`."""
        return setup.read_setup(given, players)

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """Random units, a random seat begins."""
        return setup.random_setup(players, rng)

    def instructions(self, setup: Json) -> Sequence[Phrase]:
        """What each player lays out."""
        return tuple(speech.instructions(setup))

    def setup_seen(
        self, costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], options: Mapping[str, Json], players: int
    ) -> Json:
        """The armies by the supplies, the factions and the initiative by their markers; null if unsure."""
        return seen.setup_seen(costs, players)

    def setup_open(self, setup: Json) -> Sequence[OpenPart]:
        """What is null in a set-up, with what is left for it."""
        return seen.setup_open(setup)

    def setup_parts(self, setup: Json) -> Mapping[SetupPath, Json]:
        """What a picture tells of a set-up."""
        return seen.setup_parts(setup)

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

    def turn(self, state: State) -> Turn:
        """Who is to act, or how the game ended."""
        return rules.turn(state)

    def legal(self, state: State) -> Iterator[Ply[Action | Choose]]:
        """Every legal ply; face-down plies without their coin where the referee only sees their backs."""
        yield from rules.legal(state)

    def apply(self, state: State, ply: Ply[Action]) -> State:
        """The state after the ply; raises `IllegalError`."""
        return rules.apply(state, ply)

    def outcomes(self, state: State) -> Iterable[tuple[Action, Fraction]]:
        """Every draw with its odds; at a table (`referee`) a draw shows nothing, so there is only one."""
        if not state.is_open:
            yield (Priest() if state.due else Draw()), Fraction(1)
        elif state.due:
            for (coin,), odds in coins.possible_draws(state.purses[state.due[-1].seat], 1):
                yield Priest(coin), odds
        else:
            yield from _hands(state)

    def sample(self, state: State, rng: Random) -> Action:
        """One draw by the odds."""
        if not state.is_open:
            return Priest() if state.due else Draw()
        if isinstance(state.due[-1] if state.due else None, DrawCoin):
            return Priest(coins.draw_at_random(state.purses[state.due[-1].seat], 1, rng)[0])
        ahead = state.table.preview and state.round == 0
        drawn = [
            coins.draw_at_random(purse, coins.hand_to_draw(purse) + coins.HAND * ahead, rng) for purse in state.purses
        ]
        if not ahead:
            return Draw(_by_seat(drawn))
        return Draw(_by_seat([each[:coins.HAND] for each in drawn]), _by_seat([each[coins.HAND:] for each in drawn]))

    def scores(self, state: State) -> tuple[int, ...]:
        """Markers of the seat's side on the board (WC 1.2)."""
        return tuple(state.markers(seat % 2) for seat in state.table.seats)

    def placement(self, state: State) -> Placement:
        """Units, markers, supplies, discards and the initiative marker."""
        return views.placement(state)

    def view(self, state: State, observer: Observer) -> Seen:
        """A seat knows its own coins; the room only what lies open; the referee everything in the open, at a table what
        follows from what everybody saw. Once the game is over, everybody knows what the companion knows."""
        told = views.told(state, observer)
        facts = tuple(views.facts(told))
        return Seen(self.id, observer, self.turn(state), self.scores(state), self.placement(state), told, facts)

    def possible(self, seen: Seen, rng: Random) -> State:
        """A state in which the coins that the observer does not see are dealt out, at a table by the exact odds; it is
        played on in the open."""
        assert isinstance(seen.told, views.Told)
        return views.possible(seen.told, rng)

    def may_confide(self, state: State, seat: Seat) -> Iterator[Json]:
        """The hands that the seat may hold: `{"hand": [coins]}`, then a priest's coin and second hands."""
        return confiding.may_confide(state, seat)

    def confide(self, state: State, seat: Seat, told: Json) -> State:
        """The state in which the seat told `{"hand": …}`; raises `InvalidError` or `IllegalError`."""
        return confiding.confide(state, seat, told)

    def open_action(self, action: Action, options: Mapping[str, Json]) -> Action:
        """At a table, without the coins that not everybody saw (WC 9.6)."""
        return as_seen(action) if options["knowledge"] == "referee" else action

    def open_state(self, state: State) -> Hashable:
        """What lies open of a state: not which coins are hidden, nor in what order they lie below a pile's top."""
        return views.open_state(state)

    def promise(self, state: State, seat: Seat) -> float:
        """A rough value from 0 to 1: markers count most, then coins on the board and hexes near a location."""
        return promise.promise(state, seat)

    def say(self, state: State, ply: Ply[Action], observer: Observer) -> Phrase:
        """The ply in words: "Knight from 0,1 to 0,2"."""
        return speech.say(state, ply, observer)

    def read_action(self, given: Json) -> Action:
        """An action from JSON; raises `InvalidError`."""
        return CODEC.read(given)  # type: ignore[no-any-return]

    def write_action(self, action: Action | Choose) -> Json:
        """The JSON of an action."""
        return CODEC.write(action)


def _by_seat(hands: Sequence[Sequence[Coin]]) -> Hands:
    return tuple((seat, tuple(sorted(hand))) for seat, hand in enumerate(hands))


def _hands(state: State) -> Iterator[tuple[Action, Fraction]]:
    """All seats' hands of a round, and in the first of a preview their second hands."""
    if state.table.preview and state.round == 0:
        pairs = (coins.possible_pairs(purse) for purse in state.purses)
        for seats in product(*map(list, pairs)):
            first, second = [hand for (hand, _), _ in seats], [ahead for (_, ahead), _ in seats]
            yield Draw(_by_seat(first), _by_seat(second)), prod((odds for _, odds in seats), start=Fraction(1))
        return
    draws = [list(coins.possible_draws(purse, coins.hand_to_draw(purse))) for purse in state.purses]
    for drawn in product(*draws):
        yield Draw(_by_seat([hand for hand, _ in drawn])), prod((odds for _, odds in drawn), start=Fraction(1))
