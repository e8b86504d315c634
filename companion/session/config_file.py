"""The config file as it lies there: TOML with a number for its version, not yet checked."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from companion.errors import ConfigError, phrase

CONFIG_VERSION: Final = 2
"""Files without a number are of version 1, before they had one."""
VERSION_KEY: Final = "version"

Tables = Mapping[str, Mapping[str, Any]]
"""A config as a parsed file has it: sections with their keys."""


def tables_in(file: Path) -> Tables:
    """What the file says, of this version or an older one. Raises `ConfigError`."""
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(phrase("config.unreadable", where=str(file), given=_reason(error))) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(phrase("config.not_toml", where=str(file), given=str(error))) from error
    version = version_of(given)
    if version is None:
        raise ConfigError(phrase("config.version", where=str(file), most=CONFIG_VERSION))
    if version > CONFIG_VERSION:
        raise ConfigError(phrase("config.newer", where=str(file), given=version, most=CONFIG_VERSION))
    return {key: values for key, values in given.items() if key != VERSION_KEY}


def version_of(given: Mapping[str, Any]) -> int | None:
    """The number of a parsed file; None: it is no number."""
    version = given.get(VERSION_KEY, 1)
    return version if type(version) is int and version >= 1 else None


def _reason(error: Exception) -> str:
    return (error.strerror or type(error).__name__) if isinstance(error, OSError) else type(error).__name__
