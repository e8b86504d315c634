"""Where the state folder has piece sets. Of its own, so that the eyes' process loads nothing else to find them."""

from __future__ import annotations

from pathlib import Path

PIECES, ENDING = "pieces", ".pieces"


def piece_file(keep: Path, game: str) -> Path:
    """The piece set of a game."""
    return keep / PIECES / (game + ENDING)


def kept_piece_files(keep: Path) -> dict[str, Path]:
    """The piece sets by game, the newest first."""
    files = sorted((keep / PIECES).glob("*" + ENDING), key=lambda file: (-file.stat().st_mtime_ns, file.name))
    return {file.name.removesuffix(ENDING): file for file in files}
