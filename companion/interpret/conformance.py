"""Whether a game can be followed by looks alone: what `companion.engine.conformance` is for the rules.

    follows(GAME, players=2, rng=Random(1))    # raises ConformanceError, or is silent

plays a made-up game, looks at it after every ply with eyes made from the truth, and compares what the interpretation
says was played.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from companion.engine import AnyGame, Json
from companion.engine.trial import ConformanceError
from companion.interpret.interpreter import Interpreter
from companion.interpret.trial_eyes import TrialNoise
from companion.engine.play import PlyOf
from companion.interpret.trial_games import Story, TrialTally, judged_looks, looks_at, made_up, varied_ply

EVERY_PLY = (1, 0, 0)
"""The odds of one, two or three plies between looks."""
PATIENCE = 1
"""After so many wrong looks a person puts the state right."""
MAX_DOUBTFUL = 0.25
"""How many looks may be asked about, missed or odd, for each that is right."""
MAX_QUOTED = 3
"""How many wrong looks an error shows."""


def follows(
    game: AnyGame, players: int, rng: Random, options: Mapping[str, Json] | None = None, max_plies: int = 40,
    noise: TrialNoise | None = None, ply_of: PlyOf = varied_ply,
) -> TrialTally:
    """Plays one made-up game by looks; raises `ConformanceError` where what is believed is wrong and nobody is told.

    With perfect eyes (no `noise`) most looks must also be read right, not asked about.
    """
    story = made_up(game, rng, players, options, max_plies, ply_of)
    tally = tally_of(story, rng.randrange(2**32), noise)
    doubtful = sum(tally.looks[each] for each in ("asked", "missed", "odd"))
    if tally.looks["silently wrong"]:
        raise ConformanceError(f"{game.id}: a ply is read wrong, and nobody is told. Shows the placement every ply? "
                               f"{tally.wrong[:MAX_QUOTED]}")
    if noise is None and doubtful > MAX_DOUBTFUL * tally.looks["right"]:
        raise ConformanceError(f"{game.id}: of {sum(tally.looks.values())} looks {doubtful} are doubtful, although "
                               f"everything is seen. Do plies look alike on the table? {tally.wrong[:MAX_QUOTED]}")
    return tally


def tally_of(story: Story, seed: int, noise: TrialNoise | None = None) -> TrialTally:
    """How the looks at a game are taken."""
    tally, last = TrialTally(), 0
    interpreter = Interpreter(story.game, story.layout)
    for judged in judged_looks(story, looks_at(story, seed, noise, EVERY_PLY), interpreter, PATIENCE):
        tally.add(story, judged, last)
        last = judged.look.done
    return tally
