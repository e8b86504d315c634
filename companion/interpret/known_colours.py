"""Which colour a drink in a crate has, told by how each colour of its shape looked where it was known to stand.

In one light and one shape all reds are taken for somewhat orange, or all oranges for somewhat red: what eyes say of a
single drink is doubtful by nats, and is so again at the next look. But what they say of a red one and of an orange one
differs, time after time. (Of shapes this does not hold: those are told by where a drink stands in the picture.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.interpret.evidence import Evidence
from companion.interpret.matching import WORST_NATS
from companion.table import Appearance, Placement, shape_of

LIKENESS_NATS, LIKENESS_SHARE = 0.1, 0.2
"""How far what is said of one drink differs from look to look (scale of a Laplace distribution, for few differ by much
more): so many nats, and so much of what it differs from another colour by (`tests/vision/score_likeness.py`)."""

Said = Mapping[Appearance, float]


def with_known_colours(evidence: Evidence, before: Placement) -> Evidence:
    """The same evidence with what places that were read anew cost by how each colour looked at the look that readings
    are compared with, when `before` stood."""
    seen = evidence.last.places
    known: dict[str, dict[Appearance, Said]] = {}
    for place in evidence.index.carrier.keys() & seen.keys():
        for name in before.get(place, ())[-1:]:
            known.setdefault(shape_of(name), {})[name] = seen[place].costs
    anew = [place for place in evidence.index.carrier.keys() & evidence.places.keys()
            if evidence.places[place].looks and evidence.likeliest(place)]
    likened = {place: {name: nats for alike in known.values()
                       for name, nats in liken(evidence.places[place].costs, alike).items()} for place in anew}
    return replace(evidence, likened=likened)


def liken(costs: Said, known: Mapping[Appearance, Said]) -> dict[Appearance, float]:
    """What a reading costs in nats as each drink of one shape, by what those cost where they were `known` to stand: 0
    as the one that it is most like, besides what the reading costs as any of them."""
    least = min(costs.get(name, WORST_NATS) for name in known)
    return {name: least + max(_less_like(costs, name, rival, known) for rival in known) for name in known}


def _less_like(costs: Said, name: Appearance, rival: Appearance, known: Mapping[Appearance, Said]) -> float:
    """By how many nats a reading is less like that of `name` than like that of a rival; negative if it is more so."""
    def said(of: Said) -> float:
        return of.get(rival, WORST_NATS) - of.get(name, WORST_NATS)

    return farther_nats(said(costs), said(known[name]), said(known[rival]))


def farther_nats(now: float, own: float, other: float) -> float:
    """By how many nats it is less likely that what is said `now` is what was said of one colour (`own`) than of the
    other: by so many nats each was told from the other."""
    return (abs(now - own) - abs(now - other)) / (LIKENESS_NATS + LIKENESS_SHARE * abs(own - other))
