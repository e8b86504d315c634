"""An own table and examples that are only remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import ConfigError, InvalidError, Phrase, phrase
from companion.main.known_lenses import KNOWN_LENSES, lens_named
from companion.session.config import Config, read_config
from companion.session.survey import LensMeasured, LensWish, Survey, TableFromAbove
from companion.table.laid import Laid
from tests.web.phones import host
from tests.web.rooms import Room, room_in
from web.fakes import NO_GAME, FakeDesk, FakePanel
from web.lens_port import OfferedLens


class FakeOwnTable:
    """Nobody has chosen anything; `kept` is what was kept. Keys in `fixed` are said elsewhere."""

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or read_config({})
        self.kept: dict[str, Any] = {}
        self.fixed: set[str] = set()
        self.demo = "kamikaze-1"
        self.loaded: float | None = None
        self.cameras: tuple[FakeCameraFound, ...] = (
            FakeCameraFound("picamera2", ""), FakeCameraFound(0, "HD Webcam"))
        self.seen: Survey | None = None
        self.above: TableFromAbove | None = None
        self.laid: Mapping[str, Laid] = {}
        self.boards: Mapping[str, str] = {}
        self.light: list[float] = []
        self.lenses: Mapping[str, OfferedLens] = KNOWN_LENSES
        self.lens = ("", 0.0)
        self.measured: LensMeasured | None = None
        self.wishes: list[LensWish] = []
        self.can_print = True
        self.keeping: Phrase | None = None

    def is_fixed(self, key: str) -> bool:
        """Whether it is in `fixed`."""
        return key in self.fixed

    def keep(self, changes: Mapping[str, Any]) -> None:
        """Keeps them, checked as the config is."""
        for key in changes:
            if key in self.fixed:
                raise ConfigError(phrase("settings.fixed", where=key))
        kept = {**self.kept, **changes}
        tables: dict[str, dict[str, Any]] = {}
        for name, value in kept.items():
            section, _, key = name.partition(".")
            if value is not None:
                tables.setdefault(section, {})[key] = value
        self.config, self.kept = read_config(tables), kept

    def from_above(self) -> TableFromAbove | None:
        """`above`."""
        return self.above

    def lay(self, key: str, laid: Laid | None) -> None:
        """Keeps it in `laid`."""
        if "source.zones" in self.fixed:
            raise ConfigError(phrase("settings.fixed", where="source.zones"))
        self.laid = {each: there for each, there in {**self.laid, key: laid}.items() if there is not None}

    def watch_board(self, game: str, corners: str | None) -> None:
        """Keeps it in `boards`."""
        if "source.corners" in self.fixed:
            raise ConfigError(phrase("settings.fixed", where="source.corners"))
        self.boards = {each: text for each, text in {**self.boards, game: corners}.items() if text is not None}

    def survey(self) -> Survey | None:
        """`seen`."""
        return self.seen

    def expose(self, brighter: float) -> None:
        """Keeps it."""
        self.light.append(brighter)

    def begin_anew(self) -> None:
        """Keeps that as 0."""
        self.light.append(0.0)

    def choose_lens(self, name: str, degrees: str) -> None:
        """As the own table does, without a file."""
        self.lens = name, lens_named(name, degrees).degrees

    def measure_lens(self, how: LensWish) -> LensMeasured | None:
        """`measured`; what is wished is kept."""
        self.wishes.append(how)
        return self.measured

    def use_measured_lens(self) -> None:
        """Keeps it by the name of its file."""
        if self.measured is None or self.measured.lens is None:
            raise InvalidError(phrase("calibrate.not_measured"))
        self.keep({"source.lens": "lens-measured.json"})

    def lens_pdf(self, paper: str) -> bytes:
        """No sheet at all."""
        return self.cards_pdf(paper)

    def lens_png(self) -> bytes:
        """No picture at all."""
        return b"\x89PNG"

    def cards_pdf(self, paper: str) -> bytes:
        """No sheet at all."""
        if not self.can_print:
            raise ConfigError(phrase("cards.no_reportlab"))
        return b"%PDF " + paper.encode()


@dataclass(frozen=True, slots=True)
class FakeCameraFound:
    """A camera."""

    source: int | str
    label: str


class FakeExamples:
    """One example of each of these names; `chosen` is played."""

    def __init__(self, *names: str) -> None:
        self.offers = tuple(FakeExample(name, "kamikaze-cans") for name in names)
        self.chosen = ""

    def choose(self, name: str) -> None:
        """Plays it."""
        self.chosen = name

    def leave(self) -> None:
        """Plays none."""
        self.chosen = ""


@dataclass(frozen=True, slots=True)
class FakeExample:
    """An example by name."""

    name: str
    game: str


def room_of(own: FakeOwnTable, examples: FakeExamples | None = None) -> Room:
    """A room whose host sets this table up; no game is on."""
    made = room_in(None, FakeDesk(NO_GAME), own=own, examples=examples or FakeExamples("kamikaze-1"),
                   panel=FakePanel())
    host(made.host)
    return made
