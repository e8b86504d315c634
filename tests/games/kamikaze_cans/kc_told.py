"""Kamikaze Cans as lines of text, `tests/data/cans`: games with all that the rules say of them, and the layouts.

    python -m tests.games.kamikaze_cans.kc_told     # writes them anew
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from companion.engine import Over, Ply, play
from companion.engine.form import CELLS
from companion.errors import IllegalError
from companion.games.kamikaze_cans import GAME
from companion.games.kamikaze_cans.actions import Explode, Move, Place
from companion.games.kamikaze_cans.state import State
from companion.table import all_drinks

FOLDER = Path(__file__).parents[2] / "data" / "cans"
MOST_PLIES = 30
TRIED = 6
"""How many actions by chance are tried in each state; most are refused."""


def game_told(players: int, options: Mapping[str, Any]) -> Iterator[str]:
    """A game by chance: points, values, what is legal, what is refused and why, and each ply in words."""
    rng = Random(players)
    filled = GAME.read_options(options, players)
    setup = GAME.deal(players, filled, rng)
    yield f"options {filled}, set-up {setup}"
    state = GAME.start(setup, filled, players)
    for n, (before, ply) in enumerate(play.random_game(GAME, state, rng, MOST_PLIES, _explosive), 1):
        state = GAME.apply(before, ply)
        yield f"\n{n}. seat {ply.player}: {GAME.say(before, ply, 'room')}"
        yield from _explained(before, state)
        yield from _told(state, rng)


def _explosive(game: Any, state: Any, rng: Random) -> Ply[Any]:
    """An explosion if there is one, else mostly a drink that is placed beside others."""
    plies = list(game.legal(state))
    booms = [ply for ply in plies if isinstance(ply.action, Explode)]
    placings = [ply for ply in plies if isinstance(ply.action, Place) and ply.action.to[0] in "bcd"
                and ply.action.to[1] in "234"]
    if booms and rng.random() < 0.2:
        return rng.choice(booms)
    return rng.choice(placings if placings and rng.random() < 0.6 else plies)


def _explained(before: State, after: State) -> Iterator[str]:
    for plies in GAME.explain(before, GAME.placement(after)):
        yield f"  explained by {' then '.join(_short(ply) for ply in plies)}"


def _told(state: State, rng: Random) -> Iterator[str]:
    values = ", ".join(f"{GAME.evaluate(state, seat):.4f}" for seat in range(len(state.stocks)))
    yield f"  scores {GAME.scores(state)}, values {values}, quiet {state.moves_in_row}"
    turn = GAME.turn(state)
    yield f"  {turn if isinstance(turn, Over) else f'{turn.seats} {turn.ask}'}"
    yield f"  stands {', '.join(f'{spot} {pieces[-1]}' for spot, pieces in GAME.placement(state).items())}"
    for kind, plies in groupby(GAME.legal(state), key=lambda ply: (ply.player, _what(ply.action))):
        yield f"  may {kind[0]} {kind[1]} {' '.join(_where(ply.action) for ply in plies)}"
    for _ in range(TRIED):
        action: Any = rng.choice([
            Place(rng.choice(all_drinks()), rng.choice(CELLS)), Move(rng.choice(CELLS), rng.choice(CELLS)),
            Explode(rng.choice(CELLS)),
            *(Move(cell, rng.choice(CELLS)) for cell, drink in zip(CELLS, state.grid) if drink and state.is_own(drink)),
            *(Move(cell, f"{cell[0]}{rng.choice('123456')}") for cell, drink in zip(CELLS, state.grid) if drink),
        ])
        ply = Ply(state.seat if rng.random() < 0.9 else rng.randrange(len(state.stocks)), action)
        try:
            GAME.apply(state, ply)
        except IllegalError as error:
            yield f"  not {_short(ply)}: {error.rule}, {error.phrase}"


def _what(action: Any) -> str:
    return {Place: "place", Move: "move", Explode: "explode"}[type(action)] + (
        f" {action.drink}" if isinstance(action, Place) else f" {action.from_}" if isinstance(action, Move) else "")


def _where(action: Any) -> str:
    return str(action.at if isinstance(action, Explode) else action.to)


def _short(ply: Ply[Any]) -> str:
    return f"{ply.player} {_what(ply.action)} {_where(ply.action)}"


def layouts_told() -> Iterator[str]:
    """Every spot of every layout."""
    for players in GAME.seats:
        layout = GAME.layout({"colours": list(GAME.colours[:players]), "first": 0})
        yield f"\n{players} players: {layout.size_mm}, {layout.block}, {layout.seat_colours}"
        yield from (f"  {kind}" for kind in layout.kinds)
        yield from (f"  {each}" for each in (*layout.bodies, *layout.zones))
        yield from (f"  {each}" for each in layout.places[:: 1 if players == 2 else 7])


TOLD: Mapping[str, Callable[[], Iterator[str]]] = {
    "layouts": layouts_told, "two": lambda: game_told(2, {}), "three": lambda: game_told(3, {"quiet_limit": 2}),
    "six": lambda: game_told(6, {"stub_cans_chain": False}),
}


def told(name: str) -> str:
    """What stands in a file."""
    return "\n".join(TOLD[name]()).strip() + "\n"


if __name__ == "__main__":
    for each in TOLD:
        (FOLDER / f"{each}.txt").write_text(told(each), encoding="utf-8")
