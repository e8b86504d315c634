"""What pages, buttons and lamps hold of a session: look, listen, send. Safe to call from any thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.engine import Json, Observer, Seat, SetupPath
from companion.errors import Phrase
from companion.session.by_hand.entering import EntryShown
from companion.session.commands import Command
from companion.session.counts import Counted
from companion.session.snapshot import CorrectionShown, HandShown, PositionShown, SetupAgainShown, Snapshot


@dataclass(frozen=True, slots=True)
class Accepted:
    """The command was carried out and is in the journal; `seq` is the number now."""

    seq: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The command was not carried out, nothing changed: `phrase` says why, `seq` is the number now."""

    phrase: Phrase
    seq: int


class Listener(Protocol):
    """A bounded queue of snapshots for one observer. Whoever is slow misses old ones, never the newest."""

    def get(self, timeout_s: float) -> Snapshot | None:
        """The next snapshot (at first the present one, at once); None when nothing changed for `timeout_s` seconds.

        Raises `ClosedError` once the service stops or `close` was called.
        """

    def close(self) -> None:
        """Stop listening. Call it when the phone has gone."""


class ClosedError(Exception):
    """The service is stopping: there will be no more snapshots."""


class Desk(Protocol):
    """The one door to the session. All methods may be called from any thread; none but `send` and `get` waits."""

    def snapshot(self, observer: Observer = "room") -> Snapshot:
        """What this observer may know now."""

    def corrections(self, observer: Observer = "room") -> tuple[CorrectionShown, ...]:
        """What could have been played instead of the last ply: every other legal ply, as this observer may know it."""

    def entry(self, seat: Seat | None, is_host: bool, again: int = 0) -> EntryShown:
        """What the phone of this seat, or the host's, may enter by hand now; `again`: what ply `again` really was."""

    def setup_again(self, path: SetupPath = (), value: Json = None) -> SetupAgainShown:
        """The set-up of the game that goes on, and what comes of it when it is `value` at `path`."""

    def position(self, stands: Json = None, seat: Json = None) -> PositionShown:
        """The position as it is, and what comes of it when `stands` stands there and `seat` is to move."""

    def hand(self, seat: Seat) -> HandShown | None:
        """What this seat alone may see and tell; None when there is nothing. For that seat's own page only."""

    def listen(self, observer: Observer = "room") -> Listener:
        """All changes from now on, the present state first."""

    def send(self, command: Command) -> Accepted | Refused:
        """Hands a command in and waits until it is carried out or refused (at most some seconds)."""

    def read_notices(self) -> None:
        """A person has read the notices of the snapshot: they are shown no more."""

    def post(self, command: Command) -> None:
        """Hands a command in without waiting: for callbacks of buttons. What comes of it shows in the snapshots."""

    def counted(self) -> Counted:
        """What was counted since the service started."""

    def preview(self) -> bytes | None:
        """The newest picture of the eyes with the reading drawn over it, as JPEG; None while there is none."""

    def close_up(self, name: str) -> bytes | None:
        """The picture of what is asked about (`PartShown.picture`), as JPEG; None while there is none."""

    @property
    def colours(self) -> tuple[str, ...] | None:
        """The colours of the piece set that the eyes know; None while they have said nothing."""
