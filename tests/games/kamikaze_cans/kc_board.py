"""Positions of Kamikaze Cans drawn as text, and sayings that shorten the tests."""

from __future__ import annotations

from typing import Any

from companion.engine import Ply
from companion.engine.form import CELLS
from companion.errors import CompanionError
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Explode, Move, Place
from companion.games.kamikaze_cans.state import Rules, State
from companion.table import COLOURS, SHAPES
from companion.words import load

WORDS = load("en", [GAME.words])
LETTER = dict(zip("roygbp", COLOURS))
DIGIT = dict(zip("123456", SHAPES))


def drink(short: str) -> str:
    """`r1` is the red stub can, `p6` the purple tallest bottle."""
    return f"{LETTER[short[0]]}/{DIGIT[short[1]]}"


def position(
    drawn: str, colours: str = "rb", seat: int = 0, out: str = "", chain: bool = True, limit: int | None = None
) -> State:
    """A state from a drawing, back row first, `..` for an empty cell; what is neither drawn nor `out` is in stock."""
    rows = [line.split() for line in drawn.strip().splitlines()]
    rows = [[".."] * 6] * (6 - len(rows)) + rows
    grid = tuple(None if each == ".." else drink(each) for row in reversed(rows) for each in row)
    gone = {*(each for each in grid if each), *(drink(each) for each in out.split())}
    stocks = tuple(
        tuple(each for each in (f"{LETTER[letter]}/{shape}" for shape in SHAPES) if each not in gone)
        for letter in colours
    )
    return State(Rules(tuple(LETTER[letter] for letter in colours), chain, limit), seat, grid, stocks)


def standing(state: State) -> set[str]:
    """What stands in the grid, as `r1@c4`."""
    letters = {colour: letter for letter, colour in LETTER.items()}
    digits = {shape: digit for digit, shape in DIGIT.items()}
    found = set()
    for cell, each in zip(CELLS, state.grid):
        if each is not None:
            colour, shape = each.split("/")
            found.add(f"{letters[colour]}{digits[shape]}@{cell}")
    return found


def place(state: State, short: str, to: str) -> State:
    return GAME.apply(state, Ply(state.seat, Place(drink(short), to)))


def move(state: State, origin: str, to: str) -> State:
    return GAME.apply(state, Ply(state.seat, Move(origin, to)))


def explode(state: State, at: str) -> State:
    return GAME.apply(state, Ply(state.seat, Explode(at)))


def targets(state: State, origin: str) -> set[str]:
    """Where the drink can be moved to, by the list of legal plies."""
    plies: list[Any] = [ply.action for ply in GAME.legal(state)]
    return {action.to for action in plies if isinstance(action, Move) and action.from_ == origin}


def said(error: CompanionError) -> str:
    return WORDS.say(error.phrase)
