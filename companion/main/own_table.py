"""The companion's own table, as pages set it up: what is kept, and what takes effect at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.main.examples import DEMO, examples
from companion.main.sources import Sources
from companion.session.config import Config
from companion.session.eyes_side import EyesSide
from companion.session.settings import Settings


class OwnTable:
    """See `web.ports.OwnTablePort`. Any thread may call."""

    def __init__(self, settings: Settings, sources: Sources, side: EyesSide) -> None:
        self._settings, self._sources, self._side = settings, sources, side

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

    def is_fixed(self, key: str) -> bool:
        """Whether the config file or the command line says it."""
        return self._settings.is_fixed(key)

    def keep(self, changes: Mapping[str, Any]) -> None:
        """Keeps these values by key; another source of pictures is used from now on. Raises `CompanionError`."""
        self._settings.keep(changes)
        if any(key.startswith("source.") for key in changes):
            self._sources.use(self._settings.config.source)
