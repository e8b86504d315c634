"""Any game, played, taken back and written down in any order, stays true to itself."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)  # fmt: skip

from companion.engine import Over, Ply, lines, play, record
from companion.games import registry


class Table(RuleBasedStateMachine):
    """People at a table: they play, take plies back, and look at the record."""

    game: Any

    @initialize(seed=st.integers(0, 10**6), seat=st.integers(0, 5))
    def sit_down(self, seed: int, seat: int) -> None:
        self.rng = Random(seed)
        self.players = self.game.seats[seat % len(self.game.seats)]
        self.options = self.game.read_options({}, self.players)
        dealt = self.game.deal(self.players, self.options, self.rng)
        self.setup = self.game.read_setup(dealt, self.options, self.players)
        self.states = [self.game.start(self.setup, self.options, self.players)]
        self.plies: list[Ply[Any]] = []

    @property
    def over(self) -> bool:
        return isinstance(self.game.turn(self.states[-1]), Over)

    @precondition(lambda self: not self.over)
    @rule(seed=st.integers(0, 10**6))
    def play(self, seed: int) -> None:
        ply = play.random_ply(self.game, self.states[-1], Random(seed))
        self.plies.append(ply)
        self.states.append(self.game.apply(self.states[-1], ply))

    @precondition(lambda self: self.plies)
    @rule(number=st.integers(1, 3))
    def take_back(self, number: int) -> None:
        for _ in range(min(number, len(self.plies))):
            again, ply = self.states.pop(), self.plies.pop()
            assert self.game.apply(self.states[-1], ply) == again

    @rule()
    def write_down(self) -> None:
        names = ["A"] * self.players
        written = [record.write_header(self.game, names, self.options, self.setup, "2026-01-01T00:00:00Z")]
        written += [record.write_ply(self.game, n, ply) for n, ply in enumerate(self.plies, 1)]
        if self.over:
            written.append(record.write_result(self.game, self.states[-1]))
        text = "".join(map(lines.line, written))
        checked = record.check(text, registry.game)
        assert checked.text == text
        assert checked.state == self.states[-1]

    @invariant()
    def everybody_sees_the_same_scores_and_turn(self) -> None:
        state = self.states[-1]
        assert len(self.game.scores(state)) == self.players
        assert isinstance(self.game.view(state, "room").turn, type(self.game.turn(state)))


@pytest.mark.parametrize("id", registry.ids())
def test_a_table_stays_true_whatever_people_do(id: str) -> None:
    machine = type("TableOf", (Table,), {"game": registry.game(id)})
    steady = settings(max_examples=8, stateful_step_count=30, deadline=None, derandomize=True, database=None)
    run_state_machine_as_test(machine, settings=steady)
