"""The companion's own table, as pages set it up: what is kept, and what takes effect at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from companion.errors import ConfigError, InvalidError, Phrase, phrase
from companion.main.examples import DEMO, examples
from companion.main.sources import Sources
from companion.session.config import Config
from companion.session.eyes_side import EyesSide
from companion.session.settings import Settings
from companion.session.kept_boards import BOARDS_NAME, boards_of, keep_board
from companion.session.kept_zones import ZONES_NAME, read_zones, write_zones
from companion.session.survey import LensMeasured, LensWish, Survey, TableFromAbove
from companion.table.laid import Laid

if TYPE_CHECKING:  # loaded once a page asks
    from companion.main.known_lenses import KnownLens
    from hardware.found_cameras import FoundCamera

PRINT_S: Final = 60.0
"""A small Pi draws the tag cards in a few seconds."""
PAPERS: Final = ("a4", "letter")


class OwnTable:
    """See `web.ports.OwnTablePort`. Any thread may call."""

    def __init__(self, settings: Settings, sources: Sources, side: EyesSide) -> None:
        self._settings, self._sources, self._side = settings, sources, side
        self._printing = Lock()

    @property
    def config(self) -> Config:
        """What counts now."""
        return self._settings.config

    @property
    def demo(self) -> str:
        """The name of the example that is played to whoever wants to watch; empty when none came along."""
        return DEMO if DEMO in examples() else ""

    @property
    def loaded(self) -> float | None:
        """How much of the eyes' start is done, from 0 to 1; None while they do not start."""
        return self._side.loaded

    @property
    def keeping(self) -> Phrase | None:
        """What is kept of what the camera sees, or is going to be; None where nothing is."""
        keep, now = self.config.keep, self._side.keeping
        if keep.folder is None:
            return None
        if now is None:
            return phrase("keep.told", where=str(keep.folder), number=keep.mb)
        if now.why_not is not None:
            return now.why_not
        return phrase("keep.page", where=now.where, given=round(now.mb), number=keep.mb)

    def is_fixed(self, key: str) -> bool:
        """Whether the config file or the command line says it."""
        return self._settings.is_fixed(key)

    def keep(self, changes: Mapping[str, Any]) -> None:
        """Keeps these values by key; another source of pictures is used from now on. Raises `CompanionError`."""
        self._settings.keep(changes)
        if any(key.startswith("source.") for key in changes):
            self._sources.use(self._settings.config.source)

    @property
    def cameras(self) -> Sequence[FoundCamera]:
        """The cameras of this machine."""
        from hardware.found_cameras import found_cameras

        return found_cameras()

    def survey(self) -> Survey | None:
        """What the camera's picture was like just now; None while there is none. Asked once, it is soon told anew."""
        self._side.wish_survey()
        return self._side.survey

    def expose(self, brighter: float) -> None:
        """The picture is to be brighter by this factor of light."""
        self._side.wish_survey(brighter)

    def begin_anew(self) -> None:
        """The camera is opened anew, and finds light and focus again."""
        self._sources.use(self._settings.config.source)

    @property
    def lenses(self) -> Mapping[str, KnownLens]:
        """The lenses to choose from."""
        from companion.main.known_lenses import KNOWN_LENSES

        return KNOWN_LENSES

    @property
    def lens(self) -> tuple[str, float]:
        """The word of the chosen lens and its angle; an empty word for a file of people's own, or for none."""
        from companion.main.known_lenses import kept_lens

        file = self.config.source.lens
        return ("", 0.0) if file is None else kept_lens(file)

    def choose_lens(self, name: str, degrees: str) -> None:
        """The camera has this lens from now on. Raises `CompanionError`."""
        from companion.main.known_lenses import keep_lens, lens_named

        lens, seen = lens_named(name, degrees), self._side.survey
        size = (seen.width, seen.height) if seen is not None else None
        self._use_lens(lambda: keep_lens(self.config.folder, name, lens, size))

    def measure_lens(self, how: LensWish) -> LensMeasured | None:
        """How far the measuring of the lens is; None while no picture comes. Asked once, it soon goes on."""
        self._side.wish_lens(how)
        return self._side.lens

    def use_measured_lens(self) -> None:
        """The camera has the lens that was measured from now on. Raises `CompanionError`."""
        from companion.main.known_lenses import keep_measured_lens

        done = self._side.lens
        if done is None or (lens := done.lens) is None:
            raise InvalidError(phrase("calibrate.not_measured"))
        self._use_lens(lambda: keep_measured_lens(self.config.folder, lens))

    def _use_lens(self, write: Callable[[], str]) -> None:
        """The lens of the file that is written, unless the config names another."""
        if self.is_fixed("source.lens"):
            raise ConfigError(phrase("settings.fixed", where="source.lens"))
        self.keep({"source.lens": write()})

    def from_above(self) -> TableFromAbove | None:
        """The table from above; None while no picture comes. Asked once, it is soon shown anew."""
        self._side.wish_above()
        return self._side.from_above

    @property
    def laid(self) -> Mapping[str, Laid]:
        """Where layouts lie, by `table_key`, as far as people said it."""
        file = self.config.source.zones
        if file is None or not file.exists():
            return {}
        try:
            return read_zones(file)
        except InvalidError:
            return {}  # the eyes say so; whoever says it anew makes it good

    def lay(self, key: str, laid: Laid | None) -> None:
        """The layout of this key lies so from now on; None: as it is drawn. Raises `CompanionError`."""
        if self.is_fixed("source.zones"):
            raise ConfigError(phrase("settings.fixed", where="source.zones"))
        tables = {**self.laid, key: laid}
        write_zones(self.config.folder / ZONES_NAME, {each: there for each, there in tables.items() if there})
        self.keep({"source.zones": ZONES_NAME})

    @property
    def boards(self) -> Mapping[str, str]:
        """The corners of boards in the pictures of the chosen source, by the id of their game."""
        try:
            return boards_of(self.config.source)
        except InvalidError:
            return {}  # the eyes say so; whoever says it anew makes it good

    def watch_board(self, game: str, corners: str | None) -> None:
        """The board of this game has these corners from now on; None: none. Raises `CompanionError`."""
        for key in ("source.corners", "source.boards"):
            if self.is_fixed(key):
                raise ConfigError(phrase("settings.fixed", where=key))
        keep_board(self.config.folder / BOARDS_NAME, self.config.source, game, corners)
        self.keep({"source.boards": BOARDS_NAME})

    @property
    def can_print(self) -> bool:
        """Whether the library that draws the tag cards is there."""
        return find_spec("reportlab") is not None

    def cards_pdf(self, paper: str) -> bytes:
        """The sheet with the tag cards, drawn by a process of its own. Raises `ConfigError`."""
        return self._pdf("cards", paper)

    def lens_pdf(self, paper: str) -> bytes:
        """The sheet by which a lens is measured. Raises `ConfigError`."""
        return self._pdf("sheet", paper)

    def lens_png(self) -> bytes:
        """The same as a picture, to be shown on a tablet. Raises `ConfigError`."""
        return self._drawn("sheet.png", ["calibrate", "--sheet"])

    def _pdf(self, what: str, paper: str) -> bytes:
        if not self.can_print:
            raise ConfigError(phrase("cards.no_reportlab"))
        paper = paper if paper in PAPERS else PAPERS[0]
        return self._drawn(f"{what}.pdf", ["print", what, "--paper", paper, "--out"])

    def _drawn(self, name: str, how: Sequence[str]) -> bytes:
        """What a command writes, whose last word is the file: drawing needs libraries that the service never loads."""
        with self._printing, TemporaryDirectory() as folder:
            file = Path(folder) / name
            command = [sys.executable, "-m", "companion.cli.main", *how, str(file)]
            try:
                subprocess.run(command, check=True, timeout=PRINT_S, stdout=subprocess.DEVNULL)
                return file.read_bytes()
            except (subprocess.SubprocessError, OSError) as error:
                raise ConfigError(phrase("setup.not_drawn")) from error
