"""Is a JSON value of the right form? Strict readers for actions, set-ups, options and headers.

Each takes the value and `where` it stands ("action.to"), gives it back with its type known, and raises `InvalidError`
with the place and the reason otherwise. `true` is not an integer, nor is `1.0`. Keys beginning with `x-` are other
people's: never looked at here; records keep them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Final, NoReturn, TypeVar

from companion.engine.values import Json
from companion.errors import InvalidError, Phrase, phrase
from companion.table import SHAPES

FieldReader = Callable[[Json, str], Json]
"""Takes a value and where it stands, gives what was read."""

T = TypeVar("T", bound=Hashable)

CELLS: Final = tuple(f"{column}{row}" for row in range(1, 7) for column in "abcdef")
"""The 36 cells of a 6×6 grid, front row first: a1, b1 … f6."""

_CELL_SET: Final = frozenset(CELLS)


def brief(given: Json) -> str:
    """A value as a short text for a message, safe for any depth, length or letter."""
    if isinstance(given, Mapping):
        return "{…}" if given else "{}"
    if isinstance(given, list | tuple):
        return "[…]" if given else "[]"
    shown = json.dumps(given, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    return shown if len(shown) <= 40 else f"{shown[:39]}…"


def wrong(want: Phrase, given: Json, where: str) -> NoReturn:
    """Raises: at `where` stands `given`, but `want` is asked."""
    raise InvalidError(phrase("json.wrong", where=where, want=want, given=brief(given)))


def mapping(given: Json, where: str) -> Mapping[str, Json]:
    """An object, with whatever keys."""
    return given if isinstance(given, Mapping) else wrong(phrase("json.object"), given, where)


def fields(given: Json, where: str, needed: Collection[str], optional: Collection[str] = ()) -> dict[str, Json]:
    """An object with all the needed keys and no others but the optional ones; `x-` keys are left out."""
    found = {key: value for key, value in mapping(given, where).items() if not key.startswith("x-")}
    for key in found:
        if key not in needed and key not in optional:
            raise InvalidError(phrase("json.unknown_key", where=where, key=brief(key)))
    for key in needed:
        if key not in found:
            raise InvalidError(phrase("json.missing_key", where=where, key=brief(key)))
    return found


def items(given: Json, where: str, count: int | None = None) -> Sequence[Json]:
    """A list, of `count` values if that is given."""
    if not isinstance(given, list | tuple):
        wrong(phrase("json.list"), given, where)
    if count is not None and len(given) != count:
        raise InvalidError(phrase("json.count", where=where, want=count, given=len(given)))
    return given


def whole(given: Json, where: str, least: int | None = None, most: int | None = None) -> int:
    """An integer, within the bounds if they are given."""
    if type(given) is not int:
        wrong(phrase("json.whole"), given, where)
    if (least is not None and given < least) or (most is not None and given > most):
        if most is None:
            wrong(phrase("json.from", least=least or 0), given, where)
        wrong(phrase("json.range", least=least or 0, most=most), given, where)
    return given


def real(given: Json, where: str, least: float, most: float, want: Phrase | None = None) -> float:
    """A number within the bounds, whole or not; `want` says so."""
    if type(given) not in (int, float) or not least <= given <= most:
        wrong(want or phrase("json.between", least=least, most=most), given, where)
    return given if isinstance(given, float) else int(given)


def truth(given: Json, where: str) -> bool:
    """`true` or `false`."""
    return given if isinstance(given, bool) else wrong(phrase("json.truth"), given, where)


def text(given: Json, where: str) -> str:
    """A text."""
    return given if isinstance(given, str) else wrong(phrase("json.text"), given, where)


def one_of(given: Json, where: str, allowed: Collection[str]) -> str:
    """One of the texts that are allowed."""
    if text(given, where) not in allowed:
        shown = tuple(phrase("json.literal", given=each) for each in allowed)
        wrong(phrase("json.one_of", allowed=shown), given, where)
    return str(given)


def cell(given: Json, where: str) -> str:
    """A cell of a 6×6 grid: `a1` … `f6`."""
    return str(given) if text(given, where) in _CELL_SET else wrong(phrase("json.cell"), given, where)


def drink(given: Json, where: str, colours: Collection[str]) -> str:
    """A drink, `COLOUR/SHAPE`, of one of these colours."""
    colour, _, shape = text(given, where).partition("/")
    if shape not in SHAPES or not colour:
        wrong(phrase("json.drink"), given, where)
    if colour not in colours:
        raise InvalidError(phrase("json.colour", where=where, given=brief(colour)))
    return str(given)


def distinct(given: Sequence[T], where: str) -> Sequence[T]:
    """The values, if none stands there twice."""
    for index, each in enumerate(given):
        if each in given[:index]:
            raise InvalidError(phrase("json.twice", where=where, given=brief(each)))
    return given
