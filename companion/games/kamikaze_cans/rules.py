"""The rules of Kamikaze Cans as pure functions over a frozen state. Numbers (KC …) are those of RULES.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Final

from companion.engine import Over, Ply, ScorePart, ScoreParts, Seat, ToMove, Turn
from companion.engine.codec import Cell
from companion.engine.form import CELLS
from companion.errors import phrase
from companion.games.kamikaze_cans import refusals
from companion.games.kamikaze_cans.actions import Action, Explode, Move, Place
from companion.games.kamikaze_cans.state import AROUND, FUSES, INDEX, RAYS, Grid, Rules, State, height, with_cell
from companion.table import SHAPES, Drink, colour_of, shape_of

IN_GRID: Final = {
    "stub_can": 4, "short_can": -1, "tall_can": -2, "square_sides": 3, "not_tallest_bottle": 2, "tallest_bottle": 1,
}
"""Points of a drink in the grid (KC 7.1); in the stock they count with the other sign (KC 7.2)."""

STOCK_EMPTY: Final = "stock empty"
QUIET_LIMIT: Final = "quiet limit"


def start(rules: Rules, first: Seat) -> State:
    """An empty grid, six drinks in each stock (KC 1.2, KC 1.3)."""
    stocks = tuple(tuple(f"{colour}/{shape}" for shape in SHAPES) for colour in rules.colours)
    return State(rules, first, (None,) * len(CELLS), stocks)


def turn(state: State) -> Turn:
    """Who is to move, or who has won."""
    limit = state.rules.quiet_limit
    if not all(state.stocks):
        return Over(_leaders(scores(state)), STOCK_EMPTY)
    if limit is not None and state.moves_in_row >= limit:
        return Over(_leaders(scores(state)), QUIET_LIMIT)
    return ToMove((state.seat,), phrase("kc.ask"))


def scores(state: State) -> tuple[int, ...]:
    """Points of each seat: its drinks in the grid, less those in its stock (KC 7)."""
    points = dict.fromkeys(state.rules.colours, 0)
    for drink in filter(None, state.grid):
        points[colour_of(drink)] += IN_GRID[shape_of(drink)]
    return tuple(
        points[colour] - sum(IN_GRID[shape_of(drink)] for drink in stock)
        for colour, stock in zip(state.rules.colours, state.stocks)
    )


def score_parts(state: State) -> ScoreParts:
    """Each seat's drinks, those in the grid before those in the stock; what left the game is none (KC 7.3)."""
    return tuple(
        (*_parts(drinks_of(state.grid, colour), 1, "kc.part_grid", "KC 7.1"),
         *_parts(stock, -1, "kc.part_stock", "KC 7.2"))
        for colour, stock in zip(state.rules.colours, state.stocks)
    )


def drinks_of(grid: Grid, colour: str) -> list[Drink]:
    """The drinks of a colour in the grid."""
    return [drink for drink in grid if drink is not None and colour_of(drink) == colour]


def _parts(drinks: Iterable[Drink], sign: int, id: str, rule: str) -> Iterator[ScorePart]:
    for drink in sorted(drinks, key=height):
        yield ScorePart(phrase(id, drink=shape_of(drink)), sign * IN_GRID[shape_of(drink)], rule)


