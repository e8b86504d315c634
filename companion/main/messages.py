"""What goes through the pipe between the service and its eyes: small frozen values, pickled. No pixels but one JPEG."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import Phrase
from companion.session.commands import Sighted
from companion.session.config import SourceConfig
from companion.table import Layout


@dataclass(frozen=True, slots=True)
class Open:
    """To the eyes, once at the beginning. `keep` is the folder in which they keep the piece set they enrolled."""

    source: SourceConfig
    keep: Path


@dataclass(frozen=True, slots=True)
class LookFor:
    """To the eyes: a game with this layout stands on the table. `after` is the number of the last picture that was
    understood of it (None: begin with the first), for a picture set that is played on after a restart."""

    layout: Layout
    seats: int
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """From the eyes: a picture set begins anew, with the game of this header."""

    header: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Preview:
    """From the eyes: the newest picture as they read it."""

    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Trouble:
    """From the eyes: they cannot go on, and why. Their process ends after it."""

    why: Phrase


ToEyes = Open | LookFor
FromEyes = Sighted | Round | Preview | Trouble
