"""What a person's word says of the table: the eyes learn from it how pieces look."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from companion.engine.recognise import filled
from companion.errors import CompanionError
from companion.session.commands import Answer, Begin, Command, Correct, Done, TellSetup
from companion.session.setup_draft import SetupDraft, parts_left_open
from companion.session.state import State
from companion.table import Placement, Spot


def labels_of(before: State, command: Command, after: State) -> Placement:
    """What stands, lowest first, at the spots of which a person said something with this command: where an answer or a
    correction puts pieces, and at the parts of a set-up that people named, once its game begins."""
    match = after.match
    if match is None or not isinstance(command, TellSetup | Begin | Answer | Correct | Done):
        return {}
    now = match.game.placement(match.state)
    if before.draft is not None:
        spots = set(_spots(before.draft, command))
    else:
        then = before.match.game.placement(before.match.state) if before.match is not None else now
        spots = {spot for spot, pieces in now.items() if pieces != then.get(spot)}
    return {spot: now[spot] for spot in spots if now.get(spot)}


def _spots(draft: SetupDraft, command: Command) -> Iterator[Spot]:
    """Where the parts lie that people named."""
    paths = {path for path, value in draft.said if value is not None}
    paths |= {command.path} if isinstance(command, TellSetup) else set()
    for path in paths:
        with suppress(CompanionError, LookupError):
            parts = parts_left_open(draft.game, filled(draft.made, path, None))
            yield from (part.spot for part in parts if part.path == path and part.spot is not None)
