"""What the session is given to play with: the games, and an interpreter of looks for each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.engine import AnyGame, Json, record
from companion.engine.positions import looking_up_positions
from companion.errors import Phrase
from companion.interpret import Outcome
from companion.table import Layout, Observation, Placement, Spot


class Judgement(Protocol):
    """What one look or answer came to."""

    @property
    def belief(self) -> Any:
        """The belief from now on."""

    @property
    def outcome(self) -> Outcome:
        """What to tell."""


class LookInterpreter(Protocol):
    """What the session asks of `companion.interpret`; `belief` and `state` are opaque values here."""

    def setup_seen(
        self, observation: Observation, options: Mapping[str, Json], players: int,
        told: Sequence[tuple[Spot, Json]] = (),
    ) -> Json:
        """The set-up as a look shows it, null for what it cannot tell; `told` is what people said of some spots."""

    def begin(self, state: Any) -> Any:
        """A belief in which nothing has been seen yet."""

    def look(self, belief: Any, observation: Observation) -> Judgement:
        """What a free look tells."""

    def answer(self, belief: Any, choice: int | None) -> Judgement:
        """A person chose one of the explanations, or none of them."""

    def corrected(self, state: Any) -> Any:
        """The belief once a person said what the state is."""

    def confirmed(self, belief: Any) -> Any:
        """The belief once a person said that the last ply stands."""

    def differences(self, belief: Any, observation: Observation) -> tuple[Phrase, ...]:
        """How to put the table back to the believed state; empty when it stands so."""

    def as_it_stands(self, belief: Any, observation: Observation) -> Placement:
        """What stands where, as far as the look contradicts the believed state."""

    def is_sure_of(self, observation: Observation, stands: Placement) -> bool:
        """Whether a look tells clearly that this stands."""


@dataclass(frozen=True, slots=True)
class GameLibrary:
    """Where games are looked up by their id, and what interprets the looks at a game's table."""

    lookup: record.GameLookup
    interpreter: Callable[[AnyGame, Layout], LookInterpreter]

    def __post_init__(self) -> None:
        object.__setattr__(self, "lookup", looking_up_positions(self.lookup))
