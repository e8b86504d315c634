"""Options and set-ups of Crate Wars: reading, checking, dealing (CW 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from random import Random

from companion.engine import Json, form
from companion.errors import IllegalError, Phrase, phrase
from companion.games.crate_wars.scoring import kind_for
from companion.games.crate_wars.state import COLOUR_PLAYER, SHAPE_PLAYER, Drinks, State, Terms
from companion.table import SHAPES, Drink, all_drinks, seat_phrase

OF_EACH_KIND = 3
"""A player holds three drinks of each own card."""

Column = tuple[int, ...]
"""How many drinks of each shape the colour player still needs, by shape."""


def read_options(given: Mapping[str, Json]) -> Mapping[str, Json]:
    """`points`: `"local"` (default) or `"global"` (CW 4.3)."""
    found = form.fields(given, "options", (), ("points",))
    return {"points": form.one_of(found.get("points", "local"), "options.points", ("local", "global"))}


def read_setup(given: Json, colours: Sequence[str]) -> Json:
    """The set-up, checked whole; lists keep their order."""
    found = form.fields(given, "setup", ("colour_cards", "shape_cards", "supplies", "first"))
    return {
        "colour_cards": _read_cards(found["colour_cards"], "setup.colour_cards", colours),
        "shape_cards": _read_cards(found["shape_cards"], "setup.shape_cards", SHAPES),
        "supplies": _read_supplies(found["supplies"], colours),
        "first": form.whole(found["first"], "setup.first", 0, 1),
    }


def _read_cards(given: Json, where: str, kinds: Sequence[str]) -> list[str]:
    read = [form.one_of(each, f"{where}[{i}]", kinds) for i, each in enumerate(form.items(given, where, 6))]
    _check_once(read, where, "CW 1.3")
    return read


def _read_supplies(given: Json, colours: Sequence[str]) -> list[list[Drink]]:
    where = "setup.supplies"
    drink = partial(form.drink, colours=colours)
    supplies = [
        [drink(each, f"{where}[{seat}][{i}]") for i, each in enumerate(form.items(supply, f"{where}[{seat}]"))]
        for seat, supply in enumerate(form.items(given, where, 2))
    ]
    _check_once(supplies[0] + supplies[1], where, "CW 1.4")
    for seat, supply in enumerate(supplies):
        kinds = colours if seat == COLOUR_PLAYER else SHAPES
        counts = Counter(kind_for(seat, each) for each in supply)
        for kind in kinds:
            if counts[kind] != OF_EACH_KIND:
                reason = phrase("cw.no.three_of_each", where=f"{where}[{seat}]", kind=kind, number=counts[kind])
                raise IllegalError("CW 1.4", reason)
    return supplies


def _check_once(values: Sequence[str], where: str, rule: str) -> None:
    for each, count in Counter(values).items():
        if count > 1:
            raise IllegalError(rule, phrase("cw.no.set_up_twice", where=where, what=each))


def deal(colours: Sequence[str], rng: Random) -> Json:
    """A random set-up; each of the 297,200 ways to share the drinks is equally likely (CW 1.5)."""
    shapes_of = _deal_shapes(rng)
    first = {
        f"{colour}/{SHAPES[shape]}" for colour, shapes in zip(colours, shapes_of) for shape in shapes
    }
    return {
        "colour_cards": rng.sample(list(colours), 6),
        "shape_cards": rng.sample(SHAPES, 6),
        "supplies": [sorted(first), sorted(set(all_drinks(colours)) - first)],
        "first": rng.randrange(2),
    }


def _deal_shapes(rng: Random) -> list[Column]:
    """For each colour the three shapes (0 … 5) of it that the colour player gets, every possible deal alike likely."""
    needs: Column = (OF_EACH_KIND,) * 6
    dealt = []
    for rows_left in range(5, -1, -1):
        ways = [(shapes, _less(needs, shapes)) for shapes in combinations(range(6), OF_EACH_KIND)]
        weights = [deals(rows_left, tuple(sorted(left))) for _, left in ways]
        shapes, needs = rng.choices(ways, weights)[0]
        dealt.append(shapes)
    return dealt


@cache
def deals(rows: int, needs: Column) -> int:
    """In how many ways this many colours, three shapes each, give each shape as often as it is needed."""
    if min(needs) < 0:
        return 0
    if rows == 0:
        return int(not any(needs))
    return sum(
        deals(rows - 1, tuple(sorted(_less(needs, shapes)))) for shapes in combinations(range(6), OF_EACH_KIND)
    )


def _less(needs: Column, shapes: Sequence[int]) -> Column:
    return tuple(need - (shape in shapes) for shape, need in enumerate(needs))


def start(setup: Json, options: Mapping[str, Json]) -> State:
    """The state before the first ply."""
    empty: tuple[Drinks, ...] = ((),) * 6
    cards = (tuple(setup["colour_cards"]), tuple(setup["shape_cards"]))
    first, second = (tuple(sorted(supply)) for supply in setup["supplies"])
    return State(Terms(cards, options["points"] == "global"), setup["first"], (first, second), (empty, empty))


def instructions(setup: Json) -> tuple[Phrase, ...]:
    """How to lay the table: the cards from left to right, and which drinks each player takes (CW 1.5)."""
    steps = [
        phrase("cw.lay_cards", seat=seat_phrase(seat), cards=tuple(setup[key]))
        for seat, key in ((COLOUR_PLAYER, "colour_cards"), (SHAPE_PLAYER, "shape_cards"))
    ]
    for seat, supply in enumerate(setup["supplies"]):
        groups: dict[str, list[str]] = {}
        for drink in supply:
            kind = kind_for(seat, drink)
            groups.setdefault(kind, []).append(kind_for(1 - seat, drink))
        steps += [
            phrase("cw.take", seat=seat_phrase(seat), kind=kind, what=tuple(what)) for kind, what in groups.items()
        ]
    return tuple(steps)
