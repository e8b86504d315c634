"""What most games need not say: subclass `OpenGame`, or `BaseGame` where something is hidden from somebody."""
# ruff: noqa: ARG002 (the contract hands over more than these answers need)

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Protocol, Self, TypeVar, cast

from companion.engine.game import Game
from companion.engine.values import Json, Observer, Odds, Seat, Seen
from companion.errors import Phrase

S = TypeVar("S")
A = TypeVar("A")


class BaseGame(Game[S, A], Protocol[S, A]):
    """A game without chance, without drinks, and with no secrets but those that its `view` keeps."""

    simulation: Mapping[str, Json] = MappingProxyType({})

    def outcomes(self, state: S) -> Iterable[Odds[A]]:
        """None: chance is never due."""
        return ()

    def sample(self, state: S, rng: Random) -> A:
        """Never asked for."""
        raise ValueError(f"nothing is left to chance in {self.id}")

    def at_table(self, options: Mapping[str, Json]) -> Mapping[str, Json]:
        """Just these options."""
        return options

    def open_setup(self, setup: Json, options: Mapping[str, Json], observer: Observer) -> Json:
        """The whole set-up."""
        return setup

    def open_action(self, action: A, options: Mapping[str, Json]) -> A:
        """The action itself."""
        return action

    def open_state(self, state: S) -> Hashable:
        """All of the state."""
        return state

    def evaluate(self, state: S, seat: Seat) -> float:
        """The lead as a share of all points."""
        scores = self.scores(state)
        lead = scores[seat] - max(scores[:seat] + scores[seat + 1:], default=0)
        return 0.5 + lead / (2 * (1 + sum(map(abs, scores))))

    def instructions(self, setup: Json) -> Sequence[Phrase]:
        """None."""
        return ()

    def with_colours(self, colours: tuple[str, ...]) -> Self:
        """The same game, whatever the colours."""
        return self


class OpenGame(BaseGame[S, A], Protocol[S, A]):
    """A game in which everybody sees all."""

    def facts(self, state: S) -> tuple[Phrase, ...]:
        """Lines for the page: none."""
        return ()

    def view(self, state: S, observer: Observer) -> Seen:
        """The whole state."""
        turn, scores, placement = self.turn(state), self.scores(state), self.placement(state)
        return Seen(self.id, observer, turn, scores, placement, known=state, facts=self.facts(state))

    def possible(self, seen: Seen, rng: Random) -> S:
        """The state itself."""
        return cast(S, seen.known)
