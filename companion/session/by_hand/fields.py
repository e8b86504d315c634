"""A written action taken apart: its values by name, and how the names of spots tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine import Json
from companion.table import Layout, Spot

Parts = tuple[str, ...]
FieldPath = tuple[str, ...]
"""Keys that lead to a value of an action."""


@dataclass(frozen=True, slots=True)
class ActionFields:
    """The values of an action: `scalars` (a coordinate counts as one), and `lists` of things of which there may be any
    number. `shape` tells actions apart that have other keys."""

    type: str
    scalars: Mapping[FieldPath, Json]
    lists: Mapping[FieldPath, Parts]

    @property
    def shape(self) -> tuple[str, ...]:
        """The type and the names of all values."""
        return (self.type, *sorted(".".join(path) for path in (*self.scalars, *self.lists)))


def fields_of(written: Mapping[str, Json]) -> ActionFields:
    """The values of an action as records write it."""
    scalars: dict[FieldPath, Json] = {}
    lists: dict[FieldPath, Parts] = {}
    for path, value in _leaves(written, ()):
        if path == ("type",):
            continue
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            lists[path] = tuple(value)
        else:
            scalars[path] = value
    return ActionFields(str(written.get("type", "")), scalars, lists)


def with_value(written: Mapping[str, Json], path: FieldPath, value: Json) -> dict[str, Json]:
    """The action with another value there."""
    head, *rest = path
    return {**written, head: with_value(written[head], tuple(rest), value) if rest else value}


def parts_of(value: Json) -> Parts:
    """A value as names of spots spell it: `"c4"` is c4, `[-1, 2]` is -1 and 2. A yes or no names nothing."""
    if isinstance(value, bool) or value is None:
        return ()
    if isinstance(value, list):
        return tuple(str(each) for each in value)
    return (str(value),)


def value_of(parts: Parts, like: Json) -> Json | None:
    """The value of the same kind as `like` that these parts spell; None when they spell none."""
    if isinstance(like, list):
        found = [value_of((part,), each) for part, each in zip(parts, like)]
        return None if len(parts) != len(like) or None in found else found
    if isinstance(like, int):
        text = parts[0]
        return int(text) if text.removeprefix("-").isdigit() else None
    return parts[0]


def spelled(spot: Spot) -> tuple[str, Parts]:
    """The head of a spot's name, and its parts: `slot:0,-1` is slot, 0 and -1."""
    head, _, rest = spot.partition(":")
    return head, tuple(rest.replace(",", ":").split(":")) if rest else ()


@dataclass(frozen=True, slots=True)
class SpotFamily:
    """Spots whose names differ in one run of parts, `size` long from `start` on: `grid:a1`, `grid:a2` …"""

    head: str
    start: int
    size: int
    rest: Parts

    def value_in(self, spot: Spot) -> Parts | None:
        """What stands in the run of a spot of this family; None for other spots."""
        head, parts = spelled(spot)
        if head != self.head or parts[: self.start] + parts[self.start + self.size:] != self.rest:
            return None
        run = parts[self.start: self.start + self.size]
        return run if len(run) == self.size else None


def families_of(spot: Spot, value: Parts) -> Iterator[SpotFamily]:
    """The families in which this spot stands for this value."""
    head, parts = spelled(spot)
    size = len(value)
    for start in range(len(parts) - size + 1):
        if size and parts[start: start + size] == value:
            yield SpotFamily(head, start, size, parts[:start] + parts[start + size:])


def members(family: SpotFamily, layout: Layout) -> dict[Parts, Spot]:
    """The spots of a family by what stands in their run."""
    spots = [*(place.spot for place in layout.places), *(zone.spot for zone in layout.zones)]
    return {run: spot for spot in spots if (run := family.value_in(spot)) is not None}


def _leaves(value: Any, path: FieldPath) -> Iterator[tuple[FieldPath, Json]]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _leaves(each, (*path, str(key)))
    else:
        yield path, value
