"""A change of the session in the making: what both `session` and `setting_up` write to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.engine import Json, record
from companion.errors import CompanionError, phrase
from companion.session.clock import Clock
from companion.session.commands import By
from companion.session.events import Event, GameEnded
from companion.session.setup_draft import SetupDraft
from companion.session.state import Match, GameLibrary, State, evolve


class RefusedError(CompanionError):
    """The session does not carry a command out."""


@dataclass
class Writing:
    """A change in the making: every event is applied at once, so that the next step sees its effect."""

    state: State
    library: GameLibrary
    clock: Clock
    events: list[Event] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """An event, with its effect."""
        self.state = evolve(self.state, event, self.library)
        self.events.append(event)

    def put(self, **changes: Any) -> None:
        """Changes to what is not remembered: belief, held, eyes."""
        self.state = replace(self.state, **changes)

    @property
    def match(self) -> Match:
        """The game; raises `RefusedError` without one."""
        if self.state.match is None:
            raise RefusedError(phrase("session.no_game"))
        return self.state.match

    @property
    def draft(self) -> SetupDraft:
        """The set-up that is being read; raises `RefusedError` without one."""
        if self.state.draft is None:
            raise RefusedError(phrase("session.no_setup"))
        return self.state.draft

    def opened(self, header: Mapping[str, Json]) -> dict[str, Json]:
        """The header of a game that begins now, complete. Raises `CompanionError`."""
        given = {"format": record.FORMAT, "version": record.VERSION, **header, "started": self.clock.now()}
        return dict(record.read_header(given, self.library.lookup).header)

    def end_open_game(self, by: By) -> None:
        """Ends the game that is open, if one is, as it stands. A seat alone cannot do so."""
        match = self.state.match
        if match is None or match.result is not None:
            return
        if isinstance(by, int):
            raise RefusedError(phrase("session.arbiter_only"))
        self.add(GameEnded(record.write_result(match.game, match.state)["result"]))
