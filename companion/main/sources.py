"""Which table is played: the one of the config, or an example, a picture set that comes along.

Every table keeps its own journal, so that looking at an example never ends the game of a real table.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Final

from companion.errors import CompanionError, InvalidError, phrase
from companion.main.examples import EXAMPLES, examples, game_of
from companion.main.eyes_supervisor import EyesSupervisor
from companion.main.messages import EyesConfig
from companion.session.config import Config, SourceConfig
from companion.session.journal import ResumedJournal
from companion.session.whole_file import write_whole
from companion.session.writer import Writer

GLANCE_S = 0.3
"""A page waits this long to say that it cannot be; turning to another table goes on in the eyes' thread."""

LEAVE_S = 5.0
"""Who begins a game waits so long for the eyes to leave an example."""

OWN = ""
"""The name of the config's own table."""
CHOSEN_NAME: Final = "example"
"""The file with the name of the example that is played: after a power cut it goes on."""
CHOSEN_S: Final = 12 * 3600.0
"""For so long after it was chosen; then a start is of another evening, at one's own table."""

_logger = logging.getLogger(__name__)


def folder_of(config: Config) -> Path:
    """Where journal and piece set are kept. A picture set, and a video, has a folder of its own: it must never end the
    game of a real table."""
    if config.source.kind in ("folder", "kept") and config.source.folder is not None:
        return config.folder / "sets" / config.source.folder.name
    if config.source.kind == "video" and config.source.video is not None:
        return config.folder / "sets" / config.source.video.stem
    return config.folder


def chosen_of_late(config: Config, folders: tuple[Path, ...] = EXAMPLES, now_s: Callable[[], float] = time.time) -> str:
    """The example that was played when the companion ended this evening; empty for the config's own table."""
    file = config.folder / CHOSEN_NAME
    with suppress(OSError, UnicodeDecodeError):
        name = file.read_text(encoding="utf-8")
        if name in examples(folders) and now_s() - file.stat().st_mtime < CHOSEN_S:
            return name
    return OWN


def config_to_play(config: Config, name: str, folders: Mapping[str, Path] | None = None) -> Config:
    """The config with this example for a source, or as it is."""
    if name == OWN:
        return config
    folder = (examples() if folders is None else folders)[name]
    return replace(config, source=SourceConfig("folder", folder, pace_s=config.source.pace_s))


@dataclass(frozen=True, slots=True)
class Example:
    """A picture set to play, as pages offer it."""

    name: str
    game: str


class Sources:
    """What is played, and how to play something else. `open_journal` opens the journal of a folder; `chosen` is the
    example that is played already."""

    def __init__(
        self, config: Config, writer: Writer, eyes: EyesSupervisor, open_journal: Callable[[Path], ResumedJournal],
        folders: tuple[Path, ...] = EXAMPLES, chosen: str = OWN,
    ) -> None:
        self._config, self._writer, self._eyes, self._open_journal = config, writer, eyes, open_journal
        self._folders = examples(folders)
        self._chosen = chosen

    @property
    def offers(self) -> tuple[Example, ...]:
        """All examples."""
        return tuple(Example(name, game_of(folder)) for name, folder in self._folders.items())

    @property
    def chosen(self) -> str:
        """The example that is played; empty for the config's own table."""
        return self._chosen

    def choose(self, name: str, wait_s: float | None = None) -> None:
        """Plays another table: an example, or the config's own. Raises `CompanionError`, and all stays as it is. After
        `wait_s` it may still be on its way."""
        if name != OWN and name not in self._folders:
            raise InvalidError(phrase("house.no_example", given=name))
        config = config_to_play(self._config, name, self._folders)
        if folder_of(config) == self._writer.folder:
            self._keep(name)
            if self._writer.snapshot().match and self._writer.eyes.task().header is None:  # a game has ended there
                self._eyes.move(eyes_config(config), _stay)
            return
        done, refused = Event(), list[CompanionError]()

        def turn() -> None:
            """In the eyes' thread, while none look."""
            try:
                if folder_of(config) != self._writer.folder:  # it was chosen twice
                    self._writer.move(self._open_journal(folder_of(config)))
                self._keep(name)
            except CompanionError as error:
                refused.append(error)
                raise
            finally:
                done.set()

        self._eyes.move(eyes_config(config), turn)
        done.wait(GLANCE_S if wait_s is None else wait_s)
        if refused:
            raise refused[0]

    def use(self, source: SourceConfig) -> None:
        """The config's own table has this source from now on, and is played. Raises `CompanionError`."""
        self._config = replace(self._config, source=source)
        if self._chosen != OWN:
            self.choose(OWN)
        else:
            self._eyes.move(eyes_config(self._config), _stay)

    def own(self) -> EyesConfig | None:
        """What the eyes open at the config's own table, whatever is played now; None without a source of pictures."""
        return eyes_config(self._config)

    def leave(self) -> None:
        """Plays the config's own table again, and waits until it does. Raises `CompanionError`."""
        if self._chosen != OWN:
            self.choose(OWN, LEAVE_S)
            if self._chosen != OWN:
                raise InvalidError(phrase("session.busy"))

    def _keep(self, name: str) -> None:
        """This is played from now on, also after the next start."""
        if name == self._chosen:
            return
        self._chosen = name
        file = self._config.folder / CHOSEN_NAME
        try:
            if name == OWN:
                file.unlink(missing_ok=True)
            else:
                write_whole(file, name.encode())
        except OSError as error:
            _logger.warning("which example is played is not kept: %s", error)


def _stay() -> None:
    """The table stays; the eyes begin anew."""


def eyes_config(config: Config) -> EyesConfig | None:
    """The source of pictures that the eyes open; None without one."""
    if config.source.kind not in ("camera", "folder", "video", "kept"):
        return None
    is_live = config.source.kind in ("camera", "video")
    return EyesConfig(config.source, folder_of(config), evidence_mb=config.evidence_mb,
                      tables=config.keep.folder if is_live else None, tables_mb=config.keep.mb)
