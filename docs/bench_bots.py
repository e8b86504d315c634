"""`make bench-bots`: lets the bots play each other and writes the section "bots" of docs/benchmarks.md. Takes up to two
hours; what was played is kept in build/bench_bots, so it can be stopped and goes on where it was. All seconds are CPU
seconds of the bots' own thread, so what else the machine does makes the bench slower, and hardly any bot weaker.

    python docs/bench_bots.py                       # all matches, two at a time
    python docs/bench_bots.py --only greedy-random  # those whose names contain this
    python docs/bench_bots.py --table               # only write the page from what was played so far
    python docs/bench_bots.py --games 20 --minutes 2 --factor 0.2      # a quick look, kept in a folder of its own
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from companion.bots import Bot, Budget, Greedy, RandomBot, Search
from companion.bots.plies import settle
from companion.bots.value import outcome
from companion.engine import Over
from companion.games import registry

HERE = Path(__file__).parent
PAGE = HERE / "benchmarks.md"
KEPT = HERE.parent / "build" / "bench_bots"
OPTIONS = {"kamikaze-cans": {"quiet_limit": 30}, "yuzu-twist": {"quiet_limit": 60}}
"""So that no game goes on for ever; the other games end by themselves."""
GAMES = 100
MINUTES = 15.0
MOST_PLIES = 1000
"""A game that takes longer is a draw."""


@dataclass(frozen=True)
class Player:
    """A bot with the seconds of CPU time it has for a ply."""

    kind: str
    time_s: float | None = None

    def __str__(self) -> str:
        return self.kind if self.time_s is None else f"{self.kind} {self.time_s:g} s"

    def bot(self) -> Bot:
        return {"random": RandomBot, "greedy": Greedy, "search": Search}[self.kind]()

    def budget(self) -> Budget:
        return Budget(time_s=self.time_s or 60.0, clock_s=time.thread_time)


@dataclass(frozen=True)
class Match:
    """Games of two players: each deal is played twice, so that both begin it once."""

    game: str
    one: Player
    two: Player
    least: float | None = None
    """The share that the first player should reach."""
    games: int = GAMES
    minutes: float | None = None
    """A match that is only reported ends after so many minutes of CPU time."""

    @property
    def name(self) -> str:
        return f"{self.game}-{self.one}-{self.two}".replace(" ", "")


@dataclass(frozen=True)
class Played:
    """What came out of one game: 1, 0.5 or 0 for the first player. `seconds` and `thought_s` are CPU time."""

    result: float
    plies: int
    seconds: float
    playouts: int
    thought_s: float
    reason: str


def matches() -> Iterator[Match]:
    """All matches, the longest first."""
    greedy, search = Player("greedy"), Player("search", 0.5)
    for game in ("kamikaze-cans", "crate-wars", "pick-and-pack"):
        yield Match(game, search, greedy, 0.7)
    for game in ("yuzu-twist", "war-chest"):
        yield Match(game, search, greedy, minutes=MINUTES)
    for game in registry.ids():
        yield Match(game, Player("search", 2.0), Player("search", 0.2), minutes=MINUTES)
    for game in registry.ids():
        yield Match(game, greedy, Player("random"), 0.8)


# --- playing ----------------------------------------------------------------------------------------------------------


def play_match(match: Match, kept: Path) -> list[Played]:
    """Plays what is missing of a match, a line a game in its file, and gives all its games."""
    file = kept / f"{match.name}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    _cut_unfinished(file)
    played = read_match(file)
    with file.open("a", encoding="utf-8") as lines:
        while len(played) < match.games and not _is_late(match, played):
            played.append(play_game(match, len(played)))
            lines.write(json.dumps(vars(played[-1])) + "\n")
            lines.flush()
    return played


def read_match(file: Path) -> list[Played]:
    """The games in a match's file; a line that was not written to its end does not count."""
    return [Played(**json.loads(line)) for line in _whole_lines(file)]


def _whole_lines(file: Path) -> list[str]:
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return text.rpartition("\n")[0].splitlines()


