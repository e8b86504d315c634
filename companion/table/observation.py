"""What the eyes report: for each thing looked at, the log-likelihood of the picture under each appearance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.table.pieces import Appearance, Point, Spot

EMPTY: Appearance = ""
"""In a `Sight`, the key for "nothing stands here"."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One place, or one thing standing in a zone.

    `at_mm` is the centre of its foot in the table frame, `turn_deg` (anticlockwise) the turn of its face, None where
    that cannot be seen: both as measured, so that a piece which was lifted and put back shows. `loglik` gives in nats
    the log-likelihood of the picture for each appearance that could be there and for `EMPTY`; only differences within
    one sight have a meaning. `fresh` is false where nothing changed since an earlier look and that look's reading is
    repeated. `feet_mm` is the centre of the foot under each of these appearances, where it depends on them: a higher
    piece that looks the same stands nearer to the point below the camera. Where a face looks the same at several turns,
    at so many (`folds`), `turn_deg` is one of them.
    """

    spot: Spot
    at_mm: Point
    loglik: Mapping[Appearance, float]
    turn_deg: float | None = None
    fresh: bool = True
    feet_mm: Mapping[Appearance, Point] = field(default_factory=dict)
    folds: int = 1

    @property
    def likeliest(self) -> Appearance:
        """The appearance of the highest likelihood; `EMPTY` where nothing is told."""
        return max(self.loglik, key=self.loglik.__getitem__, default=EMPTY)


@dataclass(frozen=True, slots=True)
class Observation:
    """One free look at the table.

    `sights`: each place that can be seen exactly once, also when it is empty; in a zone one sight for each thing that
    may stand there. `zones`: the zones that can be seen whole; a zone that is not among them, or a place without a
    sight, is covered, and nothing is known of it. What lies under another piece (`Place.under`, all but the top of a
    pile) needs no sight; a place on a carrier (`standing`) has one only while the carrier stands there. `arms`:
    the players who were seen to reach over the table since the look before, and `unread_s`: for how long it could not
    be read since then without that. `unwatched_s`: the longest time without a picture.
    """

    at_s: float
    sights: tuple[Sight, ...]
    zones: frozenset[Spot] = frozenset()
    arms: frozenset[int] = frozenset()
    unread_s: float = 0.0
    unwatched_s: float = 0.0


def turn_between_deg(one_deg: float, other_deg: float, folds: int = 1) -> float:
    """By how much two turns differ at least, of a face that looks the same at so many: 0 to 180 degrees over them."""
    period_deg = 360.0 / folds
    return abs((other_deg - one_deg + period_deg / 2.0) % period_deg - period_deg / 2.0)
