"""Which mutants are tried: as many from every area, drawn with a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

AREAS = {
    "engine": ("companion.engine.",),
    "Kamikaze Cans": ("companion.games.kamikaze_cans.",),
    "interpret": ("companion.interpret.",),
    "session": ("companion.session.",),
    "web": ("web.",),
    "eyes": ("vision.",),
}
"""What the names of an area's mutants begin with."""


def by_area(names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The mutants of every area, in the order of their names."""
    return {area: sorted(name for name in names if name.startswith(begins)) for area, begins in AREAS.items()}


def drawn(names: Sequence[str], seed: int, count: int) -> Mapping[str, Sequence[str]]:
    """At least `count` mutants, equally many from every area as far as it has them; the same for the same seed."""
    rng = Random(seed)
    each = -(-count // len(AREAS))
    return {area: sorted(rng.sample(those, min(each, len(those)))) for area, those in by_area(names).items()}
