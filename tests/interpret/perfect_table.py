"""A game on a table with perfect eyes: what is played, and what the interpretation makes of it."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.engine import Ply
from companion.games import registry
from companion.interpret import Belief, Interpreter, Moved
from companion.table import COLOURS, Observation
from tests.interpret.fuzz_selfplay import appearances
from tests.interpret.play_truth import Story
from tests.interpret.truth_eyes import TruthEyes, placed


class Table:
    """A game on a table with perfect eyes: what is played, and what the interpretation makes of it."""

    def __init__(self, game_id: str, players: int = 2, seed: int = 0, **options: Any) -> None:
        self.game = registry.game(game_id, COLOURS)
        all_options = self.game.read_options(options, players)
        setup = self.game.deal(players, all_options, Random(seed))
        self.state = self.game.start(setup, all_options, players)
        self.layout = self.game.layout(setup)
        self.plies: list[Ply[Any]] = []
        self.states = [self.state]
        self.interpreter = Interpreter(self.game, self.layout)
        story = Story(self.game, setup, (), (self.state,))
        coins = [{"name": name, "kind": "coin"} for name in ("coin:back", "yen:500:back")]
        self.eyes = TruthEyes(self.layout, [*appearances(story), *coins])
        self.belief: Belief = self.interpreter.begin(self.state)
        self.look()

    def play(self, *plies: Ply[Any]) -> None:
        """Play without a look."""
        for ply in plies:
            self.state = self.game.apply(self.state, ply)
            self.states.append(self.state)

    def legal(self, kind: str) -> list[Ply[Any]]:
        return [ply for ply in self.game.legal(self.state) if ply.action.type == kind]

    def pieces(self) -> list[dict[str, Any]]:
        return placed(self.layout, self.game.placement(self.state))

    def observation(self, pieces: list[dict[str, Any]] | None = None) -> Observation:
        return self.eyes.look({"frame": len(self.states), "pieces": pieces or self.pieces()})

    def look(self, pieces: list[dict[str, Any]] | None = None) -> Any:
        step = self.interpreter.look(self.belief, self.observation(pieces))
        self.belief = step.belief
        return step.outcome


def war_chest() -> Table:
    table = Table("war-chest", knowledge="referee")
    table.play(Ply("chance", table.game.sample(table.state, Random(0))))
    return table


def crate_wars(*placings: tuple[int, int]) -> Table:
    """Drinks placed in turn, each (number in the supply, crate)."""
    table = Table("crate-wars")
    for number, crate in placings:
        drinks = sorted({ply.action.drink for ply in table.legal("place")})
        placings_now = [ply for ply in table.legal("place") if ply.action.crate == crate]
        table.play(next(ply for ply in placings_now if ply.action.drink == drinks[number]))
        assert isinstance(table.look(), Moved)
    return table
