"""From what stands on the table back to the game: the set-up that the stocks show, the plies that a change suggests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from companion.engine import Json, OpenPart, Ply, SetupPath
from companion.engine.form import CELLS
from companion.engine.recognise import UNKNOWN_NATS, open_parts
from companion.games.kamikaze_cans.state import FUSES
from companion.games.kamikaze_cans.state import State
from companion.games.kamikaze_cans.actions import Action
from companion.games.kamikaze_cans.actions import Explode
from companion.games.kamikaze_cans.actions import Move
from companion.games.kamikaze_cans.actions import Place
from companion.table import SHAPES, Appearance, Drink, Placement, Spot, colour_of, shape_of

COLOUR_NATS = 7.0
"""Colours of stocks are settled when every other way to give them out is a thousand times less likely."""


def setup_seen(
    costs: Mapping[Spot, Sequence[Mapping[Appearance, float]]], colours: Sequence[str], players: int
) -> Json:
    """The set-up as the stocks show it; null for a colour that cannot be settled, and for who begins (KC 1.3).

    `costs` has for each zone its things, each with its costs in nats by appearance, 0 for the likeliest.
    """
    prices = [
        {colour: sum(_price(thing, colour) for thing in costs.get(f"stock:{seat}", ())) for colour in colours}
        for seat in range(players)
    ]
    ways = sorted((sum(p[c] for p, c in zip(prices, way)), way) for way in permutations(colours, players))
    best_cost, best = ways[0]
    near = [way for cost, way in ways if cost < best_cost + COLOUR_NATS]
    settled = [all(way[seat] == best[seat] for way in near) and f"stock:{seat}" in costs for seat in range(players)]
    return {"colours": [colour if sure else None for colour, sure in zip(best, settled)], "first": None}


def _price(thing: Mapping[Appearance, float], colour: str) -> float:
    return min(thing.get(f"{colour}/{shape}", UNKNOWN_NATS) for shape in SHAPES)


def setup_open(setup: Json, colours: Sequence[str]) -> Sequence[OpenPart]:
    """What is not settled: colours that nobody has yet, who begins."""
    free = [colour for colour in colours if colour not in setup["colours"]]

    def choices(path: SetupPath) -> tuple[Spot | None, list[Json]]:
        return (f"stock:{path[1]}", list(free)) if path[0] == "colours" else (None, list(range(len(setup["colours"]))))

    return open_parts(setup, choices)


def setup_parts(setup: Json) -> Mapping[SetupPath, Json]:
    """Each seat's colour."""
    return {("colours", seat): colour for seat, colour in enumerate(setup["colours"]) if colour is not None}


def explain(state: State, placement: Placement) -> Sequence[tuple[Ply[Action], ...]]:
    """The plies that would lead to this placement if the rules allowed them, in turn order from the seat to move."""
    seats = len(state.rules.colours)
    plies = sorted(_suspected(state, placement), key=lambda ply: (int(ply.player) - state.seat) % seats)
    return [tuple(plies)] if plies else []


def _suspected(state: State, placement: Placement) -> Iterator[Ply[Action]]:
    """A placing for each drink that came from a stock, a move for each that changed its cell, an explosion for drinks
    that are gone."""
    seat_of = {colour: seat for seat, colour in enumerate(state.rules.colours)}
    was = {drink: cell for cell, drink in zip(CELLS, state.grid) if drink is not None}
    now: dict[Drink, str] = {}
    for spot, pieces in placement.items():
        if spot.startswith("grid:"):
            now |= dict.fromkeys(pieces, spot.removeprefix("grid:"))
    for drink, cell in now.items():
        seat = seat_of.get(colour_of(drink))
        if seat is not None and drink in was and was[drink] != cell:
            yield Ply(seat, Move(was[drink], cell))
        elif seat is not None and drink not in was:
            yield Ply(seat, Place(drink, cell))
    gone = [drink for drink in was if drink not in now and shape_of(drink) in FUSES]
    for drink in gone[:1]:
        yield Ply(seat_of[colour_of(drink)], Explode(was[drink]))
