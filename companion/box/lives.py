"""What the service keeps in /run/companion about its life: how starts went, what runs, the last lines it said.

All of it ends with the power, and none of it is needed: a folder that is missing or full changes nothing else.
"""

from __future__ import annotations

import json
import logging
import os
import traceback
from collections.abc import Mapping
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from threading import Timer
from typing import Final

from companion.box.launch import DAMAGED_ENV, read_lives, write_lives
from companion.box.machine import STATE_NAME

LOG_NAME: Final = "log.txt"
LOG_BYTES: Final = 64_000
"""Of this size there are two at most."""
SHORT_S: Final = 60.0
"""A life that was longer was a good one."""


class Lives:
    """`folder` is systemd's runtime folder; None: nothing is kept."""

    def __init__(self, folder: Path | None, environ: Mapping[str, str] = os.environ) -> None:
        self._folder, self._timer = folder, Timer(SHORT_S, self._settle)
        self._timer.daemon = True
        self.damaged = environ.get(DAMAGED_ENV, "")
        """The newer version that could not be started, as its files are damaged."""

    @classmethod
    def of_service(cls, environ: Mapping[str, str] = os.environ) -> Lives:
        """Those of a service that systemd has started through the launcher; else none."""
        given = environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
        return cls(Path(given) if given else None, environ)

    @property
    def log(self) -> Path | None:
        """Where the last lines stand."""
        return None if self._folder is None else self._folder / LOG_NAME

    def listen(self) -> None:
        """What is logged stands in the folder too, for the safe mode and the report."""
        if self.log is not None:
            with suppress(OSError):
                handler = RotatingFileHandler(self.log, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
                handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
                logging.getLogger().addHandler(handler)

    def began(self) -> None:
        """The pages answer: this start is none that failed."""
        if self._folder is not None:
            write_lives(self._folder, 0, read_lives(self._folder)[1])
            self._timer.start()
        self.state("running", "")

    def failed(self, why: str) -> None:
        """It does not start; `why` is a sentence, or empty for a fault of the program that is being handled."""
        trace = "" if why else traceback.format_exc(limit=-6)
        if self.log is not None:
            with suppress(OSError), self.log.open("a", encoding="utf-8") as log:
                log.write(f"the start failed: {why or trace}\n")
        self.state("failed", why, trace)

    def ended(self) -> None:
        """It was told to stop, and did."""
        self._timer.cancel()
        if self._folder is not None:
            write_lives(self._folder, 0, 0)

    def state(self, what: str, why: str, trace: str = "") -> None:
        """Says what runs now."""
        if self._folder is not None:
            with suppress(OSError):
                new = self._folder / f"{STATE_NAME}.new"
                new.write_text(json.dumps({"is": what, "why": why, "trace": trace}), encoding="utf-8")
                new.chmod(0o644)
                new.replace(self._folder / STATE_NAME)

    def told(self) -> dict[str, str]:
        """What was said last of what runs."""
        if self._folder is not None:
            with suppress(OSError, ValueError, AttributeError):
                given = json.loads((self._folder / STATE_NAME).read_bytes())
                return {str(key): str(each) for key, each in given.items()}
        return {}

    def _settle(self) -> None:
        if self._folder is not None:
            write_lives(self._folder, 0, 0)
