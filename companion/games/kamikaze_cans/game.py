"""Kamikaze Cans as the companion knows games: the rules behind the contract of `companion.engine`."""
# ruff: noqa: ARG002 (the contract hands over more than an open game without chance needs)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from types import MappingProxyType

from companion.engine import Choose, Json, Observer, OpenGame, OpenPart, Ply, form
from companion.engine.codec import Codec
from companion.engine.form import CELLS
from companion.errors import IllegalError, Phrase, phrase
from companion.games.kamikaze_cans import evaluation, position, recognition, rules
from companion.games.kamikaze_cans.layout import layout
from companion.games.kamikaze_cans.state import State
from companion.games.kamikaze_cans.state import Rules
from companion.games.kamikaze_cans.actions import Action
from companion.games.kamikaze_cans.actions import Explode
from companion.games.kamikaze_cans.actions import Move
from companion.games.kamikaze_cans.actions import Place
from companion.table import COLOURS, Appearance, Layout, Placement, Spot, all_drinks


@dataclass(frozen=True)
class KamikazeCans(OpenGame[State, Action]):
    """The game with a piece set of these six colours. Nothing in it is hidden and nothing is left to chance."""

    colours: tuple[str, ...] = COLOURS

    id = "kamikaze-cans"
    seats = (2, 3, 4, 5, 6)
    words = Path(__file__).parent
    reasons = (rules.STOCK_EMPTY, rules.QUIET_LIMIT)
    simulation = MappingProxyType({"quiet_limit": 200})

    turn = staticmethod(rules.turn)
    legal = staticmethod(rules.legal)
    apply = staticmethod(rules.apply)
    scores = staticmethod(rules.scores)
    score_parts = staticmethod(rules.score_parts)
    evaluate = staticmethod(evaluation.evaluate)
    explain = staticmethod(recognition.explain)
    setup_parts = staticmethod(recognition.setup_parts)
    rearranged = staticmethod(position.rearranged)

    def with_colours(self, colours: tuple[str, ...]) -> KamikazeCans:
        """The same game with another piece set."""
        return replace(self, colours=colours)

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """`stub_cans_chain` (KC 5.4) and `quiet_limit` (KC 6.3)."""
        found = form.fields(given, "options", [], ["stub_cans_chain", "quiet_limit"])
        limit = found.get("quiet_limit")
        return {
            "stub_cans_chain": form.truth(found.get("stub_cans_chain", True), "options.stub_cans_chain"),
            "quiet_limit": None if limit is None else form.whole(limit, "options.quiet_limit", least=1),
        }

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """`{"colours": [one a seat], "first": SEAT}`."""
        found = form.fields(given, "setup", ["colours", "first"])
        colours = [
            form.one_of(colour, f"setup.colours[{seat}]", self.colours)
            for seat, colour in enumerate(form.items(found["colours"], "setup.colours", players))
        ]
        for seat, colour in enumerate(colours):
            if colour in colours[:seat]:
                raise IllegalError("KC 1.3", phrase("kc.same_colour", colour=colour))
        return {"colours": colours, "first": form.whole(found["first"], "setup.first", 0, players - 1)}

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """Random colours, a random seat begins."""
        return {"colours": rng.sample(self.colours, players), "first": rng.randrange(players)}

    def all_pieces(self, setup: Json) -> Sequence[Appearance]:
        """The drinks of the colours that play."""
        return all_drinks(setup["colours"])

    def layout(self, setup: Json) -> Layout:
        """Six crates as a grid, a stock for each seat around it."""
        return replace(layout(len(setup["colours"])), seat_colours=tuple(setup["colours"]))

    def start(self, setup: Json, options: Mapping[str, Json], players: int) -> State:
        """The empty grid and full stocks."""
        return rules.start(
            Rules(tuple(setup["colours"]), options["stub_cans_chain"], options["quiet_limit"]), setup["first"]
        )

    def placement(self, state: State) -> Placement:
        """The drinks on their cells and in their stocks."""
        stocks = {f"stock:{seat}": stock for seat, stock in enumerate(state.stocks) if stock}
        return stocks | {f"grid:{cell}": (drink,) for cell, drink in zip(CELLS, state.grid) if drink is not None}

    def say(self, state: State, ply: Ply[Action], observer: Observer) -> Phrase:
        """The ply in words: "red tall can to c4"."""
        drinks = dict(zip(CELLS, state.grid))
        match ply.action:
            case Place(drink, to):
                return phrase("kc.place", drink=drink, to=to)
            case Move(from_, to):
                return phrase("kc.move", drink=drinks[from_] or "", origin=from_, to=to)
            case Explode(at):
                taken = tuple(state.grid[index] or "" for index in rules.blast(state, at)[1:])
                if not taken:
                    return phrase("kc.explode", drink=drinks[at] or "", at=at)
                return phrase("kc.explode_taking", drink=drinks[at] or "", at=at, taken=taken)

    def setup_seen(
        self, costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], options: Mapping[str, Json], players: int
    ) -> Json:
        """The colours that the stocks show; who begins cannot be seen."""
        return recognition.setup_seen(costs, self.colours, players)

    def setup_open(self, setup: Json) -> Sequence[OpenPart]:
        """What is null in a set-up, with what is left for it."""
        return recognition.setup_open(setup, self.colours)

    def read_action(self, given: Json) -> Action:
        """An action from JSON; raises `InvalidError`."""
        return self._codec.read(given)

    def write_action(self, action: Action | Choose) -> Json:
        """The JSON of an action."""
        return self._codec.write(action)

    @property
    def _codec(self) -> Codec[Action]:
        return _codec(self.colours)


@cache
def _codec(colours: tuple[str, ...]) -> Codec[Action]:
    return Codec[Action]([Place, Move, Explode], colours=colours)
