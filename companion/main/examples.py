"""The picture sets that come along, to be played without a camera."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
EXAMPLES = (PACKAGE / "demo", PACKAGE.parent / "tests" / "data")
"""Where picture sets lie that play without a camera: installed, or in the project's own folder."""


def examples(folders: tuple[Path, ...] = EXAMPLES) -> Mapping[str, Path]:
    """The picture sets that come along, by name."""
    found: dict[str, Path] = {}
    for folder in folders:
        for each in sorted(folder.glob("*/set.json")):
            found.setdefault(each.parent.name, each.parent)
    return found


def game_of(folder: Path) -> str:
    """Which game a picture set shows; empty when its set.json does not say."""
    try:
        return str(json.loads((folder / "set.json").read_text(encoding="utf-8")).get("game", ""))
    except (OSError, ValueError):
        return ""
