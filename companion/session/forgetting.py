"""Deleting a game while the companion runs: the journal is closed meanwhile, and opened again whatever comes of it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CompanionError, Phrase, phrase
from companion.session.journal import Journal, ResumedJournal
from companion.session.journal.delete import delete_game

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ForgetGame:
    """A game of the journal in `folder` is to be deleted; `reopen` opens that journal again."""

    folder: Path
    number: int
    reopen: Callable[[Path], ResumedJournal]

    def carry_out(self, journal: Journal) -> tuple[ResumedJournal, Phrase | None]:
        """The journal after it, and why the game is still there, if it is. A journal that cannot be opened again ends
        the thread, and so the service: its next start opens it, or says why it cannot."""
        if journal.path.parent != self.folder:  # another table is played by now
            raise CompanionError(phrase("session.stale"))
        why = None
        journal.close()
        try:
            delete_game(self.folder, self.number)
        except CompanionError as error:
            why = error.phrase
        except Exception:
            _logger.exception("game %d could not be deleted", self.number)
            why = phrase("session.fault")
        try:
            return self.reopen(self.folder), why
        except Exception as error:
            _logger.exception("the journal in %s could not be opened again", self.folder)
            raise SystemExit from error
