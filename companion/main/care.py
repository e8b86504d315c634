"""The machine as pages ask for it: examined while games are played, and its wish for another version."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.box.doctor import examining
from companion.box.doctor.examining import Subject
from companion.box.doctor.report import report
from companion.box.doctor.service import Running
from companion.box.layout import Places
from companion.box.wish import leave_wish, read_told
from companion.errors import Phrase
from companion.session.config import Config
from companion.session.writer import Writer
from companion.words import Words
from hardware.doctor import Finding


class Care:
    """See `web.ports.MachinePort`. Any thread may call."""

    def __init__(
        self, config: Config, writer: Writer, pins_answer: Callable[[], bool], words: Words,
        layout: Places | None = None,
    ) -> None:
        self._config, self._writer, self._pins_answer, self._words = config, writer, pins_answer, words
        self._layout = layout or Places()

    def findings(self) -> list[Finding]:
        """Everything but what the service itself holds, of which it knows how it is."""
        shown = self._writer.snapshot()
        running = Running({
            "ok": True, "eyes": shown.eyes.state, "journal": not shown.trouble, "pins": self._pins_answer()})
        return list(examining.examine_all(Subject(None, self._config, None, self.can_update), self._layout, running))

    def report(self) -> bytes:
        """The zip, without names and pictures."""
        return report(self.findings(), self._words, self._layout, self._file, self._config.folder)

    @property
    def can_update(self) -> bool:
        """Whether this is an installed companion, whose root waits for wishes."""
        return self._layout.current.exists() and self._config.folder == self._layout.state

    def told(self) -> Phrase | None:
        """How the last update went."""
        return read_told(self._layout.told).what

    def wish(self, back: bool) -> None:
        """Leaves it for root. Raises `InvalidError`."""
        leave_wish(self._config.folder, "back" if back else "update")

    @property
    def _file(self) -> Path | None:
        return self._layout.config if self._layout.config.exists() else None
