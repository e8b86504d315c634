"""Games played on by plies that are known, and at random: for tests, benches and demos."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from companion.engine import lines, record
from companion.engine.game import AnyGame
from companion.engine.values import CHANCE, Chance, Choose, Json, Over, Ply
from companion.table import COLOURS
from companion.table.spot_words import seat_letter

PlyOf = Callable[[AnyGame, Any, Random], Ply[Any]]
"""Chooses the ply in a state; where chance is due, an outcome."""


def after_plies(game: AnyGame, state: Any, plies: Iterable[Ply[Any]]) -> Any:
    """The state once these plies are played. Raises `IllegalError` for the first that breaks a rule."""
    for ply in plies:
        state = game.apply(state, ply)
    return state


def random_ply(game: AnyGame, state: Any, rng: Random) -> Ply[Any]:
    """A ply, each legal one as likely as the others; where chance is due, an outcome by its odds."""
    if isinstance(game.turn(state), Chance):
        return Ply(CHANCE, game.sample(state, rng))
    ply = rng.choice(list(game.legal(state)))
    return Ply(ply.player, random_choice(game, ply.action, rng)) if isinstance(ply.action, Choose) else ply


def random_choice(game: AnyGame, choose: Choose, rng: Random) -> Any:
    """One of the actions that a `Choose` stands for, each subset as likely as the others."""
    if choose.number is None:
        chosen = [each for each in choose.among if rng.random() < 0.5]
    else:
        chosen = rng.sample(choose.among, choose.number)
    return game.read_action({"type": choose.type, **dict(choose.rest), choose.key: sorted(chosen)})


def random_game(
    game: AnyGame, state: Any, rng: Random, most_plies: int, ply_of: PlyOf = random_ply
) -> Iterator[tuple[Any, Ply[Any]]]:
    """Each state with the ply played in it, until the game is over or so many plies were played."""
    for _ in range(most_plies):
        if isinstance(game.turn(state), Over):
            return
        ply = ply_of(game, state, rng)
        yield state, ply
        state = game.apply(state, ply)


def random_record(
    game: AnyGame,
    players: int,
    rng: Random,
    started: str,
    options: Mapping[str, Json] | None = None,
    most_plies: int = 2000,
    colours: tuple[str, ...] = COLOURS,
    ply_of: PlyOf = random_ply,
    names: Sequence[str] = (),
) -> Iterator[str]:
    """The lines of the record of a game played at random, or as `ply_of` chooses.

    One that is not over after `most_plies` is abandoned.
    """
    filled = game.read_options({**game.simulation, **(options or {})}, players)
    setup = game.read_setup(game.deal(players, filled, rng), filled, players)
    names = names or [f"Player {seat_letter(seat)}" for seat in range(players)]
    own = None if colours == COLOURS else colours
    yield lines.line(record.write_header(game, names, filled, setup, started, own))
    state = game.start(setup, filled, players)
    for n, (before, ply) in enumerate(random_game(game, state, rng, most_plies, ply_of), 1):
        yield lines.line(record.write_ply(game, n, ply, source="simulation"))
        state = game.apply(before, ply)
    yield lines.line(record.write_result(game, state))
