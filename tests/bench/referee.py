"""The part `referee` of the benchmarks: War Chest at a table, followed through games that bots play."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from statistics import median
from typing import Any, TypeVar

from companion.bots.levels import played_by, seated
from companion.engine import CHANCE, Chance, Observer, Ply, Seen, play
from companion.games.war_chest import GAME
from companion.games.war_chest.actions import Draw, Pass, Recruit, as_seen
from companion.games.war_chest.state import State

GAMES = 100
MAX_PLIES = 1000
FIVES = [["crossbowman", "berserker", "ensign", "footman"], ["marshall", "mercenary", "scout", "swordsman"]]
"""Armies with as many coins as there can be."""
Course = tuple[Any, Sequence[Ply[Any]]]
"""The start of a table's game, and its plies."""
T = TypeVar("T")


@dataclass
class Figures:
    """What was measured, in ms."""

    ply: list[float] = field(default_factory=list)
    legal: list[float] = field(default_factory=list)
    views: list[float] = field(default_factory=list)
    largest: int = 0

    def follow(self, course: Course) -> None:
        """Applies all plies of a game, lists what is legal and asks for everybody's view."""
        state, plies = course
        observers: tuple[Observer, ...] = (*range(len(state.purses)), "room", "referee")
        for ply in plies:
            state = _timed(self.ply, partial(GAME.apply, state, ply))
            _timed(self.legal, partial(_all_legal, state))
            _timed(self.views, partial(_all_views, state, observers))
            self.largest = max(self.largest, *(len(purse.known) for purse in state.purses))


def referee() -> Iterator[str]:
    """Times, sizes of the sets and memory, in self-played games and in the worst that players can do."""
    played, worst = [_self_played(seed) for seed in range(GAMES)], _unseen()
    yield "## Referee\n"
    yield "War Chest at a table (`knowledge` = `referee`): processor time on one core to apply a ply to the sets of"
    yield "possible hidden coins, to list the legal plies, and to make the views of seats, room and referee."
    yield f"{GAMES} games that bots played, half of them a greedy one against a random one, half at random, with two"
    yield "players or four; then what players could do worst: nothing but recruiting and passing, with five coins of"
    yield "each unit. Memory: all states of the game that needs most, kept as a session keeps them. Promised: 20 ms a"
    yield "ply at the median, 200 ms at worst, 50 MB.\n"
    yield "| games | plies | ply, median | worst | list, worst | views, median | worst | largest set | memory |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name, courses in (("self-played", played), ("nothing seen", [worst])):
        figures = Figures()
        for course in courses:
            figures.follow(course)
        most_mb = max(map(_memory_mb, courses))
        yield (
            f"| {name} | {len(figures.ply):,} | {median(figures.ply):.2f} ms | {max(figures.ply):.0f} ms"
            f" | {max(figures.legal):.0f} ms | {median(figures.views):.2f} ms | {max(figures.views):.0f} ms"
            f" | {figures.largest:,} | {most_mb:.0f} MB |"
        )


def _self_played(seed: int) -> Course:
    """A game of bots in the open, with what a table hides left out."""
    rng = Random(seed)
    players = 2 if seed % 4 else 4
    options = GAME.read_options({}, players)
    setup = GAME.deal(players, options, rng)
    levels = seated(("greedy", "random") if seed % 2 else ("random",), players)
    chosen = played_by(levels, time.perf_counter)
    course = play.random_game(GAME, GAME.start(setup, options, players), rng, MAX_PLIES, chosen)
    plies = [Ply(ply.player, as_seen(ply.action)) for _, ply in course]
    return GAME.start(setup, {**options, "knowledge": "referee"}, players), plies


def _unseen(most_plies: int = 300) -> Course:
    """A game in which everybody recruits, or passes where nothing is left to recruit."""
    options = GAME.read_options({"knowledge": "referee"}, 2)
    start = GAME.start(GAME.read_setup({"units": FIVES, "initiative": 0}, options, 2), options, 2)
    state, plies = start, list[Ply[Any]]()
    for _ in range(most_plies):
        if isinstance(GAME.turn(state), Chance):
            plies.append(Ply(CHANCE, Draw()))
        else:
            legal = list(GAME.legal(state))
            recruits = [ply for ply in legal if isinstance(ply.action, Recruit)]
            plies.append((recruits or [ply for ply in legal if isinstance(ply.action, Pass)])[0])
        state = GAME.apply(state, plies[-1])
    return start, plies


def _memory_mb(course: Course) -> float:
    """What all states of a game take together."""
    state, plies = course
    tracemalloc.start()
    states = [state]
    for ply in plies:
        states.append(GAME.apply(states[-1], ply))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken / 2**20


def _all_legal(state: State) -> list[Ply[Any]]:
    return list(GAME.legal(state))


def _all_views(state: State, observers: Sequence[Observer]) -> list[Seen]:
    return [GAME.view(state, observer) for observer in observers]


def _timed(times: list[float], do: Callable[[], T]) -> T:
    started = time.process_time()
    done = do()
    times.append(1000 * (time.process_time() - started))
    return done
