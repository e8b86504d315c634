"""Which table is played: the one of the config, or an example, a picture set that comes along.

Every table keeps its own journal, so that looking at an example never ends the game of a real table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

from companion.errors import CompanionError, InvalidError, phrase
from companion.main.examples import EXAMPLES, examples, game_of
from companion.main.eyes_supervisor import EyesSupervisor
from companion.main.messages import EyesConfig
from companion.session.config import Config, SourceConfig
from companion.session.journal import ResumedJournal
from companion.session.writer import Writer

GLANCE_S = 0.3
"""A page waits this long to say that it cannot be; turning to another table goes on in the eyes' thread."""

OWN = ""
"""The name of the config's own table."""


def folder_of(config: Config) -> Path:
    """Where journal and piece set are kept. A picture set has a folder of its own: it must never end the game of a real
    table."""
    if config.source.kind == "folder" and config.source.folder is not None:
        return config.folder / "sets" / config.source.folder.name
    return config.folder


@dataclass(frozen=True, slots=True)
class Example:
    """A picture set to play, as pages offer it."""

    name: str
    game: str


class Sources:
    """What is played, and how to play something else. `open_journal` opens the journal of a folder."""

    def __init__(
        self, config: Config, writer: Writer, eyes: EyesSupervisor, open_journal: Callable[[Path], ResumedJournal],
        folders: tuple[Path, ...] = EXAMPLES,
    ) -> None:
        self._config, self._writer, self._eyes, self._open_journal = config, writer, eyes, open_journal
        self._folders = examples(folders)
        self._chosen = OWN

    @property
    def offers(self) -> tuple[Example, ...]:
        """All examples."""
        return tuple(Example(name, game_of(folder)) for name, folder in self._folders.items())

    @property
    def chosen(self) -> str:
        """The example that is played; empty for the config's own table."""
        return self._chosen

    def choose(self, name: str) -> None:
        """Plays another table: an example, or the config's own. Raises `CompanionError`, and all stays as it is."""
        if name != OWN and name not in self._folders:
            raise InvalidError(phrase("house.no_example", given=name))
        config = self._config if name == OWN else replace(
            self._config, source=SourceConfig("folder", self._folders[name], pace_s=self._config.source.pace_s))
        if folder_of(config) == self._writer.folder:
            self._chosen = name
            if self._writer.snapshot().match and self._writer.eyes.task().header is None:  # a game has ended there
                self._eyes.move(eyes_config(config), _stay)
            return
        done, refused = Event(), list[CompanionError]()

        def turn() -> None:
            """In the eyes' thread, while none look."""
            try:
                if folder_of(config) != self._writer.folder:  # it was chosen twice
                    self._writer.move(self._open_journal(folder_of(config)))
                self._chosen = name
            except CompanionError as error:
                refused.append(error)
                raise
            finally:
                done.set()

        self._eyes.move(eyes_config(config), turn)
        done.wait(GLANCE_S)
        if refused:
            raise refused[0]


def _stay() -> None:
    """The table stays; the eyes begin anew."""


def eyes_config(config: Config) -> EyesConfig | None:
    """The source of pictures that the eyes open; None without one."""
    return EyesConfig(config.source, folder_of(config)) if config.source.kind in ("camera", "folder") else None
