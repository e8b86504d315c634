"""Touches: what a person says of a ply, one thing at a time, and how addresses spell it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.session.by_hand.fields import FieldPath
from companion.session.by_hand.handles import Handle


@dataclass(frozen=True, slots=True)
class Pick:
    """Something asked in words: the value at `path` is `text` (empty: there is none), a thing of the list there; or,
    with neither, the `n`th ply."""

    path: FieldPath = ()
    text: str = ""
    n: int = -1


Touch = Handle | Pick


def write_touch(touch: Touch) -> str:
    """A touch as addresses spell it."""
    if isinstance(touch, Handle):
        return f"@{touch.spot}|{touch.piece}"
    return f"#{touch.n}" if touch.n >= 0 else f"{'.'.join(touch.path)}={touch.text}"


def read_touch(spelled: str) -> Touch | None:
    """The touch of an address; None for anything else."""
    if spelled.startswith("@"):
        spot, _, piece = spelled[1:].partition("|")
        return Handle(spot, piece)
    if spelled.startswith("#"):
        number = spelled[1:]
        return Pick(n=int(number)) if number.isascii() and number.isdigit() and len(number) < 6 else None
    path, equals, text = spelled.partition("=")
    return Pick(tuple(path.split(".")), text) if equals else None
