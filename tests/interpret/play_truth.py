"""Plays picture sets, or made-up games, through the interpretation with eyes made from the truth.

    python -m tests.interpret.play_truth SET… [--noise] [--seeds N] [--verbose]
"""
# ruff: noqa: T201

import argparse
import json
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.engine import AnyGame, Ply, record
from companion.games import registry
from companion.interpret import Interpreter
from companion.interpret.trial_games import StoryLook, Story, TrialTally, judged_looks, told_by
from companion.table import Layout
from tests.interpret.truth_eyes import Noise, TruthEyes, free_frames

__all__ = ["Story", "Tally", "looks_of", "play", "story_of"]


@dataclass(slots=True)
class Tally(TrialTally):
    """Free looks by how the plies that they show were taken."""

    interpret_ms: list[float] = field(default_factory=list)
    spots_wrong: int = 0

    def line(self) -> str:
        ms = self.interpret_ms or [0.0]
        counts = "  ".join(f"{name} {self.looks[name]}" for name in (
            "right", "asked", "late", "missed", "odd", "false question", "untold", "silently wrong"))
        return f"{counts}  stands wrong {self.spots_wrong}  ms {statistics.median(ms):.1f} median {max(ms):.0f} worst"


class Timed(Interpreter):
    """An interpreter that says how long its looks took."""

    def __init__(self, game: AnyGame, layout: Layout) -> None:
        super().__init__(game, layout)
        self.ms: list[float] = []

    def look(self, belief: Any, observation: Any) -> Any:
        started = time.process_time()
        update = super().look(belief, observation)
        self.ms.append(1000 * (time.process_time() - started))
        return update


def story_of(folder: Path) -> Story:
    """The record of a set, as a table shows it."""
    head, *lines = (folder / "record.jsonl").read_text(encoding="utf-8").splitlines()
    header = json.loads(head)
    opened = record.read_header(header, registry.game)
    opened = record.read_header({**header, "options": dict(opened.game.at_table(opened.options))}, registry.game)
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


def play(story: Story, looks: Iterable[StoryLook], verbose: bool = False, patience: int | None = None) -> Tally:
    """Plays through looks, each with the number of plies done; questions are answered by the truth.

    What is wrong stays so, or is put right by a person after so many looks.
    """
    interpreter = Timed(story.game, story.layout)
    tally, last = Tally(interpret_ms=interpreter.ms), 0
    for judged in judged_looks(story, looks, interpreter, patience):
        tally.add(story, judged, last)
        last, belief = judged.look.done, judged.update.belief
        if isinstance(judged.look.truth, Mapping) and story.is_as_good(belief.now.state, last):
            tally.spots_wrong += _stands_wrong(interpreter.believed_pieces(belief), judged.look.truth)
        if verbose:
            told = [told_by(story.game, each) for each in judged.outcomes]
            print(f"{judged.look.observation.at_s:.0f} ply {last} {judged.taken} {interpreter.ms[-1]:.0f} ms {told}")
    return tally


def _stands_wrong(stands: Sequence[Any], truth: Any) -> int:
    from companion.cli.judge_spots import SEEN_ENOUGH, match_spots

    lines = [{"appearance": s.appearance, "at": list(s.at_mm), "spot": s.spot, "among": list(s.among)} for s in stands]
    sizes = dict.fromkeys((piece["appearance"] for piece in truth["pieces"]), 30.0)
    wrong = [each for each in match_spots(lines, truth["pieces"], sizes) if each.answer == "wrong"]
    return sum(each.piece is None or each.stand is not None or each.piece["visible"] >= SEEN_ENOUGH for each in wrong)


def looks_of(folder: Path, story: Story, noise: Noise | None) -> Iterable[StoryLook]:
    """The free frames of a set as these eyes see them."""
    pieces = json.loads((folder / "set.json").read_text(encoding="utf-8"))["pieces"]
    eyes = TruthEyes(story.layout, pieces, noise)
    for truth in free_frames(folder):
        yield StoryLook(truth["ply"], eyes.look(truth), truth)


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
