"""The rules of Kamikaze Cans as pure functions over a frozen state. Numbers (KC …) are those of RULES.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar, Final

from companion.engine import Over, Ply, Seat, ToMove, Turn
from companion.engine.codec import Cell, Drink
from companion.engine.form import CELLS
from companion.errors import IllegalError, phrase
from companion.table import SHAPES, colour_of, shape_of

IN_GRID: Final = {
    "stub_can": 4, "short_can": -1, "tall_can": -2, "square_sides": 3, "not_tallest_bottle": 2, "tallest_bottle": 1,
}
"""Points of a drink in the grid (KC 7.1); in the stock they count with the other sign (KC 7.2)."""

STOCK_EMPTY: Final = "stock empty"
QUIET_LIMIT: Final = "quiet limit"

FUSES: Final = ("short_can", "tall_can")
"""The cans that a player may explode (KC 5.1)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Put a drink of one's stock into an empty cell."""

    type: ClassVar[str] = "place"
    drink: Drink
    to: Cell


@dataclass(frozen=True, slots=True)
class Move:
    """Move an own drink along a row or column, over shorter ones."""

    type: ClassVar[str] = "move"
    from_: Cell
    to: Cell


@dataclass(frozen=True, slots=True)
class Explode:
    """Blow up an own short or tall can."""

    type: ClassVar[str] = "explode"
    at: Cell


Action = Place | Move | Explode
Grid = tuple[Drink | None, ...]
"""What stands on each cell, in the order of `CELLS`: a1, b1 … f6."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What stays the same all game: the seats' colours and the options."""

    colours: tuple[str, ...]
    stub_cans_chain: bool
    quiet_limit: int | None


@dataclass(frozen=True, slots=True)
class State:
    """`seat` is to move; `moves_in_row` counts the moves since the last drink was placed or exploded."""

    rules: Rules
    seat: Seat
    grid: Grid
    stocks: tuple[tuple[Drink, ...], ...]
    moves_in_row: int = 0


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


