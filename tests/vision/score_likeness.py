# ruff: noqa: T201 (a script prints)
"""How alike one drink in a crate looks from look to look, beside what another colour of its shape looks like:
`python -m tests.vision.score_likeness SET…`.

Reads a set's free looks in order. Of each drink that was read anew it compares by how many nats it was told from each
other colour of its shape with how it was at its reading before, and with what was said where that other one stood.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from companion.interpret.known_colours import farther_nats
from companion.table import Appearance, shape_of
from tests.vision.score_exchanged import slots_seen
from tests.vision.scored_sets import sets_to_score
from vision.enrolment.picture_set import PictureSet

APART_NATS = ((0.3, 1.0), (1.0, 2.0), (2.0, 4.0), (4.0, 8.0), (8.0, math.inf))
"""Two colours are this far apart, by what was said of each where it stood."""

Readings = dict[Appearance, list[Mapping[Appearance, float]]]
"""What each drink was read as, each time that it was read anew: log-likelihoods."""


def readings_in(known: PictureSet) -> Readings:
    """The readings of one set's drinks in crates."""
    found: Readings = {}
    for seen, stood in slots_seen(known):
        for sight in seen.sights:
            if sight.fresh and sight.spot in stood:
                found.setdefault(stood[sight.spot], []).append(sight.loglik)
    return found


def compared(found: Readings) -> Iterator[tuple[float, float]]:
    """By how many nats two colours are apart, and how sure it is which of them a reading is like: below 0 of the wrong
    one."""
    for drink, own in found.items():
        for other, others in found.items():
            if drink == other or shape_of(drink) != shape_of(other):
                continue
            said, said_there = ([each[drink] - each[other] for each in some] for some in (own, others))
            for before, now in pairwise(said):
                apart, rival = before - said_there[-1], said_there[-1]
                if apart > 0:
                    yield apart, -farther_nats(now, before, rival)


def main() -> None:
    """Counts the sets named on the command line."""
    every: list[tuple[float, float]] = []
    for known in sets_to_score(__doc__):
        every += (found := list(compared(readings_in(known))))
        print(f"{known.folder.name}: {sum(sure < 0 for _, sure in found)} of {len(found)} more like the other",
              flush=True)
    for least, most in APART_NATS:
        sure = np.array([each for apart, each in every if least <= apart < most])
        if sure.size:
            print(f"{least} to {most} nats apart: {np.mean(sure < 0):.1%} of {sure.size} more like the other; that many"
                  f" are said to be: {np.mean(1 / (1 + np.exp(np.abs(sure)))):.1%}")


if __name__ == "__main__":
    main()