def _leaders(points: tuple[int, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat, each in enumerate(points) if each == max(points))


# --- what is legal ----------------------------------------------------------------------------------------------------


def legal(state: State) -> Iterator[Ply[Action]]:
    """Every legal ply, each once."""
    if isinstance(turn(state), Over):
        return
    seat, empty = state.seat, list(_empty(state.grid))
    for drink in state.stocks[seat]:
        placing = _placing(seat, drink)
        for index in empty:
            yield placing[index]
    for index in range(len(CELLS)):
        if (standing := _own_at(state, index)) is not None:
            moving = _moving(seat, index)
            for target in _targets(state.grid, index, standing):
                yield moving[target]
            if _is_fuse(standing):
                yield _exploding(seat)[index]


def _is_legal(state: State, action: Action) -> bool:
    """Whether the seat to move may do that; asked of the same functions as the list of all that is legal."""
    match action:
        case Place(drink, to):
            return drink in state.stocks[state.seat] and INDEX[to] in _empty(state.grid)
        case Move(from_, to):
            own = _own_at(state, INDEX[from_])
            return own is not None and INDEX[to] in _targets(state.grid, INDEX[from_], own)
        case Explode(at):
            own = _own_at(state, INDEX[at])
            return own is not None and _is_fuse(own)


def _own_at(state: State, index: int) -> Drink | None:
    """The drink of the seat to move on a cell (KC 4.1, KC 5.1)."""
    drink = state.grid[index]
    return drink if drink is not None and state.is_own(drink) else None


def _empty(grid: Grid) -> Iterator[int]:
    """The cells that a drink can be put on (KC 3.2)."""
    return (index for index, drink in enumerate(grid) if drink is None)


def _targets(grid: Grid, index: int, drink: Drink) -> Iterator[int]:
    """The cells that the drink can move to (KC 4.2 to KC 4.4)."""
    own = height(drink)
    for ray in RAYS[index]:
        for each in ray:
            over = grid[each]
            if over is None:
                yield each
            elif height(over) >= own:
                break


def _is_fuse(drink: Drink) -> bool:
    return shape_of(drink) in FUSES


# The plies of a seat are made once and shared: making two hundred values for every turn would take most of its time.
@cache
def _placing(seat: Seat, drink: Drink) -> tuple[Ply[Action], ...]:
    return tuple(Ply(seat, Place(drink, cell)) for cell in CELLS)


@cache
def _moving(seat: Seat, index: int) -> tuple[Ply[Action], ...]:
    return tuple(Ply(seat, Move(CELLS[index], cell)) for cell in CELLS)


@cache
def _exploding(seat: Seat) -> tuple[Ply[Action], ...]:
    return tuple(Ply(seat, Explode(cell)) for cell in CELLS)


# --- what an action does ----------------------------------------------------------------------------------------------


def apply(state: State, ply: Ply[Action]) -> State:
    """The state after the ply; raises `IllegalError`."""
    if isinstance(turn(state), Over):
        refusals.no("KC 6.2", "over")
    if ply.player != state.seat:
        refusals.no("KC 2.2", "not_your_turn", colour=state.rules.colours[state.seat])
    if not _is_legal(state, ply.action):
        refusals.refuse(state, ply.action)
    return replace(_act(state, ply.action), seat=(state.seat + 1) % len(state.stocks))


def _act(state: State, action: Action) -> State:
    match action:
        case Place(drink, to):
            return _place(state, drink, to)
        case Move(from_, to):
            return _move(state, from_, to)
        case Explode(at):
            return _explode(state, at)


def _place(state: State, drink: Drink, to: Cell) -> State:
    left = tuple(each for each in state.stocks[state.seat] if each != drink)
    stocks = (*state.stocks[: state.seat], left, *state.stocks[state.seat + 1 :])
    return replace(state, grid=with_cell(state.grid, INDEX[to], drink), stocks=stocks, moves_in_row=0)


def _move(state: State, from_: Cell, to: Cell) -> State:
    origin = INDEX[from_]
    grid = with_cell(with_cell(state.grid, origin, None), INDEX[to], state.grid[origin])
    return replace(state, grid=grid, moves_in_row=state.moves_in_row + 1)


def _explode(state: State, at: Cell) -> State:
    gone = blast(state, at)
    grid = tuple(None if index in gone else there for index, there in enumerate(state.grid))
    return replace(state, grid=grid, moves_in_row=0)


def blast(state: State, at: Cell) -> tuple[int, ...]:
    """The cells whose drinks go when the can at `at` explodes, in the order of the explosions (KC 5.2 to KC 5.4)."""
    chain = (*FUSES, "stub_can") if state.rules.stub_cans_chain else FUSES
    gone = [INDEX[at]]
    for exploding in gone:  # grows while it is gone through: every can that goes explodes in turn
        drink = state.grid[exploding]
        if drink is None or shape_of(drink) not in chain:
            continue
        gone += [each for each in AROUND[exploding] if state.grid[each] is not None and each not in gone]
    return tuple(gone)
