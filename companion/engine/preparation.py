"""What the players decide before a record begins: drafts, hidden placing."""

from __future__ import annotations

from typing import Any, Final, Protocol, TypeVar, runtime_checkable

from companion.engine.game import Game
from companion.engine.values import Json

S = TypeVar("S")
A = TypeVar("A")

SET_UP: Final = "set up"
"""The reason for which a `Preparation` is over. It never stands in a record."""


class Preparation(Game[S, A], Protocol[S, A]):
    """What the players decide before the record begins, as a game of its own.

    Its plies are no plies of the record; its one reason to end is `SET_UP`.
    """

    def result(self, state: S) -> Json:
        """The set-up that came out, once it is over; `read_setup` of the game takes it."""


@runtime_checkable
class Preparing(Protocol):
    """A game whose players may decide about the set-up before the record begins."""

    ways: tuple[str, ...]
    """The ways to do so, by name; `name.<way>` says it."""

    def preparation(self, way: str) -> Preparation[Any, Any]:
        """The decisions of this way, to be played before the game itself."""
