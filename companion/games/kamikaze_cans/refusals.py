"""Why an action is not allowed: the rule it breaks, in words for players. Nothing here decides what is legal."""

from __future__ import annotations

from typing import NoReturn

from companion.engine.codec import Cell
from companion.engine.form import CELLS
from companion.errors import IllegalError, PhraseArg, phrase
from companion.games.kamikaze_cans.actions import Action, Explode, Move, Place
from companion.games.kamikaze_cans.state import INDEX, RAYS, State, height
from companion.table import Drink


def no(rule: str, id: str, **args: PhraseArg) -> NoReturn:
    """Raises: a rule forbids it."""
    raise IllegalError(rule, phrase(f"kc.{id}", **args))


def refuse(state: State, action: Action) -> NoReturn:
    """Raises: why this action of the seat to move is not legal."""
    match action:
        case Place(drink, to):
            _refuse_place(state, drink, to)
        case Move(from_, to):
            _refuse_move(state, from_, to)
        case Explode(at):
            no("KC 5.1", "cannot_explode", drink=_own(state, "KC 5.1", at))


def _refuse_place(state: State, drink: Drink, to: Cell) -> NoReturn:
    if drink not in state.stocks[state.seat]:
        no("KC 3.1", "not_in_stock", drink=drink)
    no("KC 3.2", "taken", at=to, there=state.grid[INDEX[to]] or "")


def _refuse_move(state: State, from_: Cell, to: Cell) -> NoReturn:
    drink, origin, target = _own(state, "KC 4.1", from_), INDEX[from_], INDEX[to]
    passed = next((ray[: ray.index(target)] for ray in RAYS[origin] if target in ray), None)
    if passed is None:
        no("KC 4.2", "not_straight", drink=drink, origin=from_, to=to)
    there = state.grid[target]
    if there is not None:
        no("KC 4.3", "taken", at=to, there=there)
    high = next(index for index in passed if (over := state.grid[index]) is not None and height(over) >= height(drink))
    no("KC 4.4", "cannot_jump", drink=drink, over=state.grid[high] or "", at=CELLS[high])


def _own(state: State, rule: str, at: Cell) -> Drink:
    """The drink of the seat to move that stands at `at`; raises if there is none."""
    drink = state.grid[INDEX[at]]
    if drink is None:
        no(rule, "nothing_there", at=at)
    if not state.is_own(drink):
        no(rule, "not_yours", drink=drink, at=at)
    return drink
