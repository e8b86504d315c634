"""What people must know of the journal, kept beside it until somebody has read it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.errors import Phrase, phrase
from companion.session.events import read_phrase, write_phrase
from companion.session.whole_file import write_whole

NOTICES_NAME: Final = "journal.notices"
MAX_NOTICES: Final = 20
"""How many are kept unread; the newest count."""


@dataclass(frozen=True, slots=True)
class NoticesTask:
    """What is done with the notices: like a command, by the one thread that keeps the journal."""

    carry_out: Callable[[Notices], object]


class Notices:
    """The notices of a folder. Use from one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NOTICES_NAME
        self.unread, self.repair = _read(self._path)
        """The notices that nobody has read, and whether the next opening must salvage: a game was found damaged."""

    def add(self, notice: Phrase, repair: bool = False) -> None:
        """Keeps one more; `repair`: the journal is salvaged when it is opened next."""
        self._keep((*(each for each in self.unread if each != notice), notice)[-MAX_NOTICES:], repair or self.repair)

    def read(self) -> None:
        """Somebody has read them all."""
        if self.unread:
            self._keep((), self.repair)

    def repaired(self) -> None:
        """The journal was salvaged."""
        if self.repair:
            self._keep(self.unread, False)

    def _keep(self, unread: tuple[Phrase, ...], repair: bool) -> None:
        """On the disk if there is room; a notice that cannot be kept is told all the same."""
        self.unread, self.repair = unread, repair
        with suppress(OSError):
            if not unread and not repair:
                self._path.unlink(missing_ok=True)
                return
            told = {"repair": repair, "unread": [write_phrase(each) for each in unread]}
            write_whole(self._path, json.dumps(told).encode())


def _read(path: Path) -> tuple[tuple[Phrase, ...], bool]:
    try:
        told = json.loads(path.read_bytes())
        return tuple(read_phrase(each) for each in told["unread"]), bool(told["repair"])
    except FileNotFoundError:
        return (), False
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return (phrase("journal.unread_lost"),), False
