"""A desk without a session and a panel without pins: for tests of the pages and for whoever designs one."""

from __future__ import annotations

from dataclasses import replace
from threading import Condition
from typing import Any

from companion.engine import Json, Observer, SetupPath
from companion.errors import phrase
from companion.session.by_hand.entering import EntryShown
from companion.session.commands import Command
from companion.session.config import PinConfig
from companion.session.counts import Counted
from companion.session.port import Accepted, ClosedError, Refused
from companion.session.snapshot import CorrectionShown, EyesShown, HandShown, PositionShown, SetupAgainShown, Snapshot

NO_GAME = Snapshot(
    seq=0, version=1, observer="room", game="", match=0, players=(), seen=None, layout=None, plies=0, last=(),
    question=None, odd=(), differences=(), undo=None, can_undo=False, paused=False, eyes=EyesShown("none"),
)
"""What is shown while no game is played."""


class FakeDesk:
    """Shows what `show` was given, and keeps the commands that it is sent. A command with an old `seq` is refused."""

    def __init__(self, shown: Snapshot = NO_GAME, corrections: tuple[CorrectionShown, ...] = ()) -> None:
        self.sent: list[Command] = []
        self.picture: bytes | None = None
        self.hands: dict[int, HandShown] = {}
        self.entered: EntryShown | None = None
        self.close_ups: dict[str, bytes] = {}
        self.colours: tuple[str, ...] | None = None
        self.offers = corrections
        self.counts = Counted()
        self._shown = shown
        self._changed = Condition()
        self._closed = False

    def show(self, shown: Snapshot) -> None:
        """From now on this, with the next version number."""
        with self._changed:
            self._shown = replace(shown, version=self._shown.version + 1)
            self._changed.notify_all()

    def close(self) -> None:
        """The service stops."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def snapshot(self, observer: Observer = "room") -> Snapshot:
        """What `show` was given last, for this observer."""
        return self._shown if observer == "room" else replace(self._shown, observer=observer)

    def corrections(self, observer: Observer = "room") -> tuple[CorrectionShown, ...]:  # noqa: ARG002
        """The same for everybody."""
        return self.offers

    def entry(self, seat: int | None, is_host: bool, again: int = 0) -> EntryShown:  # noqa: ARG002
        """`entered`."""
        return self.entered or EntryShown(self._shown.seq, None, phrase("session.no_game"))

    def setup_again(self, path: SetupPath = (), value: Json = None) -> SetupAgainShown:  # noqa: ARG002
        """None can be put right."""
        return SetupAgainShown(self._shown.seq, why_not=phrase("session.no_game"))

    def position(self, stands: Json = None, seat: Json = None) -> PositionShown:  # noqa: ARG002
        """None can be put right."""
        return PositionShown(self._shown.seq, why_not=phrase("session.no_game"))

    def hand(self, seat: int) -> HandShown | None:
        """The one in `hands`."""
        return self.hands.get(seat)

    def listen(self, observer: Observer = "room") -> FakeListener:
        """All that `show` is given from now on."""
        return FakeListener(self, observer)

    def send(self, command: Command) -> Accepted | Refused:
        """Keeps the command."""
        seq = self._shown.seq
        if getattr(command, "seq", seq) != seq:
            return Refused(phrase("session.stale"), seq)
        self.sent.append(command)
        return Accepted(seq + 1)

    def read_notices(self) -> None:
        """They are shown no more."""
        self.show(replace(self._shown, notices=()))

    def post(self, command: Command) -> None:
        """Keeps the command."""
        self.sent.append(command)

    def counted(self) -> Counted:
        """`counts`."""
        return self.counts

    def preview(self) -> bytes | None:
        """`picture`."""
        return self.picture

    def close_up(self, name: str) -> bytes | None:
        """The one in `close_ups`."""
        return self.close_ups.get(name)


class FakeListener:
    """See `companion.session.port.Listener`."""

    def __init__(self, desk: FakeDesk, observer: Observer) -> None:
        self._desk, self._observer = desk, observer
        self._seen_version = 0
        self._closed = False

    def get(self, timeout_s: float) -> Snapshot | None:
        """See `Listener.get`."""
        desk = self._desk
        with desk._changed:
            desk._changed.wait_for(
                lambda: self._closed or desk._closed or desk._shown.version != self._seen_version, timeout_s)
            if self._closed or desk._closed:
                raise ClosedError
            if desk._shown.version == self._seen_version:
                return None
            self._seen_version = desk._shown.version
        return desk.snapshot(self._observer)

    def close(self) -> None:
        """See `Listener.close`."""
        with self._desk._changed:
            self._closed = True
            self._desk._changed.notify_all()


class FakePhone:
    """Hears a stream (`web.streams.Sink`)."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.is_behind = False
        self.ended = False

    def write(self, text: bytes) -> None:
        """Keeps it."""
        self.heard.append(text)

    def end(self) -> None:
        """Nothing more comes."""
        self.ended = True


class FakePanel:
    """Two seats; `pressed` keeps what was pressed."""

    def __init__(self) -> None:
        self.pressed: list[tuple[str, bool]] = []
        self.tried: list[str] = []
        self.mock = True
        self.manners = {"sound": False, "quiet": False}

    def state(self) -> dict[str, Any]:
        """The first seat's lamp is lit."""
        pins = PinConfig()
        seats = [
            {"button": f"seat:{n}", "letter": "AB"[n], "pressed": False, "presses": 1 - n, "lamp": 1.0 - n,
             "pins": {"button": button, "lamp": lamp}}
            for n, (button, lamp) in enumerate(pins.seats[:2])
        ]
        return {"mock": self.mock, "seats": seats, "status": {"rgb": [0.0, 0.6, 0.2], "pins": list(pins.status_rgb)},
                "buzzer": {"hz": 0.0, "pin": pins.buzzer}, "manners": dict(self.manners)}

    def press(self, name: str, long: bool = False) -> None:
        """Keeps the press."""
        self.pressed.append((name, long))

    def try_out(self, part: str) -> None:
        """Keeps what is tried."""
        self.tried.append(part)

    def choose_manner(self, name: str, on: bool) -> None:
        """Keeps the mode."""
        self.manners[name] = on
