"""Where the corners of boards are in the pictures of a camera or a video, as pages keep it: a file in the state folder.

    {"version": 1, "boards": {"camera 0: chess": "a1=138,376 h1=510,377 h8=507,10 a8=141,9"}}

What the config, or the command line, says of corners is of every game.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from companion.errors import ConfigError, InvalidError, phrase
from companion.session.camera_address import host_of, is_address
from companion.session.config import MAX_CORNERS, SourceConfig
from companion.session.whole_file import write_whole

BOARDS_NAME: Final = "boards.json"
BOARDS_VERSION: Final = 1


def boards_of(source: SourceConfig) -> dict[str, str]:
    """The corners of the boards that this camera, or video, looks at, by the id of their game. Raises
    `InvalidError`."""
    kept = {} if source.boards is None else read_boards(source.boards)
    mine = f"{_name(source)}: "
    return {key.removeprefix(mine): corners for key, corners in kept.items() if key.startswith(mine)}


def keep_board(file: Path, source: SourceConfig, game: str, corners: str | None) -> None:
    """The board of this game has these corners in the pictures of this source; None: it is not watched by them. Raises
    `ConfigError`."""
    try:
        kept = read_boards(file) if file.exists() else {}
    except InvalidError:
        kept = {}  # whoever says it anew makes it good
    kept[f"{_name(source)}: {game}"] = corners or ""
    told = {"version": BOARDS_VERSION, "boards": {key: corners for key, corners in kept.items() if corners}}
    try:
        write_whole(file, json.dumps(told).encode())
    except OSError as error:
        raise ConfigError(phrase("settings.unwritable", where=str(file), given=str(error.strerror))) from error


def read_boards(file: Path) -> dict[str, str]:
    """All that was kept. Raises `InvalidError` for a file that is none of ours."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        boards = {str(key): str(corners) for key, corners in told["boards"].items()}
        if told["version"] != BOARDS_VERSION or any(len(corners) > MAX_CORNERS for corners in boards.values()):
            raise ValueError
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidError(phrase("board.damaged", where=str(file))) from error
    return boards


def _name(source: SourceConfig) -> str:
    """The source, without what its address may tell of a password."""
    if source.kind == "video":
        return f"video {source.video}"
    camera = str(source.camera)
    return f"camera {host_of(camera)}{urlsplit(camera).path}" if is_address(camera) else f"camera {camera}"
