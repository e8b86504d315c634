"""Made-up games played through the interpretation: what it makes of each look, compared with what was played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any, Literal

from companion.engine import CHANCE, AnyGame, Chance, Choose, Json, Over, Ply
from companion.engine.play import PlyOf, random_choice
from companion.interpret.belief import Update
from companion.interpret.interpreter import Interpreter
from companion.interpret.outcome import Ambiguous, Moved, Odd, Outcome
from companion.interpret.trial_eyes import Readings, TrialEyes, TrialNoise, lay_tidily
from companion.table import Appearance, Layout, Observation, Spot

PLIES_BETWEEN_LOOKS = (8, 2, 1)
"""The odds that one, two or three plies are played before the next look."""
LOOKED_TWICE = 0.2
"""Odds of a second look at the same table."""

Taken = Literal["right", "still", "asked", "false question", "late", "missed", "odd", "untold", "silently wrong"]
"""How a look was taken: `still`: nothing was played, and nothing was told; `late`: what was missed before is told now;
`untold`: the table stands as believed, but nothing on it tells how it came to be so."""


@dataclass(frozen=True, slots=True)
class Story:
    """What was really played: a game, its set-up, its plies and the states before each and after the last."""

    game: AnyGame
    setup: Json
    plies: Sequence[Ply[Any]]
    states: Sequence[Any]

    @property
    def layout(self) -> Layout:
        """Where its spots lie."""
        return self.game.layout(self.setup)

    def as_good(self, done: int) -> list[Any]:
        """The states that a look after `done` plies may be believed to show: what changed nothing may be left out."""
        placement = self.game.placement
        first = done
        while first and placement(self.states[first - 1]) == placement(self.states[done]):
            first -= 1
        return list(self.states[first : done + 1])

    def is_as_good(self, state: Any, done: int) -> bool:
        """Whether a state shows to everybody what one of these does."""
        return self.game.open_state(state) in map(self.game.open_state, self.as_good(done))


@dataclass(frozen=True, slots=True)
class StoryLook:
    """A look after `done` plies, and what truly lay there."""

    done: int
    observation: Observation
    truth: Any


@dataclass(frozen=True, slots=True)
class JudgedLook:
    """A look and how it was taken; `update` is the last one, once questions were answered."""

    look: StoryLook
    taken: Taken
    outcomes: tuple[Outcome, ...]
    update: Update


@dataclass(slots=True)
class TrialTally:
    """Looks counted by how they were taken, and the wrong ones in words."""

    looks: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, story: Story, judged: JudgedLook, last: int) -> None:
        """Counts a look; `last` is how many plies were done at the one before."""
        self.looks[judged.taken] += 1
        if judged.taken not in ("right", "still"):
            played = [story.game.write_action(ply.action) for ply in story.plies[last : judged.look.done]]
            told = [told_by(story.game, each) for each in judged.outcomes]
            at_s, done = judged.look.observation.at_s, judged.look.done
            self.wrong.append(f"look {at_s:.0f} ply {done}: {judged.taken}; played {played}: {told}")



def varied_ply(game: AnyGame, state: Any, rng: Random, without: str | None = None) -> Ply[Any]:
    """One legal ply; types of actions with equal probability, so that rare ones come up. Those of the type `without`
    are chosen only where there is no other."""
    by_type: dict[type, list[Ply[Any]]] = {}
    for ply in game.legal(state):
        by_type.setdefault(type(ply.action), []).append(ply)
    types = sorted(by_type, key=lambda each: each.__name__)
    types = [each for each in types if each.__name__ != without] or types
    ply = rng.choice(by_type[rng.choice(types)])
    return Ply(ply.player, random_choice(game, ply.action, rng)) if isinstance(ply.action, Choose) else ply


def made_up(
    game: AnyGame, rng: Random, players: int, options: Mapping[str, Json] | None = None, max_plies: int = 60,
    ply_of: PlyOf = varied_ply,
) -> Story:
    """A random game from a random set-up, as a table can show it."""
    filled = game.read_options(game.at_table(game.read_options(options or {}, players)), players)
    setup = game.read_setup(game.deal(players, filled, rng), filled, players)
    return gone_on(game, setup, game.start(setup, filled, players), rng, max_plies, ply_of)


def gone_on(
    game: AnyGame, setup: Json, state: Any, rng: Random, max_plies: int, ply_of: PlyOf = varied_ply
) -> Story:
    """A random game from this state of a game with this set-up."""
    plies: list[Ply[Any]] = []
    states = [state]
    while len(plies) < max_plies and not isinstance(turn := game.turn(states[-1]), Over):
        is_chance = isinstance(turn, Chance)
        plies.append(Ply(CHANCE, game.sample(states[-1], rng)) if is_chance else ply_of(game, states[-1], rng))
        states.append(game.apply(states[-1], plies[-1]))
    return Story(game, setup, plies, states)


def looks_at(
    story: Story, seed: int, noise: TrialNoise | None = None, odds: Sequence[int] = PLIES_BETWEEN_LOOKS,
    readings: Readings | None = None,
) -> Iterator[StoryLook]:
    """Looks after one to three plies each, and now and then a second one."""
    rng = Random(seed)
    eyes = TrialEyes(story.layout, names_of(story), noise, readings)
    done = 0
    while True:
        things = lay_tidily(story.layout, story.game.placement(story.states[done]), _changed(story, done))
        yield StoryLook(done, eyes.look(float(done), things), things)
        if rng.random() < LOOKED_TWICE:
            yield StoryLook(done, eyes.look(float(done), things), things)
        if done == len(story.plies):
            return
        done = min(len(story.plies), done + rng.choices((1, 2, 3), odds)[0])


def names_of(story: Story) -> dict[str, list[Appearance]]:
    """All that ever lies at places of a kind."""
    kinds: dict[str, set[str]] = {}
    spots = {each.spot: each.kinds for part in (story.layout.places, story.layout.zones) for each in part}
    for state in story.states:
        for spot, pieces in story.game.placement(state).items():
            for kind in spots[spot]:
                kinds.setdefault(kind, set()).update(pieces)
    return {kind: sorted(kinds[kind]) for kind in sorted(kinds)}


def _changed(story: Story, done: int) -> dict[Spot, int]:
    """For each spot the ply that last changed it."""
    found: dict[Spot, int] = {}
    placements = [story.game.placement(state) for state in story.states[: done + 1]]
    for n, (a, b) in enumerate(pairwise(placements), start=1):
        found |= dict.fromkeys((spot for spot in a.keys() | b.keys() if a.get(spot) != b.get(spot)), n)
    return found


def judged_looks(
    story: Story, looks: Iterable[StoryLook], interpreter: Interpreter, patience: int | None = None
) -> Iterator[JudgedLook]:
    """What the interpretation makes of looks; questions are answered by the truth. What is wrong stays so, or is put
    right by a person after `patience` looks."""
    belief, last, behind, borne = interpreter.begin(story.states[0]), 0, False, 0
    for look in looks:
        update, outcomes = _answered(interpreter, interpreter.look(belief, look.observation), story, look.done)
        taken = _taken(story, look.done, update, outcomes, look.done > last or behind, behind)
        yield JudgedLook(look, taken, outcomes, update)
        behind = taken in ("odd", "untold", "silently wrong", "missed")
        borne = borne + 1 if behind else 0
        belief, last = update.belief, look.done
        if patience is not None and borne > patience:
            belief = interpreter.look(interpreter.corrected(story.states[look.done]), look.observation).belief
            behind, borne = False, 0


def _answered(
    interpreter: Interpreter, update: Update, story: Story, done: int
) -> tuple[Update, tuple[Outcome, ...]]:
    outcomes = [update.outcome]
    while isinstance(update.outcome, Ambiguous) and update.belief.question is not None:
        states = [each.state for each in update.belief.question.explanations]
        truly = next((number for number, state in enumerate(states) if story.is_as_good(state, done)), None)
        update = interpreter.answer(update.belief, truly)
        outcomes.append(update.outcome)
    return update, tuple(outcomes)


def _taken(
    story: Story, done: int, update: Update, outcomes: Sequence[Outcome], has_moved: bool, was_behind: bool
) -> Taken:
    state, asked = update.belief.now.state, len(outcomes) > 1
    if story.is_as_good(state, done):
        if asked:
            return "asked" if has_moved else "false question"
        return "still" if not has_moved else "late" if was_behind else "right"
    if isinstance(outcomes[0], Odd):
        return "odd"
    if any(isinstance(each, Moved) and each.plies for each in outcomes) and state not in story.states[:done]:
        same = story.game.placement(state) == story.game.placement(story.states[done])
        return "untold" if same else "silently wrong"
    return "missed"


def told_by(game: AnyGame, outcome: Outcome) -> str:
    """An outcome in one line."""
    match outcome:
        case Moved():
            return f"moved -{outcome.taken_back} {_written(game, outcome.plies)}"
        case Ambiguous():
            choices = [(round(each.confidence, 3), each.taken_back, _written(game, each.plies))
                       for each in outcome.choices]
            return f"asked {choices}"
        case Odd():
            return f"odd {[str(each) for each in outcome.reasons]}"
        case _:
            return "unchanged"


def _written(game: AnyGame, plies: Sequence[Ply[Any]]) -> list[Json]:
    return [game.write_action(ply.action) for ply in plies]
