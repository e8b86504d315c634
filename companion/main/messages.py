"""What goes through the pipe between the service and its eyes: small frozen values, pickled. No pixels but JPEGs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.errors import Phrase
from companion.session.config import SourceConfig
from companion.session.keeping import Keeping
from companion.session.enrolment import EnrolmentShown, EnrolOrder
from companion.session.sighted import Sighted
from companion.session.survey import LensMeasured, LensWish, Survey, TableFromAbove
from companion.table import Appearance, Layout, Placement, Point


@dataclass(frozen=True, slots=True)
class EnrolSet:
    """The pieces that are to be enrolled: of the set in `folder`, by its `name`, with its game's id. Of an example only
    the list of its pieces counts. With `again` it begins with that picture, once more."""

    name: str
    game: str
    folder: Path
    is_example: bool
    again: int | None = None


@dataclass(frozen=True, slots=True)
class EyesConfig:
    """To the eyes, once at the beginning. `keep` is the folder in which they keep the piece set they enrolled, and so
    many MB of pictures of what they saw (0: none). With `enrol` they take pictures of these pieces and learn them,
    instead of watching a game. What they see is kept in `tables`, at most `tables_mb`, to be played again. Where every
    look counts, so that the same comes out again, they wait until one was understood before the next."""

    source: SourceConfig
    keep: Path
    enrol: EnrolSet | None = None
    evidence_mb: int = 0
    tables: Path | None = None
    tables_mb: int = 0

    @property
    def every_look_counts(self) -> bool:
        """Else the newest look takes the place of one that still waits."""
        return self.tables is not None or self.source.kind in ("kept", "video")


@dataclass(frozen=True, slots=True)
class LookFor:
    """To the eyes: a game with this layout stands on the table. `after` is the number of the last picture that was
    understood of it (None: begin with the first), for a picture set that is played on after a restart. `draft`: its
    set-up is still being read; a picture set waits with the picture that showed it. `game` is its id, `placement` what
    stands there as the game has it, `pieces` all that it began with, and `header` that of its record. `plies` are those
    that were played, as everybody saw them and records write them; None where no record tells them."""

    layout: Layout
    seats: int
    after: int | None = None
    draft: bool = False
    game: str = ""
    placement: Placement = field(default_factory=dict)
    pieces: frozenset[Appearance] = frozenset()
    header: dict[str, Any] = field(default_factory=dict)
    plies: tuple[Any, ...] | None = ()


@dataclass(frozen=True, slots=True)
class CloseUpRequest:
    """To the eyes: a picture of where these `things` lie, please, to be kept by this name: points (mm, table frame) and
    whether each is clear. What is not clear is marked."""

    name: str
    things: tuple[tuple[Point, bool], ...]


@dataclass(frozen=True, slots=True)
class SurveyRequest:
    """To the eyes: say what the next picture is like, please; it is to be `brighter` by this factor of light."""

    brighter: float = 1.0


@dataclass(frozen=True, slots=True)
class FromAboveRequest:
    """To the eyes: show the table as if seen from straight above, please."""


@dataclass(frozen=True, slots=True)
class MeasureLens:
    """To the eyes: look for the sheet by which the lens is measured, please; begin `anew`, or leave the outline that is
    asked for for `later`."""

    how: LensWish = "look"


@dataclass(frozen=True, slots=True)
class Teach:
    """To the eyes: people said what stands at these spots of the newest look, lowest first."""

    labels: Placement


@dataclass(frozen=True, slots=True)
class Understood:
    """To the eyes: what they read at the last look was taken in."""


@dataclass(frozen=True, slots=True)
class CloseUp:
    """From the eyes: a picture of things that are asked about."""

    name: str
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Pieces:
    """From the eyes: the colours of the piece set that they know."""

    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """From the eyes: a picture set begins anew, with the game of this header."""

    header: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Loading:
    """From the eyes: so much of their start is done, from 0 to 1."""

    share: float


@dataclass(frozen=True, slots=True)
class Preview:
    """From the eyes: the newest picture as they read it."""

    jpeg: bytes


@dataclass(frozen=True, slots=True)
class EyesTrouble:
    """From the eyes: they cannot go on, and why. Their process ends after it."""

    why: Phrase


@dataclass(frozen=True, slots=True)
class Pulse:
    """From the eyes, twice a second: their process lives, and its main thread has been stuck for so long."""

    stuck_s: float


ToEyes = (EyesConfig | LookFor | CloseUpRequest | SurveyRequest | FromAboveRequest | MeasureLens | Teach | Understood
          | EnrolOrder)
FromEyes = (Sighted | Round | Preview | CloseUp | Pieces | Survey | TableFromAbove | LensMeasured | Loading | Keeping
            | EnrolmentShown | EyesTrouble | Pulse)
