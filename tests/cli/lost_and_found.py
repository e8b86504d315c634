# ruff: noqa: T201 (a script prints)
"""Made-up games through the chain with eyes that misread some things for good, and miss looks: what it costs.

    python -m tests.cli.lost_and_found [GAME…] [--games N] [--first N] [--unseen N] [--mistaken N] [--ghosts N] \
        [--stuck N] [--dropped SHARE] [--odds 8 2 1] [--noise]
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.cli.chain import Answerer, Chain
from companion.cli.judge_plies import PlyCounts, PlyJudge
from companion.cli.played import replayed
from companion.engine.record import OpenedGame
from companion.interpret.trial_games import Story, looks_at
from companion.table import Observation
from tests.cli.truth_chain import words
from tests.interpret.fuzz_selfplay import GAMES, made_up
from tests.interpret.lasting_faults import LastingFaults, faults_of
from tests.interpret.truth_eyes import Noise
from vision.imaging.frame import Look


@dataclass(frozen=True, slots=True)
class Hard:
    """How hard looks are: lasting faults by kind, the share of looks that are lost, odds of one to three plies between
    looks, whether eyes err besides."""

    unseen: int = 0
    mistaken: int = 0
    ghosts: int = 0
    stuck: int = 0
    dropped: float = 0.0
    odds: Sequence[int] = (8, 2, 1)
    noise: bool = False


@dataclass(slots=True)
class Fared:
    """How plies fared, and how long looks took."""

    counts: PlyCounts
    ms: list[float]
    odd_setup: bool = False

    def line(self) -> str:
        c, ms = self.counts, sorted(self.ms) or [0.0]
        return (f"{c.right:4} right of {c.plies:4}, asked {c.asked:3} missed {c.missed:3} WRONG {c.silently_wrong} "
                f"  ms {statistics.median(ms):.0f} p95 {ms[int(0.95 * (len(ms) - 1))]:.0f} worst {ms[-1]:.0f}")


class _Frames:
    """As many frames as there are looks."""

    def __init__(self, count: int) -> None:
        self.pictures = [None] * count

    def frame(self, index: int) -> Any:
        return index


class _Told:
    """Eyes that give these looks."""

    def __init__(self, looks: Sequence[Observation]) -> None:
        self.looks = looks

    def look(self, frame: Any) -> Look:
        return Look(frame, float(frame), "free", None, (), self.looks[frame], {})


def hard_looks(story: Story, seed: int, hard: Hard) -> Iterator[tuple[int, Observation]]:
    """Looks at a story, each after so many plies."""
    rng, faults = Random(f"looks/{seed}"), LastingFaults()
    for n, look in enumerate(looks_at(story, seed, Noise(seed=seed) if hard.noise else None, hard.odds)):
        if n == 0:
            counts = hard.unseen, hard.mistaken, hard.ghosts, hard.stuck
            faults = faults_of(story.layout, look.observation, seed, *counts)
        if n == 0 or not rng.random() < hard.dropped:
            yield look.done, faults.seen(look.observation, first=n == 0)


def fared(story: Story, looks: Sequence[tuple[int, Observation]], verbose: bool = False) -> Fared:
    """How a story's plies fare, read by these looks."""
    game, players = story.game, len(story.game.scores(story.states[0]))
    options = game.read_options(game.at_table(game.read_options({}, players)), players)
    opened = OpenedGame(game, {}, options, story.setup, players, story.states[0])
    played = replayed(opened, story.plies)
    chain = Chain(_Told([each for _, each in looks]), opened, words(), Answerer.of(played))
    found = Fared(PlyCounts(), [])
    judge = PlyJudge(played, found.counts)
    lines = list(chain.lines(_Frames(len(looks))))[1:]  # type: ignore[arg-type]
    for (done, _), line in zip(looks, lines, strict=True):
        judge.hear(line)
        judge.look(done)
        found.ms.append(line["ms"]["interpret"])
        if verbose:
            told = [each["action"] for each in line["plies"]]
            print("   ", done, f"-{line['taken_back']}", told, "asked:", line["asked"], line["odd"])
    judge.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--games", dest="number", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--plies", type=int, default=30)
    for name in ("unseen", "mistaken", "ghosts", "stuck"):
        parser.add_argument(f"--{name}", type=int, default=0)
    parser.add_argument("--dropped", type=float, default=0.0)
    parser.add_argument("--odds", type=int, nargs=3, default=(8, 2, 1))
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    hard = Hard(args.unseen, args.mistaken, args.ghosts, args.stuck, args.dropped, args.odds, args.noise)
    for game in args.games or GAMES:
        total = Fared(PlyCounts(), [])
        for seed in range(args.first, args.first + args.number):
            story = made_up(game, seed, args.plies)
            one = fared(story, list(hard_looks(story, seed, hard)), args.verbose)
            total.ms += one.ms
            for name in ("plies", "right", "asked", "missed", "silently_wrong"):
                setattr(total.counts, name, getattr(total.counts, name) + getattr(one.counts, name))
            if args.verbose or one.counts.silently_wrong:
                print(game, seed, one.line(), [t for t in one.counts.troubles if t.what == "wrong"], flush=True)
        print(f"{game:14}", total.line(), flush=True)


if __name__ == "__main__":
    main()
