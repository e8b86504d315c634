"""What the pages ask of the rest of the house, beside the session's desk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO, Any, Protocol

from companion.engine import Seat
from companion.errors import Phrase
from companion.session.backup.told import BackupPreview
from companion.session.beside import TableBeside
from companion.session.config import Config
from companion.session.enrolment import EnrolmentShown, EnrolOrder
from companion.session.events import Event
from companion.session.past import PastGame
from companion.session.state import State
from companion.session.survey import Survey, TableFromAbove
from companion.table.laid import Laid
from web.lens_port import LensPort


class PanelPort(Protocol):
    """The buttons and lamps of the table, as far as /panel needs them."""

    def state(self) -> dict[str, Any]:
        """A JSON object: what is lit, pressed and sounding."""

    def press(self, name: str, long: bool = False) -> None:
        """Press a button as a finger would; raises `CompanionError`."""

    def try_out(self, part: str) -> None:
        """Let one part be seen, or heard, alone for a few seconds; raises `CompanionError`."""

    def choose_manner(self, name: str, on: bool) -> None:
        """Switch the sound or the quiet mode on or off; raises `CompanionError`."""


class OfferedExample(Protocol):
    """An example: a picture set that can be played."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def game(self) -> str:
        """The id of its game."""


class ExamplesPort(Protocol):
    """What can be played instead of the real table, as far as the start page needs it."""

    @property
    def offers(self) -> Sequence[OfferedExample]:
        """All examples."""

    @property
    def chosen(self) -> str:
        """The example that is played; empty for the real table."""

    def choose(self, name: str) -> None:
        """Plays an example, or (empty) the real table again; raises `CompanionError`."""

    def leave(self) -> None:
        """Plays the real table again and waits until it does; raises `CompanionError`."""


class OwnTablePort(LensPort, Protocol):
    """How the companion's own table is set up, as far as the first page and /setup need it."""

    @property
    def config(self) -> Config:
        """What counts now."""

    @property
    def demo(self) -> str:
        """The name of the example for whoever wants to watch; empty when there is none."""

    @property
    def loaded(self) -> float | None:
        """How much of the eyes' start is done, from 0 to 1; None while they do not start."""

    @property
    def keeping(self) -> Phrase | None:
        """What is kept of what the camera sees; None where nothing is."""

    def is_fixed(self, key: str) -> bool:
        """Whether the config file or the command line says this key, such as `source.kind`."""

    def keep(self, changes: Mapping[str, Any]) -> None:
        """Keeps these values by key (None: none), and lets them count at once; raises `CompanionError`."""

    @property
    def cameras(self) -> Sequence[OfferedCamera]:
        """The cameras of this machine."""

    def survey(self) -> Survey | None:
        """What the camera's picture was like just now; None while there is none. Asked once, it is soon told anew."""

    def expose(self, brighter: float) -> None:
        """The picture is to be brighter by this factor of light."""

    def begin_anew(self) -> None:
        """The camera is opened anew, and finds light and focus again; raises `CompanionError`."""

    def from_above(self) -> TableFromAbove | None:
        """The table from above; None while no picture comes. Asked once, it is soon shown anew."""

    @property
    def laid(self) -> Mapping[str, Laid]:
        """Where layouts lie, by `table_key`, as far as people said it."""

    def lay(self, key: str, laid: Laid | None) -> None:
        """The layout of this key lies so from now on; None: as it is drawn. Raises `CompanionError`."""

    @property
    def boards(self) -> Mapping[str, str]:
        """The corners of boards in the pictures of the chosen source, by the id of their game."""

    def watch_board(self, game: str, corners: str | None) -> None:
        """The board of this game has these corners from now on; None: it is not watched by them. Raises
        `CompanionError`."""

    @property
    def can_print(self) -> bool:
        """Whether the tag cards can be drawn."""

    def cards_pdf(self, paper: str) -> bytes:
        """The sheet with the tag cards; raises `CompanionError`."""


class OfferedCamera(Protocol):
    """A camera of this machine."""

    @property
    def source(self) -> int | str:
        """As the config names it."""

    @property
    def label(self) -> str:
        """As people know it; empty: the Pi's own."""


class HintsPort(Protocol):
    """What thinks about hints, as far as /hint needs it."""

    def ask(self, seat: Seat) -> tuple[Phrase, Phrase] | None:
        """What this seat may consider, and why; None while that is thought about. Never waits."""


