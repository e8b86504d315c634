"""A writer that runs in a thread of its own, for tests of what asks it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from companion.session.clock import FakeClock
from companion.session.journal import open_journal
from companion.session.library import GameLibrary
from companion.session.session import Session
from companion.session.writer import Writer


@contextmanager
def running_writer(
    folder: Path, library: GameLibrary, clock: FakeClock | None = None, session: Session | None = None
) -> Iterator[Writer]:
    """The one writer of the journal in a folder; it must still run at the end."""
    clock = clock or FakeClock()
    resumed = open_journal(folder, library, clock)
    writer = Writer(session=session or Session(library=library, clock=clock), journal=resumed.journal,
                    state=resumed.state, clock=clock)
    thread = Thread(target=writer.run)
    thread.start()
    try:
        yield writer
    finally:
        assert thread.is_alive(), "the writer has ended"
        writer.stop()
        thread.join(10)
        writer.close()
