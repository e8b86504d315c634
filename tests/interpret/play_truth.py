"""Plays picture sets, or made-up games, through the interpretation with eyes made from the truth.

    python -m tests.interpret.play_truth SET… [--noise] [--seeds N] [--verbose]
"""
# ruff: noqa: T201

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.engine import AnyGame, Json, Ply, record
from companion.games import registry
from companion.interpret import Ambiguous, Interpreter, Moved, Odd, Unchanged
from companion.table import Layout, Observation
from companion.words import load
from tests.interpret.truth_eyes import Noise, TruthEyes, free_frames


@dataclass(frozen=True, slots=True)
class Story:
    """What was really played: a game, its set-up, its plies and the states before each and after the last."""

    game: AnyGame
    setup: Json
    plies: Sequence[Ply[Any]]
    states: Sequence[Any]

    @property
    def layout(self) -> Layout:
        return self.game.layout(self.setup)

    def as_good(self, done: int) -> list[Any]:
        """The states that a look after `done` plies may be believed to show: what changed nothing may be left out."""
        placement = self.game.placement
        first = done
        while first and placement(self.states[first - 1]) == placement(self.states[done]):
            first -= 1
        return list(self.states[first : done + 1])


@dataclass(slots=True)
class Tally:
    """Free looks by how the plies that they show were taken. `untold`: the table stands as believed, but nothing on it
    tells how it came to be so."""

    looks: Counter[str] = field(default_factory=Counter)
    interpret_ms: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    spots_wrong: int = 0

    def line(self) -> str:
        ms = self.interpret_ms or [0.0]
        counts = "  ".join(f"{name} {self.looks[name]}" for name in (
            "right", "asked", "late", "missed", "odd", "false question", "untold", "silently wrong"))
        return f"{counts}  stands wrong {self.spots_wrong}  ms {statistics.median(ms):.1f} median {max(ms):.0f} worst"


def story_of(folder: Path) -> Story:
    """The record of a set; War Chest as the referee sees it."""
    head, *lines = (folder / "record.jsonl").read_text(encoding="utf-8").splitlines()
    header = json.loads(head)
    opened = record.read_header(header, registry.game)
    if "knowledge" in opened.options:
        header["options"]["knowledge"] = "referee"
        opened = record.read_header(header, registry.game)
    game, plies, states = opened.game, [], [opened.state]
    for line in lines:
        given = json.loads(line)
        if "action" not in given:
            break
        ply = record.read_ply({key: given[key] for key in ("player", "action")}, game)
        ply = Ply(ply.player, game.open_action(ply.action, opened.options))
        plies.append(ply)
        states.append(game.apply(states[-1], ply))
    return Story(game, opened.setup, plies, states)


def play(
    story: Story, looks: Iterable[tuple[int, Observation, Any]], verbose: bool = False, patience: int | None = None
) -> Tally:
    """Plays through looks, each with the number of plies done; questions are answered by the truth.

    What is wrong stays so, or is put right by a person after so many looks.
    """
    game = story.game
    words = load("en", [game.words])
    interpreter = Interpreter(game, story.layout)
    belief = interpreter.begin(story.states[0])
    tally, last, behind, borne = Tally(), 0, False, 0
    for done, observation, truth in looks:
        good = story.as_good(done)
        started = time.process_time()
        step = interpreter.look(belief, observation)
        tally.interpret_ms.append(1000 * (time.process_time() - started))
        said, asked = step.outcome, False
        outcomes = [said]
        while isinstance(step.outcome, Ambiguous):
            asked = True
            states = [each.state for each in step.belief.question.explanations]  # type: ignore[union-attr]
            truly = next((i for i, state in enumerate(states) if state in good), None)
            step = interpreter.answer(step.belief, truly)
            outcomes.append(step.outcome)
        moved = done > last or behind
        state = step.belief.now.state
        if state in good:
            kind = "asked" if asked and moved else "false question" if asked else "late" if behind else "right"
            kind = kind if moved or asked else "still"
            behind = False
        elif isinstance(said, Odd):
            kind, behind = "odd", True
        elif any(isinstance(each, Moved) and each.plies for each in outcomes) and state not in story.states[:done]:
            same = game.placement(state) == game.placement(story.states[done])
            kind, behind = "untold" if same else "silently wrong", True
        else:
            kind, behind = "missed", True
        tally.looks[kind] += 1
        notes = []
        if kind not in ("right", "still"):
            notes = [_said(game, words, each) for each in outcomes]
            truly_played = [game.write_action(ply.action) for ply in story.plies[last:done]]
            tally.wrong.append(f"look {observation.at_s:.0f} ply {done}: {kind}; played {truly_played}: {notes}")
        if truth is not None and state in good:
            tally.spots_wrong += _stands_wrong(interpreter.believed_pieces(step.belief), truth)
        borne = borne + 1 if behind else 0
        belief, last = step.belief, done
        if patience is not None and borne > patience:
            belief = interpreter.look(interpreter.corrected(story.states[done]), observation).belief
            behind, borne = False, 0
        if verbose:
            print(f"{observation.at_s:.0f} ply {done} {kind} {tally.interpret_ms[-1]:.0f} ms {notes}")
    return tally


def _said(game: AnyGame, words: Any, outcome: Any) -> str:
    if isinstance(outcome, Moved):
        return f"moved -{outcome.taken_back} {[game.write_action(p.action) for p in outcome.plies]}"
    if isinstance(outcome, Ambiguous):
        choices = [(round(c.confidence, 3), c.taken_back, [game.write_action(p.action) for p in c.plies])
                   for c in outcome.choices]
        return f"asked {choices}"
    if isinstance(outcome, Odd):
        return f"odd {[words.say(each) for each in outcome.reasons]}"
    assert isinstance(outcome, Unchanged)
    return "unchanged"


def _stands_wrong(stands: Sequence[Any], truth: Any) -> int:
    from companion.cli.judge_spots import SEEN_ENOUGH, match_spots

    lines = [{"appearance": s.appearance, "at": list(s.at_mm), "spot": s.spot, "among": list(s.among)} for s in stands]
    sizes = dict.fromkeys((piece["appearance"] for piece in truth["pieces"]), 30.0)
    wrong = [each for each in match_spots(lines, truth["pieces"], sizes) if each.answer == "wrong"]
    return sum(each.piece is None or each.stand is not None or each.piece["visible"] >= SEEN_ENOUGH for each in wrong)


def looks_of(folder: Path, story: Story, noise: Noise | None) -> Iterable[tuple[int, Observation, Any]]:
    """The free frames of a set as these eyes see them."""
    pieces = json.loads((folder / "set.json").read_text(encoding="utf-8"))["pieces"]
    eyes = TruthEyes(story.layout, pieces, noise)
    for truth in free_frames(folder):
        yield truth["ply"], eyes.look(truth), truth


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--noise", action="store_true")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    for folder in args.sets:
        story = story_of(folder)
        for seed in range(args.seeds if args.noise else 1):
            tally = play(story, looks_of(folder, story, Noise(seed=seed) if args.noise else None), args.verbose)
            print(f"{folder.name:14} {tally.line()}", flush=True)
            print(*(f"    {each}" for each in tally.wrong), sep="\n", end="\n" if tally.wrong else "")


if __name__ == "__main__":
    main()
