"""An own table and examples that are only remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import ConfigError, phrase
from companion.session.config import Config, read_config


class FakeOwnTable:
    """Nobody has chosen anything; `kept` is what was kept. Keys in `fixed` are said elsewhere."""

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or read_config({})
        self.kept: dict[str, Any] = {}
        self.fixed: set[str] = set()
        self.demo = "kamikaze-1"
        self.loaded: float | None = None

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