class BackupsPort(Protocol):
    """The backups of this companion, as far as /backup needs them."""

    def make(self) -> IO[bytes]:
        """A backup of now, to be read once; raises `CompanionError`."""

    def bring(self, at: int, piece: bytes) -> int:
        """The next piece of a backup that a phone brings, its first byte being number `at`; how many there are now.
        Raises `CompanionError`."""

    def look(self) -> None:
        """All was brought; raises `CompanionError` when it is no good backup."""

    def preview(self) -> BackupPreview | None:
        """What would be restored; None when nothing lies ready."""

    def drop(self) -> None:
        """What was brought is not wanted."""

    def restore(self) -> Phrase:
        """What lies ready takes its place; raises `CompanionError`, and then nothing has changed."""


class EvidencePort(Protocol):
    """Pictures of what was seen when plies were decided, as far as /saw needs them."""

    def plies(self, key: str) -> tuple[int, ...]:
        """The numbers of the plies of the game with this key that have one, in order."""

    def picture(self, key: str, n: int) -> bytes | None:
        """The picture of a ply, as JPEG; None where there is none."""


class PastPort(Protocol):
    """The games that were played at this table, as far as /games needs them."""

    def listed(self, before: int | None, most: int) -> tuple[PastGame, ...]:
        """At most so many, the newest first, those with a number below `before`; raises `CompanionError`."""

    def opened(self, number: int) -> State:
        """A game as it stood last; raises `CompanionError` for one that is not there."""

    def left(self, number: int) -> tuple[Event, ...]:
        """What happened in a game that people left; raises `CompanionError` for one that cannot go on."""

    def delete(self, number: int) -> tuple[Phrase, ...]:
        """Deletes a game, and says what became of it; raises `CompanionError` when it stays."""


class ClubPort(Protocol):
    """Other companions in the same network."""

    can_look: bool
    """Whether the library that looks for them is there."""

    def tables(self) -> Sequence[TableBeside]:
        """All that are found, as they were asked last; looks for them from now on."""


class OfferedPieces(Protocol):
    """Pieces that can be enrolled."""

    @property
    def name(self) -> str:
        """The name of the set that lists them; `own` is the table's own."""

    @property
    def game(self) -> str:
        """The id of their game."""

    @property
    def pieces(self) -> int:
        """How many they are."""

    @property
    def is_known(self) -> bool:
        """Whether the game's pieces have been enrolled before."""


class EnrolPort(Protocol):
    """What enrols pieces, as far as /enrol needs it."""

    @property
    def has_camera(self) -> bool:
        """Whether there is a camera to enrol with."""

    @property
    def offers(self) -> Sequence[OfferedPieces]:
        """All pieces that can be enrolled."""

    def shown(self) -> EnrolmentShown | None:
        """How far it is; None when none was begun."""

    def begin(self, name: str) -> None:
        """Enrols the pieces of this set from now on; raises `CompanionError`."""

    def go_on(self) -> None:
        """Goes on where it was broken off; raises `CompanionError`."""

    def order(self, wanted: EnrolOrder) -> None:
        """Does this with a picture; raises `CompanionError` for one that is no longer asked for."""

    def stop(self) -> None:
        """Breaks off."""

    def drop(self) -> None:
        """Ends it and deletes its pictures."""

    def picture(self, name: str) -> bytes | None:
        """The picture of one of two pieces that are much alike, as JPEG."""


class MachineFinding(Protocol):
    """One thing that was looked at."""

    @property
    def well(self) -> bool:
        """Whether it is well."""

    @property
    def sentence(self) -> Phrase:
        """How it is, and what to do."""


class MachinePort(Protocol):
    """The machine, as far as /machine needs it."""

    def findings(self) -> Sequence[MachineFinding]:
        """Everything that can be looked at while games are played."""

    def report(self) -> bytes:
        """A zip for whoever helps: no names, no pictures."""

    @property
    def can_update(self) -> bool:
        """Whether root's unit waits for a wish."""

    def told(self) -> Phrase | None:
        """How the last update went; None: there was none."""

    def wish(self, back: bool) -> None:
        """Asks root for the newest version, or the one before. Raises `CompanionError`."""
