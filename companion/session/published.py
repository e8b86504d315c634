"""What the writer tells everybody, and how each observer gets it: as snapshots of its own."""

from __future__ import annotations

from dataclasses import replace

from companion.engine import Observer
from companion.errors import PackageError, Phrase
from companion.session.bus import BusListener
from companion.session.eyes_side import eyes_task
from companion.session.projection import snapshot_of
from companion.session.snapshot import Snapshot
from companion.session.state import State

Phrases = tuple[Phrase, ...]
Published = tuple[int, State, Phrases, Phrases]
"""What the bus carries: version, state, troubles, notices of the journal that nobody has read."""


class SnapshotListener:
    """A queue of snapshots for one observer, made when they are taken."""

    def __init__(self, shown: BusListener[Published], observer: Observer) -> None:
        self._shown, self._observer = shown, observer

    def get(self, timeout_s: float) -> Snapshot | None:
        """The next snapshot; None when nothing changed in time. Raises `ClosedError`."""
        shown = self._shown.get(timeout_s)
        if shown is None:
            return None
        return shown_of(shown, self._observer)

    def close(self) -> None:
        """Stop listening."""
        self._shown.close()


def shown_of(published: Published, observer: Observer) -> Snapshot:
    """What this observer may know. A game that cannot say how it stands is not shown: why is told instead."""
    version, state, troubles, notices = published
    try:
        shown = snapshot_of(state, observer, version, troubles)
    except PackageError as error:
        without = State(state.seq, matches=state.matches, eyes=state.eyes)
        shown = snapshot_of(without, observer, version, tuple(dict.fromkeys((*troubles, error.phrase))))
    return replace(shown, notices=notices)


def check_that_it_can_be_shown(state: State) -> None:
    """Raises whatever is wrong with a state before it is in the journal for good: pages, lamps and eyes, of this
    service and of the next one that resumes it, must be able to work with it."""
    snapshot_of(state, "room", 0, ())
    eyes_task(state)
