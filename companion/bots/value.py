"""What a state is worth to the seats: 0 lost, 1 won. At the end by who won, before it by the game's `evaluate`."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from companion.bots.plies import settle
from companion.engine import AnyGame, Chance, Over, Seat

VALUE_DRAWS: Final = 4
"""How often chance is drawn for the value of a ply."""


def value(game: AnyGame, state: Any, seat: Seat) -> float:
    """What the state is worth to a seat."""
    turn = game.turn(state)
    if isinstance(turn, Over):
        return outcome(turn, len(game.scores(state)))[seat]
    return game.evaluate(state, seat)


def values(game: AnyGame, state: Any) -> tuple[float, ...]:
    """What the state is worth to each seat."""
    seats = len(game.scores(state))
    turn = game.turn(state)
    return outcome(turn, seats) if isinstance(turn, Over) else tuple(value(game, state, seat) for seat in range(seats))


def outcome(over: Over, seats: int) -> tuple[float, ...]:
    """What an end is worth to each seat: a draw, or a win that all share, is half a win; alone no win is a loss."""
    if seats > 1 and len(over.winners) in (0, seats):
        return (0.5,) * seats
    return tuple(float(seat in over.winners) for seat in range(seats))


def value_after_chance(game: AnyGame, state: Any, seat: Seat, rng: Random, draws: int = VALUE_DRAWS) -> float:
    """The value for a seat, over some random answers of chance where it is due."""
    if not isinstance(game.turn(state), Chance):
        return value(game, state, seat)
    return sum(value(game, settle(game, state, rng), seat) for _ in range(draws)) / draws
