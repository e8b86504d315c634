"""What a player who knows the game tells when it is asked openly what was played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from companion.cli.chain import Answerer
from companion.interpret import Interpreter
from companion.interpret.belief import Belief, OpenQuestion, SettledTable
from companion.interpret.evidence import Evidence, TableTracks
from companion.interpret.explanation import Explanation
from companion.interpret.layout_index import index_layout
from companion.table import Layout
from tests.interpret.fuzz_selfplay import made_up

STORY = made_up("kamikaze-cans", 1, 6)
INDEX = index_layout(Layout((), (), (), (100.0, 100.0)))


class Weighing:
    """What the look leaves unexplained by so many plies."""

    def __init__(self, nats: Sequence[float]) -> None:
        self.nats = nats

    def told_nats(self, _belief: Belief, plies: tuple[Any, ...]) -> float:
        return self.nats[len(plies)]


@pytest.mark.parametrize(("nats", "told"), [
    ((80.0, 40.0, 6.0, 12.0), 2),  # two fit, and nothing is left
    ((80.0, 40.0, 4.0, 3.0), 3),  # little is left: what a third explains counts
    ((900.0, 860.0, 830.0, 815.0), 2),  # the look is full of ghosts: some fit a ply that nobody made
    ((900.0, 860.0, 650.0, 630.0), 2),
    ((0.0, 2.0, 4.0, 6.0), 0),
])
def test_no_more_is_told_than_the_look_bears_out(nats: Sequence[float], told: int) -> None:
    answerer = Answerer(STORY.game, [STORY.game.open_state(each) for each in STORY.states], STORY.plies[:3])
    answer = answerer.tell(cast(Interpreter, Weighing(nats)), Belief(SettledTable(STORY.states[0])), given=0)
    assert answer == tuple(STORY.plies[:told])


def test_of_two_choices_that_are_true_the_one_that_fits_the_look_is_chosen() -> None:
    """Both a ply and the same with the next one are choices: who played knows whether the second was made already."""
    answerer = Answerer(STORY.game, [STORY.game.open_state(each) for each in STORY.states], STORY.plies[:3])
    states = STORY.states
    for cost_of_two, chosen in ((9.0, 1), (4.0, 2)):
        choices = tuple(Explanation(tuple(STORY.plies[:n]), states[n], cost, cost) for n, cost in
                        ((3, 20.0), (1, 6.0), (2, cost_of_two)))
        belief = Belief(SettledTable(states[0]), question=OpenQuestion(choices, Evidence({}, {}, TableTracks(), INDEX)))
        assert answerer.choose(belief) == chosen
    other = Explanation((), "elsewhere", 1.0, 1.0)
    belief = Belief(SettledTable(states[0]), question=OpenQuestion((other,), Evidence({}, {}, TableTracks(), INDEX)))
    assert answerer.choose(belief) is None
