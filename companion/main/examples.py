"""The picture sets shipped with the companion, to be played without a camera."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]
EXAMPLES = (PACKAGE / "demo", PACKAGE.parent / "tests" / "data")
"""Folders with picture sets: of an installed companion, and of a checkout."""
DEMO = "kamikaze-1"
"""The picture set that is played to whoever wants to watch."""


def examples(folders: tuple[Path, ...] = EXAMPLES) -> Mapping[str, Path]:
    """The shipped picture sets, by name; the first folder that has a name wins."""
    found: dict[str, Path] = {}
    for folder in folders:
        for each in sorted(folder.glob("*/set.json")):
            found.setdefault(each.parent.name, each.parent)
    return found


def game_of(folder: Path) -> str:
    """The id of the game that a picture set shows; empty when its set.json does not say."""
    return str(_about(folder).get("game", ""))


def pieces_in(folder: Path) -> int:
    """How many pieces a picture set lists."""
    listed = _about(folder).get("pieces")
    return len(listed) if isinstance(listed, list) else 0


def _about(folder: Path) -> dict[str, Any]:
    try:
        told = json.loads((folder / "set.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}
