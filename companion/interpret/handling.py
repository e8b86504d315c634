"""Handled or left alone: what a flat piece's place and turn tell, when the face on top is the same at two looks.

Nobody lays a piece down exactly as another lay. So a stack that was handled shows another turn or another centre, even
where its face is the same: a coin on a coin of its kind, a tray on an equal one, the next coin of a supply. And where
nothing changed at all, no piece was exchanged for one that looks much like it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol

from companion.table import Appearance, Point, turn_between_deg

STILL_SD_MM, STILL_SD_DEG = 0.5, 2.0
"""Standard deviations of what eyes measure of a piece that nobody touched."""
POORLY_SEEN_SD_MM = 2.0
"""The same where the turn of a flat piece is not told: its face is hardly seen, as in a lamp's reflection, and so is
its middle. A coin that nobody had touched was measured there 2 mm away, a marker 6 mm."""
NUDGED_SD_MM, NUDGED_SD_DEG = 1.5, 4.0
"""The same of a piece that a sleeve brushed."""
NUDGE_RATE = 0.005
"""Probability that a piece is nudged between two looks: of the forty that lie on a table, one in five looks
(`tests/vision/score_handled.py` counts them)."""
LIFT_RATE = 0.0005
"""Probability that one is taken up and put back by someone who only wants to look at it."""
MISTURN_RATE = 0.02
"""How often eyes that read a square anew take it for turned by a quarter or a half: its outline fits as well."""
UNNOTICED_RATE = 0.005
"""Probability that a piece laid anew looks so much like the one before that the eyes see no change at all: it has to
lie within half a millimetre and a few degrees of it. (Some faces look the same in several turns.)"""
UNNOTICED_EXCHANGE_RATE = 0.02
"""Probability that the eyes see no change at all at a place of which a piece that stands was exchanged for another: of
147 slots of six sets in which another drink came to stand, it was none. Were it 2 %, that would
happen once in twenty times."""
STOOD_SD_MM, EXCHANGED_SD_MM = 0.09, 0.35
"""Standard deviations, along x and along y, of where a drink that nobody touched is measured in its slot of a crate,
and one that was set down where another stood (`tests/vision/score_exchanged.py`)."""
SLOT_PLAY_MM = 1.3
"""Slots are so much wider than drinks: what moved farther was lifted out, or is misread."""
JOSTLED_RATE = 0.05
"""How often a drink that was not exchanged moved in its slot all the same, as when a hand took its neighbour."""
READ_ANEW_RATE = 0.03
"""How often what nobody touched is read anew, because its neighbour came or went, or a shadow fell on it."""
LAID_SD_MM = 2.0
"""Standard deviation of where a piece is laid on a stack."""
QUARTER_SD_DEG = 4.0
"""The same of the turn of square pieces from the nearest quarter turn."""


class SeenPiece(Protocol):
    """Something on the table, where it was measured."""

    @property
    def at_mm(self) -> Point:
        """Its centre in the table frame."""

    @property
    def turn_deg(self) -> float | None:
        """Its turn, None where it cannot be seen."""

    @property
    def folds(self) -> int:
        """At how many turns it looks the same, `turn_deg` being one of them."""

    @property
    def looks(self) -> int:
        """0 while an earlier reading is repeated."""

    @property
    def costs(self) -> Mapping[Appearance, float]:
        """What it costs in nats as each appearance."""


def touch_nats(was: SeenPiece, now: SeenPiece, quarter: bool, anew_share: float = 1.0) -> tuple[float, float]:
    """The costs in nats of "left alone" and of "handled", the smaller of them 0. Where a turn is not known, the centres
    alone tell, and little.

    `quarter`: square pieces, which people lay straight. `anew_share`: of what nobody touched, so much was read anew.
    """
    moved_mm = math.dist(was.at_mm, now.at_mm)
    anew = is_anew(was, now)
    same, nudged, laid = _plane(moved_mm, STILL_SD_MM), _plane(moved_mm, NUDGED_SD_MM), _plane(moved_mm, LAID_SD_MM)
    if was.turn_deg is not None and now.turn_deg is not None:
        folds = max(was.folds, now.folds)
        turned_deg = turn_between_deg(was.turn_deg, now.turn_deg, folds)
        same *= _kept_turn(turned_deg, STILL_SD_DEG, quarter)
        nudged *= _kept_turn(turned_deg, NUDGED_SD_DEG, quarter)
        laid *= _laid_turn(turned_deg, quarter) * folds
    elif anew:
        same = _plane(moved_mm, POORLY_SEEN_SD_MM)
    if anew:
        same *= anew_share
    alone = (1.0 - NUDGE_RATE - LIFT_RATE) * same + NUDGE_RATE * nudged + LIFT_RATE * laid
    ratio = math.log(alone / laid) if laid > 1e-30 else 0.0
    if not anew:
        ratio = max(ratio, -math.log(UNNOTICED_RATE))
    return max(0.0, -ratio), max(0.0, ratio)


def exchange_nats(was: SeenPiece, now: SeenPiece, moved_mm: float | None = None) -> tuple[float, float]:
    """The costs in nats of a piece that stands being the same as before, and of having been exchanged for another. That
    costs something where the eyes just repeat what they read, and where it `moved_mm` on what carries it so little as
    if nobody had touched it; that it is the same, where it moved more."""
    if not is_anew(was, now) and was.costs == now.costs:
        return 0.0, -math.log(UNNOTICED_EXCHANGE_RATE)
    if moved_mm is None:
        return 0.0, 0.0
    alone, exchanged = _plane(moved_mm, STOOD_SD_MM), _plane(min(moved_mm, SLOT_PLAY_MM), EXCHANGED_SD_MM)
    ratio = math.log(JOSTLED_RATE + (1.0 - JOSTLED_RATE) * alone / exchanged)
    return max(0.0, -ratio), max(0.0, ratio)


def is_anew(was: SeenPiece, now: SeenPiece) -> bool:
    """Whether the eyes saw a change since, and do not just repeat what they read then."""
    return now.looks > 0 or (was.at_mm, was.turn_deg) != (now.at_mm, now.turn_deg)


def _plane(distance_mm: float, sigma_mm: float) -> float:
    """Density of a normal distribution in the plane."""
    return math.exp(-((distance_mm / sigma_mm) ** 2) / 2) / (2 * math.pi * sigma_mm**2)


def _line(offset: float, sigma: float) -> float:
    return math.exp(-((offset / sigma) ** 2) / 2) / (math.sqrt(2 * math.pi) * sigma)


def _kept_turn(turned_deg: float, sigma: float, quarter: bool) -> float:
    """Density of the turn that is read of a piece which kept its turn, but for so much."""
    share = MISTURN_RATE if quarter else 0.0
    return (1.0 - share) * _line(turned_deg, sigma) + share * _line(_off_quarter(turned_deg), sigma) / 4.0


def _laid_turn(turned_deg: float, quarter: bool) -> float:
    """Density of the turn between two pieces laid one after the other: any; of squares, mostly by quarters."""
    if not quarter:
        return 1.0 / 360.0
    return 0.2 / 360.0 + 0.8 * _line(_off_quarter(turned_deg), QUARTER_SD_DEG) / 4.0


def _off_quarter(turned_deg: float) -> float:
    return abs((turned_deg + 45.0) % 90.0 - 45.0)
