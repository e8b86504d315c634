"""Games played by chance into a journal, one line a ply, as fast as it takes them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from companion.interpret import Moved
from companion.session.clock import Clock, FakeClock
from companion.session.commands import StartGame
from companion.session.journal import Journal
from companion.session.library import GameLibrary
from companion.session.session import Session
from companion.session.state import State
from tests.session.tables import HEADER, library, seen

LINES_A_GAME = 40


def rules() -> GameLibrary:
    """Rules as they are, eyes that see what they are told to."""
    return library()


def play(journal: Journal, state: State, rng: random.Random, clock: Clock | None = None) -> Iterator[State]:
    """Goes on where the journal stands, line by line, game by game, for ever. Each state given is on the disk."""
    session = Session(library=rules(), clock=clock or FakeClock())
    while True:
        match = state.match
        if match is None or match.result is not None or len(match.made) >= LINES_A_GAME:
            command: Any = StartGame(state.seq, "table", named(rng))
        else:
            legal = list(match.game.legal(match.state))
            command = seen(Moved((rng.choice(legal),), 1.0))
        then = session.handle(state, command)
        journal.append(then.events, then.state)
        state = then.state
        yield state


def named(rng: random.Random) -> dict[str, Any]:
    """A header with players of any name."""
    names = ["".join(rng.choices("abcdefghijklmnoprstuäöß ", k=rng.randint(1, 30))).strip() or "x" for _ in range(2)]
    return {**HEADER, "players": [{"name": name} for name in names]}

