"""From what stands on the table back to the set-up: one shape a crate, six colours in each (YT 1.3).

In a set-up that was read the crates are lettered from the front left, row by row, and none is turned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import inf
from typing import Final

from companion.engine import Json, OpenPart, SetupPath
from companion.engine.assignment import FORBIDDEN_NATS, linear_assignment
from companion.engine.recognise import UNKNOWN_NATS, NameCosts, drinks_margin_nats, open_parts, settled
from companion.games.yuzu_twist.setup import COLOURS_EACH
from companion.games.yuzu_twist.state import LETTERS, SLOTS, START_CELLS, slots_of
from companion.table import EMPTY, SHAPES, Drink, Spot, colour_of, shape_of

COLOURS_TELL: Final = 3.0
"""By so much more than eyes say colours tell which drink of a crate is which: all have one shape and stand in the same
light, and what that does to one it does to the others. Single cans in slots are taken for another colour (18 of 246
that were read anew at three tables); of 718 pairs of like colours in the crates of eight tables none looked
exchanged, though 120 differed by less than two nats."""

SHAPES_TELL: Final = 1 / 3
"""By so much less than eyes say all drinks of a crate tell what shape they have: what makes one look lower than it is
makes six look so. Under one bulb six bottles were the other kind by 31 nats, and are not."""

_SLOT_SPOTS: Final[Mapping[str, Sequence[Spot]]] = {
    letter: [f"slot:{x},{y}" for x, y in slots_of(cell)] for letter, cell in zip(LETTERS, START_CELLS)
}


def setup_seen(costs: Mapping[Spot, Sequence[NameCosts]], colours: Sequence[str], players: int) -> Json:
    """The set-up as crates and stock cards show it, with null for what cannot be settled, and for who begins."""
    drinks = _drinks([[_at(costs, spot) for spot in _SLOT_SPOTS[letter]] for letter in LETTERS], colours)
    return {
        "crates": {
            letter: {"cell": list(cell), "turned": False, "slots": slots}
            for letter, cell, slots in zip(LETTERS, START_CELLS, drinks)
        },
        "colours": _colours(costs, colours, players),
        "first": None,
    }


def _at(costs: Mapping[Spot, Sequence[NameCosts]], spot: Spot) -> NameCosts:
    return next(iter(costs.get(spot, ())), {})


# --- drinks -----------------------------------------------------------------------------------------------------------


def _drinks(crates: list[list[NameCosts]], colours: Sequence[str]) -> list[list[Drink | None]]:
    """The drink of each slot in the likeliest way to give each crate one shape and each slot of it one colour; None
    where another drink is nearly as likely."""
    tables = [[_prices(crate, shape, colours) for shape in SHAPES] for crate in crates]
    filled = [[linear_assignment(table) for table in of_crate] for of_crate in tables]
    prices = [[least for least, _ in of_crate] for of_crate in filled]
    least, shapes = linear_assignment(prices)
    margin = drinks_margin_nats(least, len(crates) * SLOTS)
    answers: list[list[Drink | None]] = []
    for crate, shape in enumerate(shapes):
        _, columns = filled[crate][shape]
        other_shape = _with(prices, crate, shape, FORBIDDEN_NATS) - least
        answers.append([])
        for slot, column in enumerate(columns):
            table = [row[:] for row in tables[crate][shape]]
            table[slot][column] = FORBIDDEN_NATS
            other_colour = _with(prices, crate, shape, linear_assignment(table)[0]) - least
            is_settled = min(SHAPES_TELL * other_shape, COLOURS_TELL * other_colour) >= margin
            answers[-1].append(f"{colours[column]}/{SHAPES[shape]}" if is_settled else None)
    return answers


def _prices(crate: list[NameCosts], shape: str, colours: Sequence[str]) -> list[list[float]]:
    """(slots, colours) the cost of each drink of a shape in each slot."""
    return [[slot.get(f"{colour}/{shape}", UNKNOWN_NATS) for colour in colours] for slot in crate]


def _with(prices: list[list[float]], crate: int, shape: int, price: float) -> float:
    """The least total of all crates if this one with this shape had another price."""
    changed = [row[:] for row in prices]
    changed[crate][shape] = price
    return linear_assignment(changed)[0]


# --- stock cards ------------------------------------------------------------------------------------------------------


def _colours(costs: Mapping[Spot, Sequence[NameCosts]], colours: Sequence[str], players: int) -> list[list[str | None]]:
    """Each seat's colours by its stock cards; a seat that shows another number of cards is left open."""
    each = COLOURS_EACH[players]
    seats = range(players)
    cards = [[thing for thing in costs.get(f"cards:{seat}", ()) if thing.get(EMPTY, inf) > 0] for seat in seats]
    whole = [seat for seat, found in enumerate(cards) if len(found) == each]
    names = settled([thing for seat in whole for thing in cards[seat]], {f"card:{colour}": 1 for colour in colours})
    own = [name if name is None else name.removeprefix("card:") for name in names]
    owned: list[list[str | None]] = [[None] * each for _ in seats]
    for i, seat in enumerate(whole):
        found = own[i * each : (i + 1) * each]
        owned[seat] = [*sorted(colour for colour in found if colour), *(None for colour in found if colour is None)]
    return owned


# --- what is open -----------------------------------------------------------------------------------------------------


def setup_open(setup: Json, colours: Sequence[str]) -> Sequence[OpenPart]:
    """What is not settled: drinks that can still be in a slot, colours that no seat has yet, who begins."""
    slots = {letter: crate["slots"] for letter, crate in setup["crates"].items()}
    shapes = {letter: {shape_of(drink) for drink in own if drink} for letter, own in slots.items()}
    owned = {colour for own in setup["colours"] for colour in own}

    def choices(path: SetupPath) -> tuple[Spot | None, list[Json]]:
        match path:
            case ("crates", str(letter), "slots", int(slot)):
                free = [shape for shape in SHAPES if not any(shape in each for each in shapes.values())]
                used = {colour_of(drink) for drink in slots[letter] if drink}
                left = [colour for colour in colours if colour not in used]
                drinks = product(shapes[letter] or free, left)
                return _SLOT_SPOTS[letter][slot], [f"{colour}/{shape}" for shape, colour in drinks]
            case ("colours", int(seat), int()):
                return f"cards:{seat}", [colour for colour in colours if colour not in owned]
        return None, list(range(len(setup["colours"])))

    return open_parts(setup, choices)


def setup_parts(setup: Json) -> Mapping[SetupPath, Json]:
    """Each drink by cell and slot of the table, each colour that a seat owns."""
    parts: dict[SetupPath, Json] = {}
    for crate in setup["crates"].values():
        slots = crate["slots"][::-1] if crate["turned"] else crate["slots"]
        parts |= {("slot", *crate["cell"], slot): slots[slot] for slot in range(SLOTS) if slots[slot] is not None}
    owners = {colour: seat for seat, own in enumerate(setup["colours"]) for colour in own if colour is not None}
    return parts | {("colour", colour): seat for colour, seat in owners.items()}
