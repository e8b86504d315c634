# ruff: noqa: T201 (a script prints)
"""How often turns are handed over before anybody looked, by the records and free looks of sets:
`python -m tests.interpret.score_handovers SET…`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from companion.interpret.handovers import Handovers, shown_by
from companion.interpret.trial_games import Story
from tests.interpret.play_truth import story_of
from tests.interpret.truth_eyes import free_frames


def handovers_of(story: Story, looks: Sequence[int]) -> Handovers:
    """The turns handed over in a story with looks after so many plies."""
    turns, done = Handovers(), 0
    for then in looks:
        shown = shown_by(story.game, story.states[done], tuple(story.plies[done:then]))
        turns = turns.after([ply.player for ply in shown])
        done = then
    return turns


def main() -> None:
    """Prints the turns handed over in each game, with a look in between and without."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", type=Path, nargs="+")
    seen: Counter[str] = Counter()
    unseen: Counter[str] = Counter()
    for folder in parser.parse_args().sets:
        story = story_of(folder)
        turns = handovers_of(story, sorted({truth["ply"] for truth in free_frames(folder)}))
        seen[story.game.id] += turns.seen
        unseen[story.game.id] += turns.unseen
    for game in sorted(seen):
        print(f"{game:14} turns handed over with a look {seen[game]}, without {unseen[game]}")


if __name__ == "__main__":
    main()
