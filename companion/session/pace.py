"""How long each player has thought: counted from the times in the journal alone, so that a restart changes nothing.

    >>> pace = Pace((0, 0), "2026-01-01T20:00:00Z").until("2026-01-01T20:00:40Z", (1,))
    >>> pace.used_s, pace.since
    ((0, 40), '2026-01-01T20:00:40Z')
    >>> pace.until("2026-01-02T20:00:00Z", (0,)).used_s      # the table was left
    (0, 40)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from companion.engine import Json

CLOCKS: Final = "x-clocks"
"""The note in a record's header that each player's time is counted."""
MAX_THOUGHT_S: Final = 900
"""Who does nothing for longer has left the table, or it was switched off: such a time counts for nobody."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Whole seconds that each seat has used, until `since` (as a record writes time)."""

    used_s: tuple[int, ...]
    since: str

    def until(self, at: str, seats: Collection[int]) -> Pace:
        """The same at a later time, at which these seats had to act since."""
        thought_s = _seconds(self.since, at)
        counted_s = thought_s if 0 <= thought_s <= MAX_THOUGHT_S else 0
        return Pace(tuple(used + counted_s * (seat in seats) for seat, used in enumerate(self.used_s)), at)


def pace_of(header: Mapping[str, Json]) -> Pace | None:
    """The pace at the beginning of a game; None if nobody counts."""
    if header.get(CLOCKS) is not True:
        return None
    return Pace((0,) * len(header["players"]), header["started"])


def _seconds(since: str, at: str) -> int:
    return int((datetime.fromisoformat(at) - datetime.fromisoformat(since)).total_seconds())
