"""The same game again by the same players, each a seat further on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, TypeVar

from companion.engine import AnyGame
from companion.session.pace import CLOCKS
from companion.session.projection import HINTS
from companion.session.rights import HOST_CORRECTS
from web.start import header, start_form

KEPT_NOTES: Final = (HINTS, CLOCKS, HOST_CORRECTS)

T = TypeVar("T")


def again_turned(
    game: AnyGame, last: Mapping[str, Any], piece_colours: Sequence[str], rng: Random, *, seen: bool = False,
    nameless: Sequence[str] = (),
) -> dict[str, Any]:
    """The header of a game after the one of the header `last`: everybody sits a seat further on, and keeps the colour
    of the own drinks where each has one; rules stay as they were agreed, all else is dealt by `rng`. `seen`: the
    set-up is what the table shows. `nameless` is what each seat is called where nobody said a name: that stays."""
    names = [nameless[seat] if name in nameless and seat < len(nameless) else name
             for seat, name in enumerate(_turned([str(each["name"]) for each in last["players"]]))]
    offer = {
        "game": game.id, "options": last.get("options") or {}, "players": [{"name": name} for name in names],
        "setup": {key: _turned(value) for key, value in last["setup"].items()
                  if _is_one_each(value, len(names), piece_colours)},
    }  # fmt: skip
    form = start_form(game, {}, offer, piece_colours, str, rng)  # everybody has a name
    notes = {key: last[key] for key in KEPT_NOTES if key in last}
    return {**header(form, seen), **notes, "options": offer["options"]}


def _turned(each: Sequence[T]) -> list[T]:
    return [*each[-1:], *each[:-1]]


def _is_one_each(value: Any, count: int, colours: Sequence[str]) -> bool:
    """Whether it is a colour for each seat."""
    return isinstance(value, (list, tuple)) and len(value) == count and all(
        isinstance(each, str) and each in colours for each in value)
