"""How notices are headed on the pages: what happened to the games, or to the machine, and whether it is bad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.errors import Phrase

OF_MACHINE: Final = ("box.", "config.")
"""How the ids of phrases about updates and the config begin."""
GOOD_NEWS: Final = frozenset({"box.updated", "box.newest", "config.migrated"})


@dataclass(frozen=True, slots=True)
class NoticesHead:
    """The id of the heading's phrase, and whether the notices are painted as bad."""

    id: str
    is_bad: bool


def notices_head(notices: Sequence[Phrase]) -> NoticesHead:
    """The head of these notices; one about the games goes before all others."""
    of_machine = all(each.id.startswith(OF_MACHINE) for each in notices)
    return NoticesHead(
        "web.notices.machine" if of_machine else "web.notices", any(each.id not in GOOD_NEWS for each in notices))
