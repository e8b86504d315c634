"""What the service leaves for root: the wish for another version, and what root told of it.

A wish says only which of two things is wanted. From where a version comes stands in root's own config; nothing that a
phone sends, and nothing that the service writes, names it.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from companion.box.versions import write_file
from companion.errors import InvalidError, Phrase, phrase

WISH_NAME: Final = "update.wish"
WISHES: Final = ("update", "back")
Wish = Literal["update", "back"]
MAX_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class Told:
    """How the last update went: `is` one of running, done, back, failed; `what` says it; `serial` counts updates."""

    is_: str = ""
    what: Phrase | None = None
    serial: int = 0


def leave_wish(folder: Path, wish: Wish) -> None:
    """Asks root for it. Raises `InvalidError` when the state folder takes nothing."""
    try:
        (folder / WISH_NAME).write_text(wish, encoding="ascii")
    except OSError as error:
        raise InvalidError(phrase("box.no_wish", where=str(folder), given=error.strerror or "")) from error


def take_wish(folder: Path) -> Wish | None:
    """What is wished, and the wish is gone. For root: the folder is another user's, so that no link is followed."""
    wished = ""
    with suppress(OSError):
        number = os.open(folder / WISH_NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(number, "rb") as file:
            wished = file.read(MAX_BYTES).decode("ascii", "replace").strip()
    with suppress(OSError):
        (folder / WISH_NAME).unlink()
    return next((each for each in WISHES if each == wished), None)


def read_told(file: Path) -> Told:
    """What root told of the last update; nothing where there was none."""
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
        given: dict[str, Any] = json.loads(file.read_bytes())
        args = {str(key): str(each) for key, each in given["args"].items()}
        return Told(str(given["is"]), phrase(str(given["id"]), **args), int(given["serial"]))
    return Told()


def write_told(file: Path, what: str, said: Phrase, anew: bool) -> Phrase:
    """Keeps it where the pages find it; `anew`: it is another deed than the one told of last. Raises `OSError`."""
    serial = read_told(file).serial + anew
    args = {key: _plain(each) for key, each in said.args}
    file.parent.mkdir(parents=True, exist_ok=True)
    given = {"is": what, "id": said.id, "args": args, "serial": serial}
    write_file(file, json.dumps(given).encode(), 0o644)
    return said


def _plain(arg: object) -> str:
    """An argument as a text; a phrase by its words."""
    from companion.words import load

    return load().say(arg) if isinstance(arg, Phrase) else str(arg)
