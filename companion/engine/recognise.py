"""Set-ups from what the table shows: names given to things all at once, and what stays open for a person to say.

    names = settled(things, {"tray:1": 10, "tray:2": 8})     # None where the pictures do not settle it
    parts = open_parts(setup, choices)                    # each None of a set-up, with what it may be
    costs = with_told(costs, [("card:0:1", "red")])       # what people said of spots, for all to be decided anew
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from companion.engine.assignment import FORBIDDEN_NATS, linear_assignment
from companion.engine.values import Json, OpenPart, SetupPath
from companion.table import Appearance, Spot

NameCosts = Mapping[Appearance, float]
"""What a thing may be, with its costs in nats; 0 for the likeliest."""

SETTLED_NATS: Final = 9.0
"""Something is settled when every other way to read the table is eight thousand times less likely: as much as
contradicts a place during a game. What is left open is confirmed once; what is settled wrongly spoils the game."""
BORNE_OUT_NATS: Final = 0.4
"""What a thing may cost on average in the likeliest way, if the costs are honest: of cards, coins and trays all names
were free at fifteen tables, and 0.9 and 1.0 nats dear at one where shadows lay across cards, of which one was told
wrongly."""
DRINKS_SETTLED_NATS: Final = 6.0
DRINKS_BORNE_OUT_NATS: Final = 0.25
"""The same of many drinks that are decided together: one in four hundred, for rules that tie a whole table leave little
room for chance, and a quarter of a nat, for 0.21 was the most that a drink cost at fourteen tables that were told
rightly, and 0.65 at one that was not."""
UNKNOWN_NATS: Final = 15.0
"""The cost of what the eyes did not think of."""
RULED_OUT_NATS: Final = 1000.0
"""The cost of what people said is not so."""


def open_parts(setup: Json, choices: Callable[[SetupPath], tuple[Spot | None, Iterable[Json]]]) -> tuple[OpenPart, ...]:
    """Every None of a set-up; `choices` gives the spot of a path and what may stand there."""
    found = ((path, *choices(path)) for path, value in leaves(setup) if value is None)
    return tuple(OpenPart(path, spot, tuple(values)) for path, spot, values in found)


def filled(setup: Json, path: SetupPath, value: Json) -> Json:
    """The set-up with another value at `path`; the one that is given stays as it was."""
    if not path:
        return value
    key, rest = path[0], path[1:]
    if isinstance(setup, list):
        return [filled(each, rest, value) if i == key else each for i, each in enumerate(setup)]
    return {**setup, key: filled(setup[key], rest, value)}


def leaves(value: Json, path: SetupPath = ()) -> Iterator[tuple[SetupPath, Json]]:
    """The values within lists and objects, with their paths."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield path, value
        return
    for key, each in items:
        yield from leaves(each, (*path, key))


def margin_nats(
    least: float, things: int, settled_nats: float = SETTLED_NATS, borne_out_nats: float = BORNE_OUT_NATS
) -> float:
    """How much dearer every other way must be for a name to be settled, when the likeliest way to name this many
    things costs `least`. Eyes that contradict the rules even then are too sure of themselves by about as much."""
    return settled_nats * max(1.0, least / max(1, things) / borne_out_nats)


def drinks_margin_nats(least: float, drinks: int) -> float:
    """The same of drinks that are decided together."""
    return margin_nats(least, drinks, DRINKS_SETTLED_NATS, DRINKS_BORNE_OUT_NATS)


def settled(things: Sequence[NameCosts], supply: Mapping[Appearance, int]) -> list[Appearance | None]:
    """The name of each thing in the likeliest way to name them all, each name as often as `supply` has it at most.

    None for a thing that another name would cost less than the margin more, all others decided anew; None for all if
    there are more things than names.
    """
    names = [name for name, count in supply.items() for _ in range(count)]
    if not things or len(things) > len(names):
        return [None] * len(things)
    costs = [[thing.get(name, UNKNOWN_NATS) for name in names] for thing in things]
    least, columns = linear_assignment(costs)
    margin = margin_nats(least, len(things))
    answers: list[Appearance | None] = []
    for row, column in enumerate(columns):
        name = names[column]
        others = [FORBIDDEN_NATS if each == name else cost for each, cost in zip(names, costs[row])]
        second, _ = linear_assignment([*costs[:row], others, *costs[row + 1 :]])
        answers.append(name if second >= least + margin else None)
    return answers


def with_told(
    costs: Mapping[Spot, Sequence[NameCosts]], told: Iterable[tuple[Spot, Json]]
) -> Mapping[Spot, Sequence[NameCosts]]:
    """The costs of things at each spot, when people said of some spots what is there: the only thing at a spot is that;
    of several one is, and so none in another zone of this kind (`supply:0`, `supply:1`)."""
    found = dict(costs)
    for spot, value in told:
        things = found.get(spot, ())
        if len(things) == 1:
            found[spot] = [_only(things[0], value)]
        elif things:
            called = {_is_called(name, value) for thing in things for name in thing}
            is_of_all = None in called and True not in called
            for other in found:
                if other == spot and is_of_all:
                    found[spot] = [_only(thing, value) for thing in things]
                elif other != spot and other.partition(":")[0] == spot.partition(":")[0]:
                    found[other] = [_without(thing, value) for thing in found[other]]
    return found


def _only(thing: NameCosts, value: Json) -> NameCosts:
    """A thing that is called so; as it was, if nothing that it may be is."""
    own = [cost for name, cost in thing.items() if _is_called(name, value) is not False]
    if not own:
        return thing
    return {
        name: RULED_OUT_NATS if _is_called(name, value) is False else cost - min(own) for name, cost in thing.items()
    }


def _without(thing: NameCosts, value: Json) -> NameCosts:
    return {name: cost if _is_called(name, value) is False else RULED_OUT_NATS for name, cost in thing.items()}


def _is_called(name: Appearance, value: Json) -> bool | None:
    """Whether a piece is what a set-up calls `value`: `red/stub_can`, the `red` of `card:red`. None: it is one of
    several that have this colour."""
    if str(value) in (name, name.rpartition(":")[2]):
        return True
    return None if name.partition("/")[0] == str(value) else False
