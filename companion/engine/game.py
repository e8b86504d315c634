"""The contract of a game. Start reading here.

A game is a set of pure functions over frozen values. A state is what replaying the plies of a record gives; nothing is
ever changed in place. Chance is a player, hidden information is a normal value, several seats may be on turn at once.
This loop plays any game; `random_ply` takes one of `legal`, or where chance is due one of `outcomes`:

    >>> def play_out(game, choose):
    ...     players = game.seats[0]
    ...     options = game.read_options(game.simulation, players)
    ...     state = game.start(game.deal(players, options, rng), options, players)
    ...     while not isinstance(turn := game.turn(state), Over):
    ...         state = game.apply(state, choose(game, state, rng))
    ...     return turn.reason in game.reasons

    >>> from random import Random
    >>> from companion.engine import Over, random_ply
    >>> from companion.games import registry
    >>> rng = Random(1)
    >>> play_out(registry.game(registry.ids()[0]), random_ply)
    True

The values stand in `values.py`, what else a game may offer in `abilities.py`. A game is written as a subclass of
`OpenGame` or `BaseGame` (`base_game.py`), which have all that an open game without chance need not say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

from companion.engine.abilities import Coloured, Concealing, Evaluating, Hiding, Instructing, Sampling
from companion.engine.values import Choose, Json, Observer, Ply, Turn
from companion.errors import Phrase
from companion.table import Layout, Placement

S = TypeVar("S")
A = TypeVar("A")


class Game(Sampling[S, A], Hiding[S], Concealing[S, A], Evaluating[S], Instructing, Coloured, Protocol[S, A]):
    """What every game offers. `S` is its frozen state, `A` the union of its frozen, hashable actions.

    JSON comes in and goes out exactly as the record format writes it. Reading raises `InvalidError` (wrong form); a
    set-up that cannot be raises `IllegalError` with its rule, and so does `apply` for a ply that breaks a rule.
    """

    id: str
    seats: tuple[int, ...]
    """The numbers of players that can play it."""
    words: Path
    """The folder of this game's language files (`words.en.toml` …)."""
    reasons: tuple[str, ...]
    """For which it may end, as records write them."""
    simulation: Mapping[str, Json]
    """Options to set where games are played at random, so that they end."""

    def read_options(self, given: Mapping[str, Json], players: int) -> Mapping[str, Json]:
        """All options with their defaults filled in."""

    def read_setup(self, given: Json, options: Mapping[str, Json], players: int) -> Json:
        """The set-up, checked whole and in its exported spelling. (`x-` keys are kept by records, not here.)"""

    def deal(self, players: int, options: Mapping[str, Json], rng: Random) -> Json:
        """A random set-up as it can be dealt at a table."""

    def layout(self, setup: Json) -> Layout:
        """Where this set-up's spots lie."""

    def start(self, setup: Json, options: Mapping[str, Json], players: int) -> S:
        """The state before the first ply."""

    def turn(self, state: S) -> Turn:
        """Who is to act, or how the game ended."""

    def legal(self, state: S) -> Iterator[Ply[A | Choose]]:
        """Every legal ply, lazily, each once in its exported spelling; subsets as `Choose`, draws not at all."""

    def apply(self, state: S, ply: Ply[A]) -> S:
        """The state after `ply`; raises `IllegalError` when it is not legal. `state` stays as it was."""

    def scores(self, state: S) -> tuple[int, ...]:
        """Points now, one a seat."""

    def placement(self, state: S) -> Placement:
        """What stands where."""

    def say(self, state: S, ply: Ply[A], observer: Observer) -> Phrase:
        """The ply in words, before it is applied to `state`, as this observer may know it."""

    def read_action(self, given: Json) -> A:
        """An action from JSON, in its exported spelling whatever the given one was."""

    def write_action(self, action: A | Choose) -> Json:
        """The exported JSON of an action."""


AnyGame = Game[Any, Any]
