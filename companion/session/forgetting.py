"""What is done to the journal's files while the companion runs: a game is deleted, a backup restored. The journal is
closed meanwhile, and opened again whatever comes of it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError, Phrase, phrase
from companion.session.journal import Journal, ResumedJournal
from companion.session.journal.delete import delete_game

_logger = logging.getLogger(__name__)

OpenAgain = Callable[[Path], ResumedJournal]
"""Opens the journal of a folder again."""


@dataclass(frozen=True, slots=True)
class ForgetGame:
    """A game of the journal in `folder` is to be deleted; `reopen` opens that journal again."""

    folder: Path
    number: int
    reopen: OpenAgain

    def carry_out(self, journal: Journal) -> tuple[ResumedJournal, Phrase | None]:
        """The journal after it, and why the game is still there, if it is. A journal that cannot be opened again ends
        the thread, and so the service: its next start opens it, or says why it cannot."""
        if journal.path.parent != self.folder:  # another table is played by now
            raise CompanionError(phrase("session.stale"))
        return _while_closed(journal, lambda: delete_game(self.folder, self.number), self.reopen)


@dataclass(frozen=True, slots=True)
class RestoreBackup:
    """A backup that lies ready is to take its place: `put` does it."""

    put: Callable[[], object]
    reopen: OpenAgain

    def carry_out(self, journal: Journal) -> tuple[ResumedJournal, Phrase | None]:
        """The journal after it, and why all is as it was, if it is."""
        return _while_closed(journal, self.put, self.reopen)


FilesTask = ForgetGame | RestoreBackup
"""What is done to the journal's files."""


def _while_closed(
    journal: Journal, deed: Callable[[], object], reopen: OpenAgain
) -> tuple[ResumedJournal, Phrase | None]:
    why, folder = None, journal.path.parent
    journal.close()
    try:
        deed()
    except CompanionError as error:
        why = error.phrase
    except Exception:
        _logger.exception("the files of the journal in %s stay as they are", folder)
        why = phrase("session.fault")
    try:
        return reopen(folder), why
    except Exception as error:
        _logger.exception("the journal in %s could not be opened again", folder)
        raise SystemExit from error
