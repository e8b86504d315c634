"""Plays made-up games through the interpretation: other set-ups than those of the picture sets.

    python -m tests.interpret.fuzz_selfplay [GAME…] [--games N] [--odds 1 0 0] [--noise] [--nudged SHARE] [--lost SHARE]

`--nudged`: before so large a share of the looks a flat piece is pushed by 1 to 3.5 mm. `--lost`: so many looks are not
read.
"""
# ruff: noqa: T201

import argparse
from collections import Counter
from random import Random
from typing import Any

from companion.engine import AnyGame, Ply
from companion.games import registry
from companion.interpret import trial_games
from companion.interpret.trial_games import Story, looks_at, names_of, varied_ply
from companion.table import COLOURS
from tests.interpret.nudged import nudged
from tests.interpret.play_truth import play
from tests.interpret.truth_eyes import Noise

GAMES = ("kamikaze-cans", "yuzu-twist", "pick-and-pack", "war-chest", "crate-wars")


def made_up(game_id: str, seed: int, most_plies: int = 60) -> Story:
    """A random game from a random set-up."""
    rng = Random(f"{game_id}/{seed}")
    game = registry.game(game_id, COLOURS)
    return trial_games.made_up(game, rng, rng.choice(game.seats), max_plies=most_plies, ply_of=chosen)


def plies_of(game: AnyGame, state: Any, kind: str) -> list[Ply[Any]]:
    """The legal plies of one kind."""
    return [ply for ply in game.legal(state) if game.write_action(ply.action)["type"] == kind]


def chosen(game: AnyGame, state: Any, rng: Random) -> Ply[Any]:
    """One legal ply; two passes end a game of Crate Wars, so that they are rare."""
    return varied_ply(game, state, rng, "Pass" if game.id == "crate-wars" and rng.random() < 0.9 else None)


def appearances(story: Story) -> list[dict[str, str]]:
    """The pieces of a set of this game: all that ever lie at places of a kind."""
    return [{"name": name, "kind": kind} for kind, names in names_of(story).items() for name in names]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--games", dest="number", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=int, default=5, help="so many wrong looks of a game are shown")
    parser.add_argument("--odds", type=int, nargs=3, default=(8, 2, 1), help="of one, two or three plies between looks")
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--nudged", type=float, default=0.0)
    parser.add_argument("--lost", type=float, default=0.0)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    for game_id in args.games or GAMES:
        total: Counter[str] = Counter()
        for seed in range(args.first, args.first + args.number):
            story, lost = made_up(game_id, seed), Random(-seed)
            looks = list(looks_at(story, seed, Noise(seed=seed) if args.noise else None, args.odds))
            looks = [look for look in nudged(looks, story.layout, args.nudged, Random(seed))
                     if args.lost == 0.0 or lost.random() >= args.lost]
            tally = play(story, looks, args.verbose, patience=1)
            total += tally.looks
            print(f"{game_id:14} {seed:3} {tally.line()}", flush=True)
            print(*(f"    {each}" for each in tally.wrong[: args.most]), sep="\n", end="\n" if tally.wrong else "")
        print(game_id, dict(total))


if __name__ == "__main__":
    main()
