"""What the page of scores shows: every seat with the parts of its score, in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from web.view_model import PageView, SeatShown


@dataclass(frozen=True, slots=True)
class PartLine:
    """A part of a score: what counts, by which rule, and its points; equal parts are one line."""

    text: str
    rule: str
    points: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """A seat with what its score is made of."""

    seat: SeatShown
    parts: tuple[PartLine, ...]


def seat_scores(view: PageView) -> list[SeatScore]:
    """All seats, the winners first, then by their points."""
    parts = view.shown.score_parts or ((),) * len(view.shown.players)
    counted = [Counter(own) for own in parts]
    lines = [tuple(PartLine(f"{number} × {view.say(part.said)}" if number > 1 else view.sentence(part.said), part.rule,
                            number * part.points) for part, number in own.items()) for own in counted]
    seats = sorted(view.seats, key=lambda each: (not each.won, -(each.score or 0), each.seat))
    return [SeatScore(each, lines[each.seat]) for each in seats]
