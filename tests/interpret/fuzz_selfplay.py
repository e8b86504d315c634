"""Plays made-up games through the interpretation: other set-ups than those of the picture sets.

    python -m tests.interpret.fuzz_selfplay [GAME…] [--games N] [--odds 1 0 0] [--noise] [--verbose]
"""
# ruff: noqa: T201

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

from companion.engine import Chance, Choose, Over, Ply
from companion.games import registry
from companion.table import COLOURS, Layout, Observation
from tests.interpret.play_truth import Story, play
from tests.interpret.truth_eyes import Noise, TruthEyes, placed

GAMES = ("kamikaze-cans", "yuzu-twist", "pick-and-pack", "war-chest", "crate-wars")


def made_up(game_id: str, seed: int, most_plies: int = 60) -> Story:
    """A random game from a random set-up."""
    rng = Random(f"{game_id}/{seed}")
    game = registry.game(game_id, COLOURS)
    players = rng.choice(game.seats)
    given = {"knowledge": "referee"} if game_id == "war-chest" else {}
    options = game.read_options(given, players)
    setup = game.read_setup(game.deal(players, options, rng), options, players)
    plies, states = [], [game.start(setup, options, players)]
    while len(plies) < most_plies and not isinstance(turn := game.turn(states[-1]), Over):
        is_chance = isinstance(turn, Chance)
        ply = Ply("chance", game.sample(states[-1], rng)) if is_chance else chosen(game, states[-1], rng)
        plies.append(ply)
        states.append(game.apply(states[-1], ply))
    return Story(game, setup, plies, states)


def chosen(game: Any, state: Any, rng: Random) -> Any:
    """One legal ply; kinds of actions with equal probability, so that rare ones come up."""
    by_kind: dict[type, list[Any]] = {}
    for ply in game.legal(state):
        by_kind.setdefault(type(ply.action), []).append(ply)
    kinds = sorted(by_kind, key=lambda kind: kind.__name__)
    if game.id == "crate-wars" and rng.random() < 0.9:  # two passes end the game
        kinds = [kind for kind in kinds if kind.__name__ != "Pass"] or kinds
    ply = rng.choice(by_kind[rng.choice(kinds)])
    if not isinstance(ply.action, Choose):
        return ply
    choose = ply.action
    picked = rng.sample(choose.among, choose.number or rng.randrange(len(choose.among) + 1))
    action = game.read_action({"type": choose.type, **dict(choose.rest), choose.key: sorted(picked)})
    return Ply(ply.player, action)


def appearances(layout: Layout, story: Story) -> list[dict[str, Any]]:
    """The pieces of a set of this game: all that ever lie at places of a kind."""
    kinds: dict[str, set[str]] = {}
    spots = {each.spot: each.kinds for part in (layout.places, layout.zones) for each in part}
    for state in story.states:
        for spot, pieces in story.game.placement(state).items():
            for kind in spots[spot]:
                kinds.setdefault(kind, set()).update(pieces)
    return [{"name": name, "kind": kind} for kind in sorted(kinds) for name in sorted(kinds[kind])]


def looks_at(
    story: Story, seed: int, noise: Noise | None, odds: tuple[int, int, int] = (8, 2, 1)
) -> Iterator[tuple[int, Observation, Any]]:
    """Looks after one to three plies each, with these odds, and now and then a second one."""
    rng = Random(seed)
    eyes = TruthEyes(story.layout, appearances(story.layout, story), noise)
    done = 0
    while True:
        pieces = placed(story.layout, story.game.placement(story.states[done]), changes(story, done))
        truth = {"frame": done, "pieces": pieces}
        yield done, eyes.look(truth), truth
        if rng.random() < 0.2:
            yield done, eyes.look(truth), truth
        if done == len(story.plies):
            return
        done = min(len(story.plies), done + rng.choices((1, 2, 3), odds)[0])


def changes(story: Story, done: int) -> dict[str, int]:
    """For each spot the ply that last changed it."""
    found = {}
    placements = [story.game.placement(state) for state in story.states[: done + 1]]
    for n, (a, b) in enumerate(pairwise(placements), start=1):
        found |= dict.fromkeys((spot for spot in a.keys() | b.keys() if a.get(spot) != b.get(spot)), n)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--games", dest="number", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=int, default=5, help="so many wrong looks of a game are shown")
    parser.add_argument("--odds", type=int, nargs=3, default=(8, 2, 1), help="of one, two or three plies between looks")
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    for game_id in args.games or GAMES:
        total: Counter[str] = Counter()
        for seed in range(args.first, args.first + args.number):
            story = made_up(game_id, seed)
            looks = looks_at(story, seed, Noise(seed=seed) if args.noise else None, args.odds)
            tally = play(story, looks, args.verbose, patience=1)
            total += tally.looks
            print(f"{game_id:14} {seed:3} {tally.line()}", flush=True)
            print(*(f"    {each}" for each in tally.wrong[: args.most]), sep="\n", end="\n" if tally.wrong else "")
        print(game_id, dict(total))


if __name__ == "__main__":
    main()
