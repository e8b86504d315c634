"""What the service leaves for root: the wish for another version.

A wish says only which of two things is wanted. From where a version comes stands in root's own config; nothing that a
phone sends, and nothing that the service writes, names it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from companion.errors import InvalidError, phrase

WISH_NAME: Final = "update.wish"
Wish = Literal["update", "back"]


def leave_wish(folder: Path, wish: Wish) -> None:
    """Asks root for it. Raises `InvalidError` when the state folder takes nothing."""
    try:
        (folder / WISH_NAME).write_text(wish, encoding="ascii")
    except OSError as error:
        raise InvalidError(phrase("box.no_wish", where=str(folder), given=error.strerror or "")) from error