def _cut_unfinished(file: Path) -> None:
    """Takes off a line that was not written to its end. Whoever only reads a file leaves it as it is."""
    if file.exists() and not file.read_text(encoding="utf-8").endswith("\n"):
        file.write_text("".join(f"{line}\n" for line in _whole_lines(file)), encoding="utf-8")


def _is_late(match: Match, played: list[Played]) -> bool:
    """Whether its time is over; a deal that was begun is played from both seats."""
    spent_s = sum(each.seconds for each in played)
    return match.minutes is not None and len(played) % 2 == 0 and spent_s >= 60 * match.minutes


def play_game(match: Match, number: int) -> Played:
    """Game `number` of a match: even ones have the first player in seat 0."""
    game = registry.game(match.game)
    options = game.read_options(OPTIONS.get(match.game, {}), 2)
    deal, rng = Random(f"deal {number // 2}"), Random(f"{match.name} {number}")
    state = game.start(game.read_setup(game.deal(2, options, deal), options, 2), options, 2)
    first = number % 2
    players = (match.one, match.two) if first == 0 else (match.two, match.one)
    bots, budgets = [each.bot() for each in players], [each.budget() for each in players]
    plies, playouts, thought_s, began_s = 0, 0, 0.0, time.thread_time()
    turn: Any = None
    while plies < MOST_PLIES:
        state = settle(game, state, rng)
        turn = game.turn(state)
        if isinstance(turn, Over):
            break
        seat = turn.seats[0]
        asked_s = time.thread_time()
        decision = bots[seat].choose(game, game.view(state, seat), rng, budgets[seat])
        if seat == first:
            playouts += decision.playouts
            thought_s += time.thread_time() - asked_s
        state = game.apply(state, decision.ply)
        plies += 1
    over = isinstance(turn, Over)
    result = outcome(turn, 2)[first] if over else 0.5
    seconds = time.thread_time() - began_s
    return Played(result, plies, seconds, playouts, thought_s, turn.reason if over else "too long")


# --- the page ---------------------------------------------------------------------------------------------------------


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share by Wilson's score; with draws counted half it is a little wider than it need be."""
    z = 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - half, middle + half


def section(kept: Path, listed: list[Match]) -> Iterator[str]:
    """The section of the page, from the games kept."""
    yield "## Bots\n"
    yield "`make bench-bots`: both seats equally often, each deal played twice; a draw counts half; 95 % intervals by"
    yield f"Wilson's score. All times are seconds of CPU time. Quiet limits: {_told_options()}. Greedy and random play"
    yield f"as long as they like; matches without an aim end after {MINUTES:.0f} minutes at most.\n"
    yield from _table(kept, listed)
    missing = [match.name for match in listed if not read_match(kept / f"{match.name}.jsonl")]
    if missing:
        yield f"\nNot played yet: {', '.join(missing)}."
    for folder in sorted(kept.glob("times-*")):
        factor = float(folder.name.removeprefix("times-"))
        yield f"\nThe same with all times multiplied by {factor:g} (`docs/bench_bots.py --factor {factor:g}`):\n"
        yield from _table(folder, [_faster(match, factor) for match in matches()])


def _table(kept: Path, listed: list[Match]) -> Iterator[str]:
    yield "| game | match | games | share | 95 % | aim | drawn | plies a game | playouts/s of the first |"
    yield "|---|---|--:|--:|---|--:|--:|--:|--:|"
    for match in listed:
        played = read_match(kept / f"{match.name}.jsonl")
        if played:
            yield _row(match, played)
    yield from _more_time(kept, listed)


