"""Actions to JSON and back, from their dataclasses alone.

An action is a frozen dataclass that names its `type`; its fields are the keys, in the order of the export:

    @dataclass(frozen=True, slots=True)
    class Move:
        type: ClassVar[str] = "move"
        from_: Cell                      # the key "from": a trailing underscore is dropped
        to: Cell
        drinks: tuple[Drink, ...] = ()   # a list; tuple[int, int] is a list of two
        coin: str | None = None          # optional: left out when None

        def canonical(self) -> Move:     # optional: the exported spelling of what was read

Annotations and what they take:

| annotation                    | JSON                                                                 |
|-------------------------------|----------------------------------------------------------------------|
| `int`, `str`, `bool`          | exactly that; `true` and `1.0` are not integers                      |
| `Literal["top", "bottom"]`    | one of these texts                                                   |
| `tuple[T, ...]`, `tuple[T, U]`| a list; its length is checked where it is fixed                      |
| `T \\| None = None`            | the key may be left out (`null` is refused)                          |
| `Cell`, `Drink`               | `a1` … `f6`; a drink of the piece set's colours                      |
| `Annotated[T, "name"]`        | what the `kinds` that the game gives its codec say under that name   |

A tuple field with a default may be left out as well, and is left out when it has its default value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass
from dataclasses import fields as dataclass_fields
from functools import partial
from types import NoneType, UnionType
from typing import (
    Annotated, Any, ClassVar, Generic, Literal, Protocol, Self, TypeVar, Union, get_args, get_origin, get_type_hints,
    runtime_checkable,
)

from companion.engine import form
from companion.engine.form import FieldReader
from companion.engine.values import Choose, Json
from companion.errors import InvalidError, phrase
from companion.table import COLOURS

Cell = Annotated[str, "cell"]
"""A cell of a 6×6 grid, `a1` … `f6`."""


class Typed(Protocol):
    """An action, as far as a codec must know it."""

    type: ClassVar[str]
    """The value of its key `type`."""


A = TypeVar("A", bound=Typed)


def _same(value: Any) -> Json:
    return value


@runtime_checkable
class _Respelled(Protocol):
    """An action that may be given in several spellings."""

    def canonical(self) -> Self:
        """The exported one."""


@dataclass(frozen=True, slots=True)
class ValueKind:
    """How a value is read from JSON, and how it is written."""

    read: FieldReader
    write: Callable[[Any], Json] = _same


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    key: str
    kind: ValueKind
    default: Any
    """`MISSING` where the key is needed."""


class Codec(Generic[A]):
    """Reads and writes the actions of one game, of which `A` is the union.

    `classes` are its actions, `kinds` its own named kinds of values, `colours` those of the piece set in use.
    """

    def __init__(
        self, classes: Iterable[type[A]], kinds: Mapping[str, ValueKind] | None = None, colours: Iterable[str] = COLOURS
    ) -> None:
        named = {
            "cell": ValueKind(form.cell),
            "drink": ValueKind(partial(form.drink, colours=tuple(colours))),
            **(kinds or {}),
        }
        self._classes = {each.type: each for each in classes}
        self._respell: dict[str, Callable[[A], A]] = {each.type: _respelling(each) for each in self._classes.values()}
        self._fields = {each.type: tuple(_fields_of(each, named)) for each in self._classes.values()}

    def read(self, given: Json, where: str = "action") -> A:
        """The action that the JSON object names, in its exported spelling; raises `InvalidError`."""
        type_ = form.one_of(form.fields(given, where, ["type"], given)["type"], f"{where}.type", self._classes)
        fields = self._fields[type_]
        needed = ["type", *(each.key for each in fields if each.default is MISSING)]
        found = form.fields(given, where, needed, [each.key for each in fields])
        values = {
            each.name: each.kind.read(found[each.key], f"{where}.{each.key}") for each in fields if each.key in found
        }
        action = self._classes[type_](**values)
        return self._respell[type_](action)

    def write(self, action: A | Choose) -> dict[str, Json]:
        """The exported JSON of an action or a `Choose`."""
        if isinstance(action, Choose):
            return {
                "type": action.type, **_jsonable(dict(action.rest)), "choose": action.number, "from": list(action.among)
            }
        written: dict[str, Json] = {"type": action.type}
        for each in self._fields[action.type]:
            value = getattr(action, each.name)
            if each.default is MISSING or value != each.default:
                written[each.key] = each.kind.write(value)
        return written


def in_order(values: Iterable[str], where: str) -> tuple[str, ...]:
    """The values in alphabetical order, for `canonical`; raises `InvalidError` when one is named twice."""
    return tuple(form.distinct(sorted(values), where))


def whole_between(least: int, most: int) -> ValueKind:
    """A kind for `Annotated[int, …]`: integers within these bounds."""
    return ValueKind(partial(form.whole, least=least, most=most))


def among(allowed: Iterable[str]) -> ValueKind:
    """A kind for `Annotated[str, …]`: one of these texts."""
    return ValueKind(partial(form.one_of, allowed=tuple(allowed)))


def _respelling(action: type[Any]) -> Callable[[Any], Any]:
    """Brings an action of this class into its exported spelling."""
    return action.canonical if issubclass(action, _Respelled) else _same


def _fields_of(action: type[Any], named: Mapping[str, ValueKind]) -> Iterable[_Field]:
    hints = get_type_hints(action, include_extras=True)
    for each in dataclass_fields(action):
        yield _Field(each.name, each.name.rstrip("_"), _kind(hints[each.name], named), each.default)


def _kind(hint: Any, named: Mapping[str, ValueKind]) -> ValueKind:
    """The kind of an annotation; raises `TypeError` for one that the table above does not have."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return named[args[1]]
    if origin in (Union, UnionType):
        return _kind_of_option(args, named)
    if origin is Literal:
        return among(args)
    if origin is tuple:
        return _kind_of_tuple(args, named)
    if hint in _PLAIN:
        return _PLAIN[hint]
    raise TypeError(f"a codec does not know {hint}")


