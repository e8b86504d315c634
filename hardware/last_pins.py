"""The pins that the service used last, in its state folder: what has to be switched off after it, whatever the config
says by then.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     remember(Path(folder), PinConfig(seats=((5, 17),), factory="mock"))
    ...     last_pins(Path(folder))
    PinConfig(seats=((5, 17),), status_rgb=(12, 13, 19), buzzer=18, factory='mock')
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

from companion.errors import ConfigError
from companion.session.config import PinConfig, read_config
from companion.session.config_file import tables_in
from companion.session.whole_file import write_whole
from companion.session.toml_text import written_toml

LAST_PINS_NAME: Final = "pins.toml"

_logger = logging.getLogger(__name__)


def remember(folder: Path, pins: PinConfig) -> None:
    """Keeps which pins are used from now on. Written only when it changes; a disk that is full is no reason to stop."""
    if last_pins(folder) == pins:
        return
    kept = {key: value for key, value in asdict(pins).items() if value is not None}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / LAST_PINS_NAME, written_toml({"pins": kept}).encode())
    except OSError as error:
        _logger.warning("which pins are used is not kept: %s", error)


def last_pins(folder: Path) -> PinConfig | None:
    """The pins that were used last; None when nothing readable says so."""
    with suppress(ConfigError):
        return read_config(tables_in(folder / LAST_PINS_NAME)).pins
    return None
