"""Made-up games as looks and what the interpretation makes of them, as lines of text: `tests/data/stories`.

    python -m tests.interpret.told_stories     # writes them anew
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.engine import AnyGame
from companion.games import registry
from companion.interpret import Belief, Interpreter
from companion.interpret.explaining import explanations
from companion.interpret.explanation import Explanation
from companion.interpret.layout_index import index_layout
from companion.interpret.trial_eyes import TrialNoise
from companion.interpret.trial_games import (
    PLIES_BETWEEN_LOOKS, JudgedLook, Story, judged_looks, looks_at, made_up, told_by,
)
from companion.interpret.weighing import weigh, with_strays
from companion.table import COLOURS, EMPTY, Observation
from tests.interpret.told_evidence import told_evidence

FOLDER = Path(__file__).parents[1] / "data" / "stories"
NOISY = TrialNoise(seed=3, nats=2.0, confused=0.3, missed=0.05, extra=0.2)
ALL_BUT_BLIND = TrialNoise(seed=5, nats=5.0, confused=0.7, missed=0.25, extra=0.3)


@dataclass(frozen=True)
class Told:
    """What is told: a game of so many plies, and how the eyes err. After `patience` wrong looks a person helps."""

    game: str
    players: int
    plies: int
    noise: TrialNoise | None = NOISY
    patience: int | None = None
    odds: tuple[int, int, int] = PLIES_BETWEEN_LOOKS


STORIES: Mapping[str, Told] = {
    "cans": Told("kamikaze-cans", 2, 5, None), "three-cans": Told("kamikaze-cans", 3, 5),
    "doubtful-cans": Told("kamikaze-cans", 2, 8, ALL_BUT_BLIND, 1), "yuzu": Told("yuzu-twist", 2, 4),
    "pick": Told("pick-and-pack", 2, 6), "fast-pick": Told("pick-and-pack", 3, 8, None, 0, (0, 1, 1)),
    "chest": Told("war-chest", 2, 5), "crates": Told("crate-wars", 2, 4),
}
MOST_EXPLANATIONS = 3


def told(name: str) -> str:
    """A story as its file has it."""
    what = STORIES[name]
    story = made_up(registry.game(what.game, COLOURS), Random(name), what.players, max_plies=what.plies)
    return "\n".join([str(what), f"set-up {json.dumps(story.setup)}", *_looks(story, what)]) + "\n"


def _looks(story: Story, what: Told) -> Iterator[str]:
    interpreter = Interpreter(story.game, story.layout)
    belief, done = interpreter.begin(story.states[0]), 0
    is_first = True
    for judged in judged_looks(story, looks_at(story, 7, what.noise, what.odds), interpreter, what.patience):
        yield f"\nlook after {judged.look.done}"
        yield from (f"  played {json.dumps(story.game.write_action(ply.action))}"
                    for ply in story.plies[done : judged.look.done])
        yield from _sights(judged.look.observation, is_first)
        yield from (f"  could be {_explanation(story.game, each)}"
                    for each in _found(story, belief, judged.look.observation)[:MOST_EXPLANATIONS])
        yield from _judged(story, interpreter, judged)
        belief, done, is_first = judged.update.belief, judged.look.done, False


def _sights(observation: Observation, is_first: bool) -> Iterator[str]:
    """The first look whole; later what is read anew, but for empty places."""
    for sight in observation.sights:
        names = sorted(sight.loglik, key=lambda name: -sight.loglik[name])[: 3 if is_first else 2]
        if is_first or (sight.fresh and names[0] != EMPTY):
            turn = "" if sight.turn_deg is None else f" turned {sight.turn_deg:.1f}"
            nats = ", ".join(f"{name or 'nothing'} {sight.loglik[name]:.1f}" for name in names)
            yield f"  sees {sight.spot} at {sight.at_mm[0]:.2f} {sight.at_mm[1]:.2f}{turn}: {nats}"


def _found(story: Story, belief: Belief, observation: Observation) -> list[Explanation]:
    evidence = weigh(observation, belief.base.seen, index_layout(story.layout))
    return explanations(story.game, belief, with_strays(evidence, story.game.placement(belief.base.state)))


def _explanation(game: AnyGame, found: Explanation) -> str:
    plies = " ".join(json.dumps(game.write_action(ply.action)) for ply in found.plies) or "nothing"
    figures = f"cost {found.cost:.2f} excess {found.excess:.2f} flat {found.flat:.2f} rarity {found.rarity:.2f}"
    spots = f"handled {sorted(found.handled)} suspects {sorted(found.suspects)}"
    return f"-{found.taken_back} {plies}: {figures}{' faint' if found.faint else ''} {spots}"


def _judged(story: Story, interpreter: Interpreter, judged: JudgedLook) -> Iterator[str]:
    belief = judged.update.belief
    yield from (f"  {told_by(story.game, each)}" for each in judged.outcomes)
    yield f"  so {judged.taken}"
    yield f"  costs {({spot: round(cost, 2) for spot, cost in sorted(belief.now.costs.items()) if cost >= 0.5})}"
    yield from (f"  open at {each.spot} {each.at_mm[0]:.1f} {each.at_mm[1]:.1f}: {', '.join(each.among)}"
                for each in interpreter.believed_pieces(belief) if each.appearance is None)


if __name__ == "__main__":
    for each in STORIES:
        (FOLDER / f"{each}.txt").write_text(told(each), encoding="utf-8")
    (FOLDER / "evidence.txt").write_text(told_evidence(), encoding="utf-8")
