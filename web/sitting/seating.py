"""Seats and host of one table, as pages and buttons hold them."""

from __future__ import annotations

from pathlib import Path

from companion.session.clock import Clock, SystemClock
from web.sitting.host import Host
from web.sitting.seats import Seats
from web.sitting.store import SeatStore


class Seating:
    """`folder` is where it is kept; None: nowhere."""

    def __init__(self, folder: Path | None = None, clock: Clock | None = None) -> None:
        clock = clock or SystemClock()
        self._store = SeatStore(folder)
        self.seats, self.host = Seats(self._store, clock), Host(self._store, clock)

    def close(self) -> None:
        """Closes its file."""
        self._store.close()
