"""What is being kept of what the camera sees, for whoever should know, and the names of what is in its folder.

    kept.json       which game it is, what had been played, what stood where, and what the eyes knew: the board's
                    corners, or lens and zones
    pieces.zip      the enrolled pieces, where tag cards lie, and beside it the examples that were learned since
    frames.jsonl    a line a frame: its number, its time (s), where its small picture is, whether its picture is kept;
                    or what people taught the eyes between two frames
    small.mjpeg     the small pictures, one JPEG after the other
    looks/N.jpg     the pictures that the eyes looked at: of frame N

Such a folder is a kept table; the folder in which they are kept holds one a game, numbered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.errors import Phrase
from companion.table import Placement

KEPT_FORMAT: Final = "companion-kept-table"
KEPT_VERSION: Final = 1
ABOUT, FRAMES, SMALL, LOOKS, PIECES = "kept.json", "frames.jsonl", "small.mjpeg", "looks", "pieces.zip"


@dataclass(frozen=True, slots=True)
class Keeping:
    """What the camera sees is kept in the folder `where`, which holds so many MB; `why_not` says why no more is."""

    where: str
    mb: float
    why_not: Phrase | None = None


@dataclass(frozen=True, slots=True)
class KeptBeginning:
    """What had been played, as records write plies, and what stood where."""

    plies: tuple[Any, ...]
    placement: Placement


def is_kept_table(folder: Path) -> bool:
    """Whether a folder is a kept table itself."""
    return (folder / ABOUT).is_file()


def kept_tables(folder: Path) -> list[Path]:
    """The tables that are kept in a folder, the oldest first; the folder itself, if it is one."""
    return [folder] if is_kept_table(folder) else numbered_tables(folder)


def numbered_tables(folder: Path) -> list[Path]:
    """The tables in a folder, one a game, as they are numbered."""
    return sorted(each.parent for each in folder.glob(f"[0-9][0-9][0-9][0-9]-*/{ABOUT}"))


def newest_kept(folder: Path) -> Path:
    """The table that is kept in a folder, or of several games there the newest; the folder itself if there is none."""
    return [folder, *kept_tables(folder)][-1]


def kept_placement(said: Mapping[str, Any]) -> Placement:
    """What stands where, as a kept table writes it."""
    return {str(spot): tuple(str(piece) for piece in pieces) for spot, pieces in said.items()}


def kept_beginning(folder: Path) -> KeptBeginning | None:
    """How the game stood when the newest table of a folder began to be kept; None where that is not known. Tables that
    were kept before plies were written begin with a game."""
    try:
        said = json.loads((newest_kept(folder) / ABOUT).read_text(encoding="utf-8"))
        return KeptBeginning(tuple(said.get("plies", ())), kept_placement(said["placement"]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
