"""The journal: every event of every game, one line each, in one SQLite file. Lines are added, never changed.

The lines of a game are chained by checksums (`chain`), an anchor beside the file knows which line is the last
(`anchor`), players' names stand apart (`people`). `opening` verifies, migrates or salvages and always opens; `journal`
is the open one; `carve` and `games` find what can be saved of damaged files.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from companion.games import registry
    >>> from companion.interpret import Interpreter
    >>> from companion.session.clock import FakeClock
    >>> from companion.session.commands import StartGame
    >>> from companion.session.library import GameLibrary
    >>> from companion.session.session import Session
    >>> library, clock, folder = GameLibrary(registry.game, Interpreter), FakeClock(), TemporaryDirectory()
    >>> header = {
    ...     "game": "kamikaze-cans", "players": [{"name": "Ann"}, {"name": "Ben"}],
    ...     "setup": {"colours": ["red", "green"], "first": 0},
    ... }
    >>> resumed = open_journal(Path(folder.name), library, clock)
    >>> then = Session(library=library, clock=clock).handle(resumed.state, StartGame(0, "table", header))
    >>> resumed.journal.append(then.events, then.state)     # on the disk when it returns
    >>> resumed.journal.close()

    Later, or after a power cut:

    >>> again = open_journal(Path(folder.name), library, clock)
    >>> again.state.seq, again.state.match.opened.header["players"][0]["name"], again.notices
    (1, 'Ann', ())
    >>> again.journal.close()
    >>> folder.cleanup()
"""

from companion.session.journal.opening import ResumedJournal, lock_folder, must_be_usable, open_journal
from companion.session.journal.schema import JOURNAL_NAME
from companion.session.journal.journal import Journal

__all__ = ["JOURNAL_NAME", "Journal", "ResumedJournal", "lock_folder", "must_be_usable", "open_journal"]
