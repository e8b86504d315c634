"""What the service that runs says of itself. It holds camera and pins: it is asked before anything is opened."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import urlopen

from companion.box.lives import Lives
from companion.errors import Phrase, phrase
from companion.session.config import Config
from hardware.doctor import Finding

HEALTH_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Running:
    """`said` is what its /health answers; None: nothing answers. `why` it is in its safe mode, if it is."""

    said: Mapping[str, Any] | None = None
    is_safe: bool = False
    why: str = ""

    @property
    def holds(self) -> bool:
        """Whether it has camera and pins."""
        return self.said is not None and not self.is_safe


def ask(config: Config, runtime: Path) -> Running:
    """What runs on this machine. Never raises."""
    told = Lives(runtime, {}).told()
    said = _health(config)
    if said is None:
        return Running()
    return Running(said, bool(said.get("safe")) or told.get("is") == "safe", told.get("why", ""))


def findings(running: Running, is_installed: bool) -> Iterator[Finding]:
    """Whether it runs, and what it says of eyes, journal and pins."""
    if running.is_safe:
        yield Finding(False, phrase("doctor.safe", why=running.why or phrase("safe.unknown")))
    elif running.said is None:
        yield Finding(not is_installed, phrase("doctor.service_down" if is_installed else "doctor.no_service"))
    else:
        yield Finding(True, phrase("doctor.service"))
        if running.said.get("journal") is False:
            yield Finding(False, phrase("doctor.journal_stuck"))


def camera(running: Running) -> Finding:
    """The camera, which the service has."""
    state = str((running.said or {}).get("eyes", "none"))
    bad: Mapping[str, Phrase] = {
        "gone": phrase("doctor.eyes_gone"), "starting": phrase("doctor.eyes_starting"),
        "none": phrase("doctor.camera_none")}
    return Finding(state != "gone", bad.get(state, phrase("doctor.camera_held")))


def pins(running: Running) -> Finding:
    """The pins, which the service has."""
    well = (running.said or {}).get("pins") is not False
    return Finding(well, phrase("doctor.pins_held" if well else "doctor.pins_deaf"))


def _health(config: Config) -> Mapping[str, Any] | None:
    host = "127.0.0.1" if config.server.host in ("0.0.0.0", "::", "") else config.server.host
    context = ssl._create_unverified_context() if config.server.tls else None  # its own certificate, on this machine
    scheme = "https" if config.server.tls else "http"
    answer = None
    with suppress(OSError, ValueError):
        try:
            with urlopen(f"{scheme}://{host}:{config.server.port}/health", timeout=HEALTH_S, context=context) as asked:
                answer = asked.read(10_000)
        except HTTPError as error:  # the safe mode
            with error:
                answer = error.read(10_000)
        told = json.loads(answer)
        return told if isinstance(told, dict) and "ok" in told else None
    return None