def _more_time(kept: Path, listed: list[Match]) -> Iterator[str]:
    """Of the matches of a bot against itself with less time: in which games the interval shows that more time helps."""
    shown: dict[bool, list[str]] = {True: [], False: []}
    together: list[Played] = []
    for match in listed:
        played = read_match(kept / f"{match.name}.jsonl")
        if played and match.one.kind == match.two.kind:
            together += played
            low, _ = wilson(sum(each.result for each in played) / len(played), len(played))
            shown[low > 0.5].append(f"{match.game} ({len(played)} games)")
    if shown[True]:
        yield f"\nMore time plays better in {', '.join(shown[True])}: the whole interval lies above 50 %."
    if shown[False]:
        yield f"\nMore time is not shown to help, as the interval reaches down to 50 %: {', '.join(shown[False])}."
    if together:
        share = sum(each.result for each in together) / len(together)
        low, high = wilson(share, len(together))
        yield (f"\nAll games together: {100 * share:.0f} % of {len(together)} games for the bot with more time "
               f"({100 * low:.0f}–{100 * high:.0f} %).")


def _row(match: Match, played: list[Played]) -> str:
    games = len(played)
    share = sum(each.result for each in played) / games
    low, high = wilson(share, games)
    aim = "–" if match.least is None else f"{100 * match.least:.0f} %"
    plies = sum(each.plies for each in played) / games
    playouts, thought_s = sum(each.playouts for each in played), sum(each.thought_s for each in played)
    pace = f"{playouts / thought_s:,.0f}" if playouts else "–"
    drawn = sum(each.result == 0.5 for each in played)
    interval = f"{100 * low:.0f}–{100 * high:.0f} %"
    return (
        f"| {match.game} | {match.one} : {match.two} | {games} | {100 * share:.0f} % | {interval} | {aim} "
        f"| {drawn} | {plies:.0f} | {pace} |"
    )


def _told_options() -> str:
    return ", ".join(f"{game} {options['quiet_limit']}" for game, options in OPTIONS.items())


def write_page(text: str) -> None:
    """Puts the section into the page, in place of the old one or at its end."""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else "# Benchmarks\n"
    part = f"<!-- bots -->\n{text}\n<!-- /bots -->"
    if "<!-- bots -->" in page:
        page = re.sub(r"<!-- bots -->\n.*?\n<!-- /bots -->", lambda _: part, page, flags=re.S)
    else:
        page = f"{page.rstrip()}\n\n{part}\n"
    PAGE.write_text(page, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Lets the bots play each other, writes docs/benchmarks.md.")
    parser.add_argument("--only", default="", metavar="TEXT", help="matches whose names contain this")
    parser.add_argument("--table", action="store_true", help="play nothing, write the page")
    parser.add_argument("--games", type=int, default=GAMES, help="at most so many games a match (%(default)s)")
    parser.add_argument("--minutes", type=float, help="at most so many minutes for every match")
    parser.add_argument("--factor", type=float, default=1.0, help="all times a ply times this (%(default)s)")
    parser.add_argument("--parallel", type=int, default=2, help="so many matches at a time (%(default)s)")
    args = parser.parse_args()
    kept = KEPT if args.factor == 1.0 else KEPT / f"times-{args.factor:g}"
    listed = [_changed(match, args) for match in matches() if args.only in match.name]
    if not args.table:
        with ProcessPoolExecutor(args.parallel) as pool:
            for match, played in zip(listed, pool.map(play_match, listed, [kept] * len(listed))):
                print(_row(match, played), file=sys.stderr, flush=True)
    if args.factor == 1.0:
        write_page("\n".join(section(kept, list(matches()))))
        print(PAGE)
    else:
        print("\n".join(_table(kept, listed)))


def _changed(match: Match, args: argparse.Namespace) -> Match:
    minutes = match.minutes if args.minutes is None else args.minutes
    return replace(_faster(match, args.factor), games=min(match.games, args.games), minutes=minutes)


def _faster(match: Match, factor: float) -> Match:
    """The match with all times a ply multiplied; such a match aims at nothing."""
    if factor == 1.0:
        return match
    one, two = (
        player if player.time_s is None else replace(player, time_s=player.time_s * factor)
        for player in (match.one, match.two)
    )
    return replace(match, one=one, two=two, least=None)


if __name__ == "__main__":
    main()
