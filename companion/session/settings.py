"""What is set on pages: kept in a file of the state folder, in the terms of the config file, and below it.

    settings = Settings(folder, build)                  # `build` puts what is kept below the config file
    settings.config                                     # what counts now
    settings.keep({"source.kind": "none", "table.name": None})

The file is for programs; people have the config file, which wins. It is written whole, and for this user's eyes alone:
it may hold the password of the Wi-Fi. One that cannot be understood is put aside and told, never deleted.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Final

from companion.errors import ConfigError, Phrase, phrase
from companion.session.config import KEYS, Config
from companion.session.config_file import Tables
from companion.session.whole_file import write_whole
from companion.session.toml_text import written_toml

SETTINGS_NAME: Final = "settings.toml"
SETTINGS_VERSION: Final = 1
MAX_SETTINGS_BYTES: Final = 256 * 1024
"""A longer file is none of ours."""
NOT_KEPT: Final = ("state.folder",)
"""The file stands in it."""
PATHS: Final = ("folder", "pieces", "lens", "zones", "boards")
"""Keys of the source that are paths: relative ones count from the state folder."""

Build = Callable[[Tables], Config]


class Settings:
    """Any thread may call. `fixed` are the keys, such as `source.kind`, that the config file or the command line say.
    Raises `ConfigError` when these alone are wrong."""

    def __init__(self, folder: Path, build: Build, fixed: Collection[str] = ()) -> None:
        self._file, self._build, self._fixed, self._lock = folder / SETTINGS_NAME, build, frozenset(fixed), Lock()
        self.notices: tuple[Phrase, ...] = ()
        """What people must know of the file."""
        self._is_stuck = False
        self._strange: dict[str, Any] = {}
        self._kept: dict[str, dict[str, Any]] = {}
        self.config = build({})
        """What counts: the config file and the command line, and what is kept where they say nothing."""
        self._load()

    def is_fixed(self, key: str) -> bool:
        """Whether nothing that is kept can change this key."""
        return key in self._fixed

    def keep(self, changes: Mapping[str, Any]) -> None:
        """Keeps these values by key (`source.kind`); None: as if it had never been set. Raises `ConfigError`, and all
        stays as it was, when a value is wrong, its key is fixed, or the file cannot be written."""
        with self._lock:
            for key in changes:
                if self.is_fixed(key):
                    raise ConfigError(phrase("settings.fixed", where=key))
            kept = _changed(self._kept, changes)
            config = self._built(kept)
            try:
                if self._is_stuck:
                    raise OSError(0, self._file.name)
                write_whole(self._file, written_toml(_joined(self._strange, kept)).encode(), secret=True)
            except OSError as error:
                raise ConfigError(
                    phrase("settings.unwritable", where=str(self._file), given=str(error.strerror))) from error
            self._kept, self.config = kept, config

    def read_again(self) -> None:
        """The file is another one now."""
        with self._lock:
            self._kept, self._strange, self.notices, self._is_stuck = {}, {}, (), False
            self.config = self._build({})
            self._load()

    def _load(self) -> None:
        try:
            kept, strange = _sorted(_read(self._file))
            self.config = self._built(kept)
        except FileNotFoundError:
            return
        except ConfigError as error:
            self._put_aside(error.phrase)
        except OSError as error:
            self._put_aside(phrase("config.unreadable", where=str(self._file), given=str(error.strerror)))
        else:
            self._kept, self._strange = kept, strange
            self.notices = tuple(phrase("settings.unknown", where=each) for each in _keys_of(strange))

    def _built(self, kept: Tables) -> Config:
        source = kept.get("source", {})
        whole = {key: str(self._file.parent / value) if key in PATHS and isinstance(value, str) and value else value
                 for key, value in source.items()}
        return self._build({**kept, "source": whole} if source else kept)

    def _put_aside(self, why: Phrase) -> None:
        try:
            aside = next(each for n in range(1, 10_000) if not (each := self._file.with_name(
                f"{self._file.name}.damaged-{n}")).exists())
            self._file.rename(aside)
            self.notices = (phrase("settings.damaged", where=str(aside), why=why),)
        except OSError as error:
            self._is_stuck = True
            self.notices = (phrase(
                "settings.stuck", where=str(self._file), given=str(error.strerror), why=why),)


def _read(file: Path) -> dict[str, Any]:
    """What the file says. Raises `OSError`, `ConfigError`."""
    with file.open("rb") as opened:
        given = opened.read(MAX_SETTINGS_BYTES + 1)
    try:
        if len(given) > MAX_SETTINGS_BYTES:
            raise ValueError
        return tomllib.loads(given.decode())
    except (ValueError, RecursionError) as error:
        raise ConfigError(phrase("settings.no_settings")) from error


def _sorted(given: Mapping[str, Any]) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """What this version knows, by section and key, and what it does not. Raises `ConfigError`."""
    if given.get("version") != SETTINGS_VERSION:
        raise ConfigError(phrase("settings.newer" if type(given.get("version")) is int else "settings.no_settings"))
    kept: dict[str, dict[str, Any]] = {}
    strange: dict[str, Any] = {}
    for section, values in given.items():
        if section == "version":
            continue
        if section not in KEYS or not isinstance(values, dict):
            strange[section] = values
            continue
        for key, value in values.items():
            is_known = key in KEYS[section] and f"{section}.{key}" not in NOT_KEPT
            (kept if is_known else strange).setdefault(section, {})[key] = value
    return kept, strange


def _keys_of(strange: Mapping[str, Any]) -> list[str]:
    return [f"{section}.{key}" for section, values in strange.items()
            for key in (values if section in KEYS and isinstance(values, dict) else ("*",))]


def _changed(kept: Tables, changes: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    changed = {section: dict(values) for section, values in kept.items()}
    for name, value in changes.items():
        section, _, key = name.partition(".")
        values = changed.setdefault(section, {})
        values.pop(key, None)
        if value is not None:
            values[key] = value
    return {section: values for section, values in changed.items() if values}


def _joined(strange: Mapping[str, Any], kept: Tables) -> dict[str, Any]:
    """The file: what is kept, and what a newer version may know."""
    alone = {section: values for section, values in strange.items() if section not in kept}
    both = {section: {**strange.get(section, {}), **values} for section, values in kept.items()}
    return {"version": SETTINGS_VERSION, **alone, **both}


def below(kept: Tables, given: Tables) -> Tables:
    """What is kept where `given` says nothing."""
    return {section: {**kept.get(section, {}), **given.get(section, {})} for section in {**kept, **given}}
