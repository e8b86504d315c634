"""An earlier ply that is put right: what was played after it stays, as far as it still can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine import Json, Ply, record
from companion.errors import IllegalError, Phrase
from companion.session.state import Match


@dataclass(frozen=True, slots=True)
class Replacement:
    """What a correction says: so many plies go, these were really played. `dropped`: so many of those that were played
    after it do not fit any more."""

    take_back: int
    plies: tuple[Mapping[str, Json], ...]
    dropped: int = 0


@dataclass(frozen=True)
class EarlierPly:
    """Ply `n` of a match, from 1, and what it was taken for."""

    match: Match
    n: int
    said: Phrase

    @property
    def before(self) -> Any:
        """The state before it, as everybody saw it."""
        return self.match.states[self.n - 1]

    def replaced_by(self, written: Mapping[str, Json]) -> Replacement:
        """The correction by which this was played instead. What was told of plies after it is to be told again."""
        game, state = self.match.game, self.match.game.apply(
            self.before, record.read_ply(written, self.match.game, "ply"))
        kept: list[Ply[Any]] = []
        later = self.match.seen_plies[self.n:]
        for ply in later:
            try:
                state = game.apply(state, ply)
            except IllegalError:
                break
            kept.append(ply)
        plies = (written, *(self.match.written(ply) for ply in kept))
        return Replacement(len(self.match.made) - self.n + 1, plies, len(later) - len(kept))
