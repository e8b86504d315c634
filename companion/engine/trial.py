"""A game under test: what the laws of `laws.py` are about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Protocol

from companion.engine import play
from companion.engine.game import AnyGame
from companion.engine.values import CHANCE, Chance, Choose, Json, Observer, Ply, Turn
from companion.errors import Phrase

MAX_PLIES_TRIED: Final = 12
"""How many plies of a list are tried in each state."""
MAX_OUTCOMES: Final = 5000
"""Where chance has more outcomes, they are not added up."""


class ConformanceError(AssertionError):
    """A game breaks one of the laws."""


class Speaker(Protocol):
    """What is asked of the words: which phrases there are, and what they say."""

    def __contains__(self, phrase_id: str) -> bool:
        """Whether a file has this phrase."""

    def say(self, phrase: Phrase) -> str:
        """The phrase in words."""


@dataclass
class Trial:
    """A game under test, and a state of it."""

    game: AnyGame
    players: int
    words: Speaker
    rng: Random
    setup: Json
    state: Any
    listed: list[Ply[Any]] = field(default_factory=list)
    """The legal plies of the state."""
    seen_plies: list[Ply[Any]] = field(default_factory=list)
    """Plies of earlier states: most of them are not legal now."""
    confider: int = 0
    """With a `Confiding` game: the seat that now and then confides something …"""
    confided: Any = None
    """… and the same state, reached by the same plies, with what it confided."""
    is_confided_to: bool = False
    """Whether a seat might have confided something in this state or an earlier one."""

    @property
    def turn(self) -> Turn:
        """Who is to act."""
        return self.game.turn(self.state)

    @property
    def observers(self) -> tuple[Observer, ...]:
        """Everybody who may look."""
        return (*range(self.players), "room", "referee")

    def some_plies(self) -> list[Ply[Any]]:
        """Some plies that can be made now, as actions."""
        if isinstance(self.turn, Chance):
            return [Ply(CHANCE, self.game.sample(self.state, self.rng))]
        return [self._chosen(ply) for ply in self.rng.sample(self.listed, min(MAX_PLIES_TRIED, len(self.listed)))]

    def _chosen(self, ply: Ply[Any]) -> Ply[Any]:
        if not isinstance(ply.action, Choose):
            return ply
        return Ply(ply.player, play.random_choice(self.game, ply.action, self.rng))


def must(holds: bool, law: str | None, about: object) -> None:
    """Raises `ConformanceError`, with the law and what it is about, unless it holds."""
    if not holds:
        raise ConformanceError(f"{law} — {str(about)[:600]}")


def must_be_said(trial: Trial, phrase: Phrase, law: Callable[[Trial], None]) -> None:
    """Every phrase in it must stand in the files, and its gaps must be filled."""
    waiting = [phrase]
    while waiting:
        each = waiting.pop()
        must(each.id in trial.words, f"{law.__doc__} (a phrase is missing)", each)
        for _, arg in each.args:
            waiting += [inner for inner in (arg if isinstance(arg, tuple) else (arg,)) if isinstance(inner, Phrase)]
    try:
        trial.words.say(phrase)
    except KeyError as error:
        raise ConformanceError(f"{law.__doc__} (the gap {error} is not filled) — {phrase}") from error
