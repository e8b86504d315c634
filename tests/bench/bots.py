"""`make bench-bots`: lets the bots play each other and writes the section "bots" of docs/benchmarks.md. Takes up to two
hours; what was played is kept in build/bench_bots, so it can be stopped and goes on where it was. All seconds are CPU
seconds of the bots' own thread, so what else the machine does makes the bench slower, and hardly any bot weaker.

    python -m tests.bench.bots                       # all pairings, two at a time
    python -m tests.bench.bots --only greedy-random  # those whose names contain this
    python -m tests.bench.bots --table               # only write the page from what was played so far
    python -m tests.bench.bots --games 20 --minutes 2 --factor 0.2      # a quick look, kept in a folder of its own
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from math import sqrt
from pathlib import Path

from tests.bench.bot_games import (
    GAMES,
    MINUTES,
    OPTIONS,
    Pairing,
    Played,
    faster,
    games_kept,
    pairings,
    play_pairing,
)
from tests.bench.page import PAGE, ROOT, write_parts

KEPT = ROOT / "build" / "bench_bots"


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share by Wilson's score; with draws counted half it is a little wider than it need be."""
    z = 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - half, middle + half


def section(kept: Path, listed: list[Pairing]) -> Iterator[str]:
    """The section of the page, from the games kept."""
    yield "## Bots\n"
    yield "`make bench-bots`: both seats equally often, each deal played twice; a draw counts half; 95 % intervals by"
    yield f"Wilson's score. All times are seconds of CPU time. Quiet limits: {_told_options()}. Greedy and random play"
    yield f"as long as they like; matches without an aim end after {MINUTES:.0f} minutes at most.\n"
    yield from _table(kept, listed)
    missing = [pairing.name for pairing in listed if not games_kept(kept / f"{pairing.name}.jsonl")]
    if missing:
        yield f"\nNot played yet: {', '.join(missing)}."
    for folder in sorted(kept.glob("times-*")):
        factor = float(folder.name.removeprefix("times-"))
        command = f"python -m tests.bench.bots --factor {factor:g}"
        yield f"\nThe same with all times multiplied by {factor:g} (`{command}`):\n"
        yield from _table(folder, [faster(pairing, factor) for pairing in pairings()])


def _table(kept: Path, listed: list[Pairing]) -> Iterator[str]:
    yield "| game | match | games | share | 95 % | aim | drawn | plies a game | playouts/s of the first |"
    yield "|---|---|--:|--:|---|--:|--:|--:|--:|"
    for pairing in listed:
        played = games_kept(kept / f"{pairing.name}.jsonl")
        if played:
            yield _row(pairing, played)
    yield from _more_time(kept, listed)


def _more_time(kept: Path, listed: list[Pairing]) -> Iterator[str]:
    """Of the matches of a bot against itself with less time: in which games the interval shows that more time helps."""
    shown: dict[bool, list[str]] = {True: [], False: []}
    together: list[Played] = []
    for pairing in listed:
        played = games_kept(kept / f"{pairing.name}.jsonl")
        if played and pairing.one.kind == pairing.two.kind:
            together += played
            low, _ = wilson(sum(each.result for each in played) / len(played), len(played))
            shown[low > 0.5].append(f"{pairing.game} ({len(played)} games)")
    if shown[True]:
        yield f"\nMore time plays better in {', '.join(shown[True])}: the whole interval lies above 50 %."
    if shown[False]:
        yield f"\nMore time is not shown to help, as the interval reaches down to 50 %: {', '.join(shown[False])}."
    if together:
        share = sum(each.result for each in together) / len(together)
        low, high = wilson(share, len(together))
        yield (f"\nAll games together: {100 * share:.0f} % of {len(together)} games for the bot with more time "
               f"({100 * low:.0f}–{100 * high:.0f} %).")


def _row(pairing: Pairing, played: list[Played]) -> str:
    games = len(played)
    share = sum(each.result for each in played) / games
    low, high = wilson(share, games)
    aim = "–" if pairing.least is None else f"{100 * pairing.least:.0f} %"
    plies = sum(each.plies for each in played) / games
    playouts, thought_s = sum(each.playouts for each in played), sum(each.thought_s for each in played)
    pace = f"{playouts / thought_s:,.0f}" if playouts else "–"
    drawn = sum(each.result == 0.5 for each in played)
    interval = f"{100 * low:.0f}–{100 * high:.0f} %"
    return (
        f"| {pairing.game} | {pairing.one} : {pairing.two} | {games} | {100 * share:.0f} % | {interval} | {aim} "
        f"| {drawn} | {plies:.0f} | {pace} |"
    )


def _told_options() -> str:
    return ", ".join(f"{game} {options['quiet_limit']}" for game, options in OPTIONS.items())


def main() -> None:
    parser = argparse.ArgumentParser(description="Lets the bots play each other, writes docs/benchmarks.md.")
    parser.add_argument("--only", default="", metavar="TEXT", help="matches whose names contain this")
    parser.add_argument("--table", action="store_true", help="play nothing, write the page")
    parser.add_argument("--games", type=int, default=GAMES, help="at most so many games a pairing (%(default)s)")
    parser.add_argument("--minutes", type=float, help="at most so many minutes for every pairing")
    parser.add_argument("--factor", type=float, default=1.0, help="all times a ply times this (%(default)s)")
    parser.add_argument("--parallel", type=int, default=2, help="so many matches at a time (%(default)s)")
    args = parser.parse_args()
    kept = KEPT if args.factor == 1.0 else KEPT / f"times-{args.factor:g}"
    listed = [_changed(pairing, args) for pairing in pairings() if args.only in pairing.name]
    if not args.table:
        with ProcessPoolExecutor(args.parallel) as pool:
            for pairing, played in zip(listed, pool.map(play_pairing, listed, [kept] * len(listed))):
                print(_row(pairing, played), file=sys.stderr, flush=True)
    if args.factor == 1.0:
        write_parts({"bots": "\n".join(section(kept, list(pairings())))}, PAGE)
        print(PAGE)
    else:
        print("\n".join(_table(kept, listed)))


def _changed(pairing: Pairing, args: argparse.Namespace) -> Pairing:
    minutes = pairing.minutes if args.minutes is None else args.minutes
    return replace(faster(pairing, args.factor), games=min(pairing.games, args.games), minutes=minutes)


if __name__ == "__main__":
    main()
