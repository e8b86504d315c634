"""Numbers that came with a request: anything may stand where a number should."""

from __future__ import annotations

from typing import Final

MAX_DIGITS: Final = 6
"""No number that a page asks for is longer."""


def whole_of(text: str) -> int | None:
    """The whole number that a text of plain digits says; None for anything else, such as `²`, `-1` or nothing."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else None
