"""What a command does, in the making: every module that carries commands out writes to a `Transaction`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.engine import Json, record
from companion.errors import CompanionError, PackageError, phrase
from companion.session.clock import Clock
from companion.session.events import Event, GameEnded, OddGone, TableDiffers
from companion.session.setup_draft import SetupDraft
from companion.session.evolve import evolve
from companion.session.library import GameLibrary
from companion.session.state import Match, State
from companion.table import Placement


class RefusedError(CompanionError):
    """The session does not carry a command out."""


@dataclass
class Transaction:
    """The events so far and the state after them. Every event is applied at once: the next step sees its effect.

    Nothing of it counts until it is in the journal: a command that is refused half-way leaves no trace.
    """

    state: State
    library: GameLibrary
    clock: Clock
    new_key: Callable[[], str]
    """A name for a game that no other had or will have."""
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
        form_of_record = {"format": record.RECORD_FORMAT, "version": record.RECORD_VERSION}
        given = {**form_of_record, **header, "started": self.clock.now()}
        found = record.read_header(given, self.library.lookup)
        given["options"] = found.game.at_table(found.options)  # what a table hides, nobody can have told the companion
        found = record.read_header(given, self.library.lookup)
        found.game.view(found.state, "room")  # a game that cannot say how it stands does not begin
        return dict(found.header)

    def end_open_game(self) -> None:
        """Ends the game that is open, if one is, as it stands."""
        match = self.state.match
        if match is None or match.result is not None:
            return
        try:
            result = record.write_result(match.game, match.state)["result"]
        except PackageError:  # a game that fails can always be ended
            result = {"scores": [0] * match.opened.players, "winners": [], "reason": record.ABANDONED}
        self.add(GameEnded(result))

    def clear(self) -> None:
        """Nothing is odd any more, nothing differs."""
        if self.state.odd:
            self.add(OddGone())
        if self.state.differences:
            self.add(TableDiffers(()))

    def correct_belief(self, stood: Placement) -> None:
        """A person said what the state is; `stood` is how the table seemed to stand before."""
        self.clear()
        self.put(belief=self.match.interpreter.corrected(self.match.state), held=stood, seen=None)