_PLAIN: Mapping[Any, ValueKind] = {int: ValueKind(form.whole), str: ValueKind(form.text), bool: ValueKind(form.truth)}


def _kind_of_option(args: tuple[Any, ...], named: Mapping[str, ValueKind]) -> ValueKind:
    """`T | None`: what is given must be a `T`. More than one `T`: the first that takes it."""
    kinds = [_kind(each, named) for each in args if each is not NoneType]
    if len(kinds) == 1:
        return kinds[0]

    def read(given: Json, where: str) -> Any:
        for kind in kinds[:-1]:
            try:
                return kind.read(given, where)
            except InvalidError:
                continue
        return kinds[-1].read(given, where)

    return ValueKind(read, _jsonable)


def _kind_of_tuple(args: tuple[Any, ...], named: Mapping[str, ValueKind]) -> ValueKind:
    if len(args) == 2 and args[1] is Ellipsis:
        every = _kind(args[0], named)

        def read_all(given: Json, where: str) -> tuple[Any, ...]:
            return tuple(every.read(each, f"{where}[{i}]") for i, each in enumerate(form.items(given, where)))

        return ValueKind(read_all, lambda value: [every.write(each) for each in value])
    kinds = [_kind(each, named) for each in args]

    def read_each(given: Json, where: str) -> tuple[Any, ...]:
        found = form.items(given, where, len(kinds))
        return tuple(kind.read(each, f"{where}[{i}]") for i, (kind, each) in enumerate(zip(kinds, found)))

    return ValueKind(read_each, lambda value: [kind.write(each) for kind, each in zip(kinds, value)])


def _jsonable(value: Any) -> Any:
    """Tuples as lists, all the way down."""
    if isinstance(value, tuple):
        return [_jsonable(each) for each in value]
    return {key: _jsonable(each) for key, each in value.items()} if isinstance(value, dict) else value


def by_seat(kind: ValueKind) -> ValueKind:
    """A kind for `Annotated[tuple[T, ...], …]`: the object `{"0": T, "1": T, …}`, each seat in turn."""

    def read(given: Json, where: str) -> tuple[Any, ...]:
        found = form.mapping(given, where)
        if sorted(found) != [str(seat) for seat in range(len(found))]:
            raise InvalidError(phrase("json.seats", where=where))
        return tuple(kind.read(found[str(seat)], f"{where}.{seat}") for seat in range(len(found)))

    return ValueKind(read, lambda value: {str(seat): kind.write(each) for seat, each in enumerate(value)})


def list_of(kind: ValueKind) -> ValueKind:
    """A kind for a list of such values."""
    return _kind_of_tuple((Annotated[Any, "each"], Ellipsis), {"each": kind})
