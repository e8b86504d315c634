"""A session with eyes that a test leads: `sight(outcome)` is a look that comes to this outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, cast

import pytest

from companion.engine import AnyGame, Ply
from companion.errors import CompanionError, Phrase
from companion.games import registry
from companion.interpret import Choice, Moved, Outcome, Unchanged
from companion.session.clock import FakeClock
from companion.session.commands import StartGame
from companion.session.events import Event
from companion.session.library import GameLibrary
from companion.session.session import Session, Transition
from companion.session.sighted import Sighted
from companion.session.state import State
from companion.table import Layout, Observation, Placement

HEADER = {
    "game": "kamikaze-cans",
    "players": [{"name": "Ann"}, {"name": "Ben"}],
    "setup": {"colours": ["red", "green"], "first": 0},
}
GAME = registry.game("kamikaze-cans")
SCRIPT: dict[float, Outcome] = {}
"""What the look at this moment comes to."""
_moments = count(1)


@dataclass(frozen=True)
class ScriptedStep:
    belief: Any
    outcome: Outcome


@dataclass
class ScriptedEyes:
    """Stands in for the interpreter: a belief is the name of what was last asked of it."""

    game: AnyGame
    layout: Layout
    answers: dict[int | None, Outcome] = field(default_factory=dict)
    wrong: tuple[Phrase, ...] = ()
    stands: Placement = field(default_factory=dict)
    is_sure: bool = False

    def begin(self, state: Any) -> Any:
        return "begun"

    def look(self, belief: Any, observation: Observation) -> ScriptedStep:
        return ScriptedStep("looked", SCRIPT[observation.at_s])

    def answer(self, belief: Any, choice: int | None) -> ScriptedStep:
        return ScriptedStep("answered", self.answers.get(choice, Unchanged()))

    def corrected(self, state: Any) -> Any:
        return "told"

    def confirmed(self, belief: Any) -> Any:
        return "stood"

    def differences(self, belief: Any, observation: Observation) -> tuple[Phrase, ...]:
        return self.wrong

    def as_it_stands(self, belief: Any, observation: Observation) -> Placement:
        return self.stands

    def is_sure_of(self, observation: Observation, stands: Placement) -> bool:
        return self.is_sure


def library() -> GameLibrary:
    return GameLibrary(lookup=registry.game, interpreter=cast(Any, ScriptedEyes))


def seen(outcome: Outcome, number: int = 0) -> Sighted:
    """A free look that comes to this outcome."""
    moment = float(next(_moments))
    SCRIPT[moment] = outcome
    return Sighted(number, "free", observation=Observation(moment, ()))


def place(player: int, shape: str, to: str) -> Ply[Any]:
    colour = HEADER["setup"]["colours"][player]
    return Ply(player, GAME.read_action({"type": "place", "drink": f"{colour}/{shape}", "to": to}))


def ply_json(ply: Ply[Any]) -> dict[str, Any]:
    return {"player": ply.player, "action": GAME.write_action(ply.action)}


def choice(*plies: Ply[Any], taken_back: int = 0) -> Choice:
    return Choice(plies, 0.5, taken_back)


@dataclass
class Table:
    """A session and its state, driven command by command."""

    state: State = field(default_factory=State)
    session: Session = field(default_factory=lambda: Session(library=library(), clock=FakeClock()))

    def do(self, command: Any) -> tuple[Event, ...]:
        change: Transition = self.session.handle(self.state, command)
        self.state = change.state
        return change.events

    def start(self, notes: Mapping[str, Any] | None = None) -> Table:
        self.do(StartGame(self.state.seq, "host", {**HEADER, **(notes or {})}))
        return self

    def ask(self, kind: type[Any], by: Any, *args: Any, **also: Any) -> tuple[Event, ...]:
        """A person's command with the present number."""
        return self.do(kind(self.state.seq, by, *args, **also))

    @property
    def eyes(self) -> ScriptedEyes:
        assert self.state.match is not None
        eyes = self.state.match.interpreter
        assert isinstance(eyes, ScriptedEyes)
        return eyes

    @property
    def plies(self) -> list[Ply[Any]]:
        assert self.state.match is not None
        return [made.ply for made in self.state.match.made]


A, B = place(0, "tall_can", "c4"), place(1, "short_can", "d4")
ELSEWHERE = place(0, "tall_can", "a1")


def played(notes: Mapping[str, Any] | None = None) -> Table:
    """Ann placed her tall can, Ben his short one. `notes` stand in the header."""
    table = Table().start(notes)
    table.do(seen(Moved((A,), 0.999), 3))
    table.do(seen(Moved((B,), 0.998), 5))
    return table


def refusal(call: Callable[..., object], *args: Any, **also: Any) -> str:
    """The id of the phrase with which a call is refused."""
    with pytest.raises(CompanionError) as refused:
        call(*args, **also)
    return refused.value.phrase.id


def a_game() -> Iterator[Any]:
    """The commands of a short game; the first takes the present number."""
    yield lambda seq: StartGame(seq, "host", HEADER)
    shapes = ("tall_can", "tall_can", "stub_can", "stub_can", "short_can")
    for number, (shape, cell) in enumerate(zip(shapes, ("c4", "d4", "a1", "b1", "c1"))):
        yield seen(Moved((place(number % 2, shape, cell),), 0.999), number)
