"""Somebody who plays while things go wrong, and remembers what was acknowledged."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from companion.games import registry
from companion.session.journal.schema import JOURNAL_NAME, reader
from tests.bench.door.running import Running


@dataclass
class Playing:
    """One table in all lives of its service. The phone is the host's, by the cookies of its first life."""

    rng: Random
    seq: int = 0
    acknowledged: set[int] = field(default_factory=set)
    """The numbers of all commands that were carried out."""
    refused: int = 0
    cookies: dict[str, str] = field(default_factory=dict)
    _state: Any = None

    def plies(self, service: Running, count: int) -> bool:
        """Plays so many plies, if all are taken."""
        return all(self.ply(service) for _ in range(count))

    def ply(self, service: Running) -> bool:
        """Plays on, in a new game where the last has ended; whether it was taken."""
        game = registry.game("kamikaze-cans")
        options = game.read_options({}, 2)
        plies = list(game.legal(self._state)) if self._state is not None else []
        if not plies:
            setup = game.deal(2, options, self.rng)
            header = {"game": game.id, "players": [{"name": "Ann"}, {"name": "Ben"}], "setup": setup}
            if not self._said(service, {"type": "start_game", "header": header}):
                return False
            self._state = game.start(game.read_setup(setup, options, 2), options, 2)
            plies = list(game.legal(self._state))
        ply = self.rng.choice(plies)
        action = {"player": ply.player, "action": game.write_action(ply.action)}
        if not self._said(service, {"type": "correct", "take_back": 0, "plies": [action]}):
            return False
        self._state = game.apply(self._state, ply)
        return True

    def _said(self, service: Running, command: dict[str, Any]) -> bool:
        service.cookies.update(self.cookies)
        for _ in range(50):
            answered = service.do({**command, "seq": self.seq})
            self.cookies.update(service.cookies)
            if answered["ok"]:
                self.seq = int(answered["seq"])
                self.acknowledged.add(self.seq)
                return True
            if int(answered.get("seq", self.seq)) == self.seq:
                break
            self.seq = int(answered["seq"])  # the table went on meanwhile
        assert answered.get("error"), answered
        self.refused += 1
        return False

    def lost(self, state: Path) -> int:
        """How many acknowledged commands left no line in the journal. Its lines must stand in their order."""
        numbers = [seq for seq, _ in lines(state)]
        assert numbers == sorted(numbers)
        return len(self.acknowledged - set(numbers))


def lines(state: Path) -> list[tuple[int, str]]:
    """Number and time of each line, in the order in which they were written."""
    with closing(reader(state / JOURNAL_NAME)) as journal:
        found = journal.execute("SELECT seq, at FROM line ORDER BY id").fetchall()
    return [(int(seq), bytes(at).decode()) for seq, at in found]
