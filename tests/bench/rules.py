"""The part `rules` of the benchmarks: how fast random play is in every game, and how fast a long record is checked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from statistics import median

PROMISED = {"kamikaze-cans": 3000, "crate-wars": 3000, "pick-and-pack": 3000, "yuzu-twist": 1500, "war-chest": 1500}
"""Plies a second that random play should reach."""
PLAY_S = 10.0


def rules() -> Iterator[str]:
    """Random play of every game, and checking a long record."""
    from companion.games import registry

    yield "## Rules\n"
    yield f"Random play on one core for {PLAY_S:.0f} s a game: a ply drawn uniformly from all legal ones, checked,"
    yield "applied. The list holds all legal plies of a state.\n"
    yield "| game | plies/s | promised | legal plies, median | ms to list them, median |"
    yield "|---|--:|--:|--:|--:|"
    for id in registry.ids():
        plies_per_s, many, list_ms = play(id)
        yield f"| {id} | {plies_per_s:,.0f} | {PROMISED[id]:,} | {many:.0f} | {list_ms:.3f} |"
    yield ""
    plies, seconds = check_long_record()
    yield f"`record check` of a Yuzu Twist game of {plies} plies: {seconds:.3f} s (promised for 300 plies: 0.3 s)."


def play(id: str) -> tuple[float, float, float]:
    """Plies a second, and the median length of the list of legal plies with the time it takes in ms."""
    from companion.engine import Over, play
    from companion.games import registry

    game, rng = registry.game(id), Random(1)
    players = min(game.seats)
    options = game.read_options(game.simulation, players)
    plies, lengths, times = 0, [], []
    busy_s = 0.0
    while busy_s < PLAY_S:
        state = game.start(game.read_setup(game.deal(players, options, rng), options, players), options, players)
        for n in range(2000):
            started = time.process_time()
            if isinstance(game.turn(state), Over):
                break
            state = game.apply(state, play.random_ply(game, state, rng))
            busy_s += time.process_time() - started
            plies += 1
            if n % 7 == 0:
                started = time.perf_counter()
                lengths.append(len(list(game.legal(state))))
                times.append(1000 * (time.perf_counter() - started))
    return plies / busy_s, median(lengths), median(times)


def check_long_record() -> tuple[int, float]:
    """Checks a Yuzu Twist record of 300 plies; gives plies and seconds, the median of five."""
    from companion.engine import play, record
    from companion.games import registry

    game = registry.game("yuzu-twist")
    for seed in range(100):
        written = list(play.random_record(game, 2, Random(seed), "2026-01-01T00:00:00Z"))
        if len(written) > 302:
            break
    text = "".join(written[:301])
    times = []
    for _ in range(5):
        started = time.perf_counter()
        record.check(text, registry.game)
        times.append(time.perf_counter() - started)
    return len(text.splitlines()) - 1, median(times)