def _leaders(points: tuple[int, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat, each in enumerate(points) if each == max(points))


# --- what is legal ----------------------------------------------------------------------------------------------------


def legal(state: State) -> Iterator[Ply[Action]]:
    """Every legal ply, each once."""
    if isinstance(turn(state), Over):
        return
    seat, colour = state.seat, state.rules.colours[state.seat]
    empty = [index for index, drink in enumerate(state.grid) if drink is None]
    for drink in state.stocks[seat]:
        placing = _placing(seat, drink)
        for index in empty:
            yield placing[index]
    for index, standing in enumerate(state.grid):
        if standing is not None and colour_of(standing) == colour:
            moving = _moving(seat, index)
            for target in _targets(state.grid, index, standing):
                yield moving[target]
            if shape_of(standing) in FUSES:
                yield _exploding(seat)[index]


def _targets(grid: Grid, index: int, drink: Drink) -> Iterator[int]:
    """The cells that the drink can move to (KC 4.2 to KC 4.4)."""
    own = height(drink)
    for ray in _RAYS[index]:
        for each in ray:
            over = grid[each]
            if over is None:
                yield each
            elif height(over) >= own:
                break


@cache
def height(drink: Drink) -> int:
    """Where the drink stands in the order of heights, the stub can at 0 (KC 4.5)."""
    return SHAPES.index(shape_of(drink))


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
        raise IllegalError("KC 6.2", phrase("kc.over"))
    if ply.player != state.seat:
        raise IllegalError("KC 2.2", phrase("kc.not_your_turn", colour=state.rules.colours[state.seat]))
    after = _act(state, ply.action)
    return replace(after, seat=(state.seat + 1) % len(state.stocks))


def _act(state: State, action: Action) -> State:
    match action:
        case Place(drink, to):
            return _place(state, drink, to)
        case Move(from_, to):
            return _move(state, from_, to)
        case Explode(at):
            return _explode(state, at)


def _place(state: State, drink: Drink, to: Cell) -> State:
    stock, target = state.stocks[state.seat], _INDEX[to]
    if drink not in stock:
        raise IllegalError("KC 3.1", phrase("kc.not_in_stock", drink=drink))
    there = state.grid[target]
    if there is not None:
        raise IllegalError("KC 3.2", phrase("kc.taken", at=to, there=there))
    left = tuple(each for each in stock if each != drink)
    stocks = (*state.stocks[: state.seat], left, *state.stocks[state.seat + 1 :])
    return replace(state, grid=_with(state.grid, target, drink), stocks=stocks, moves_in_row=0)


def _move(state: State, from_: Cell, to: Cell) -> State:
    origin, target = _INDEX[from_], _INDEX[to]
    drink = _own(state, "KC 4.1", from_)
    between = _between(origin, target)
    if between is None:
        raise IllegalError("KC 4.2", phrase("kc.not_straight", drink=drink, origin=from_, to=to))
    there = state.grid[target]
    if there is not None:
        raise IllegalError("KC 4.3", phrase("kc.taken", at=to, there=there))
    for index in between:
        over = state.grid[index]
        if over is not None and height(over) >= height(drink):
            raise IllegalError("KC 4.4", phrase("kc.cannot_jump", drink=drink, over=over, at=CELLS[index]))
    grid = _with(_with(state.grid, origin, None), target, drink)
    return replace(state, grid=grid, moves_in_row=state.moves_in_row + 1)


def _explode(state: State, at: Cell) -> State:
    drink = _own(state, "KC 5.1", at)
    if shape_of(drink) not in FUSES:
        raise IllegalError("KC 5.1", phrase("kc.cannot_explode", drink=drink))
    gone = blast(state, at)
    grid = tuple(None if index in gone else there for index, there in enumerate(state.grid))
    return replace(state, grid=grid, moves_in_row=0)


def blast(state: State, at: Cell) -> tuple[int, ...]:
    """The cells whose drinks go when the can at `at` explodes, in the order of the explosions (KC 5.2 to KC 5.4)."""
    chain = (*FUSES, "stub_can") if state.rules.stub_cans_chain else FUSES
    gone = [_INDEX[at]]
    for exploding in gone:  # grows while it is gone through: every can that goes explodes in turn
        drink = state.grid[exploding]
        if drink is None or shape_of(drink) not in chain:
            continue
        gone += [each for each in _AROUND[exploding] if state.grid[each] is not None and each not in gone]
    return tuple(gone)


def _own(state: State, rule: str, at: Cell) -> Drink:
    """The drink of the seat to move that stands at `at`."""
    drink = state.grid[_INDEX[at]]
    if drink is None:
        raise IllegalError(rule, phrase("kc.nothing_there", at=at))
    if colour_of(drink) != state.rules.colours[state.seat]:
        raise IllegalError(rule, phrase("kc.not_yours", drink=drink, at=at))
    return drink


# --- the grid ---------------------------------------------------------------------------------------------------------

_INDEX: Final = {cell: index for index, cell in enumerate(CELLS)}
_SIZE: Final = 6


def _with(grid: Grid, index: int, drink: Drink | None) -> Grid:
    return (*grid[:index], drink, *grid[index + 1 :])


def _ray(index: int, dx: int, dy: int) -> tuple[int, ...]:
    """The cells from `index` on in one direction, to the edge."""
    y, x = divmod(index, _SIZE)
    steps = range(1, _SIZE)
    return tuple(
        (y + dy * step) * _SIZE + x + dx * step
        for step in steps
        if 0 <= x + dx * step < _SIZE and 0 <= y + dy * step < _SIZE
    )


def _between(origin: int, target: int) -> tuple[int, ...] | None:
    """The cells that a move from `origin` to `target` passes; None if these do not lie in one line."""
    for ray in _RAYS[origin]:
        if target in ray:
            return ray[: ray.index(target)]
    return None


_RAYS: Final = tuple(
    tuple(_ray(index, dx, dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))) for index in range(len(CELLS))
)
_AROUND: Final = tuple(
    tuple(
        other
        for other in range(len(CELLS))
        if other != index
        and abs(other % _SIZE - index % _SIZE) <= 1
        and abs(other // _SIZE - index // _SIZE) <= 1
    )
    for index in range(len(CELLS))
)
"""The 8 neighbours of each cell, fewer at the edge."""
