# ruff: noqa: T201 (prints for a program)
"""What is counted, and printed, of how flat pieces are read."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from companion.table import EMPTY
from tests.vision.face_questions import Asked
from vision.faces.face_reading import FaceReading


@dataclass(slots=True)
class Tally:
    """What was counted for one kind of place."""

    right: int = 0
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    off_mm: list[float] = field(default_factory=list)
    off_deg: list[float] = field(default_factory=list)
    misfit: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    claims: list[tuple[float, bool]] = field(default_factory=list)


def read_as(reading: FaceReading) -> str:
    """What a reading takes a place for."""
    return EMPTY if reading.is_empty else reading.best


def count(tally: Tally, asked: Asked, reading: FaceReading, spent_ms: float) -> None:
    """Count one reading, which took so many milliseconds."""
    said = read_as(reading)
    tally.ms.append(spent_ms)
    values = np.array(list(reading.loglik.values()))
    sure = float(np.exp(values.max() - np.logaddexp.reduce(values)))
    tally.claims.append((sure, said == asked.truth))
    if said != asked.truth:
        tally.wrong[asked.truth, said] += 1
        return
    tally.right += 1
    if said != EMPTY:
        tally.misfit.append(reading.fits[said].misfit)
        tally.off_mm.append(float(np.hypot(*np.subtract(reading.at_mm, asked.at_mm))))
        if reading.turn_deg is not None:
            tally.off_deg.append(abs((reading.turn_deg - asked.turn_deg + 180) % 360 - 180))


def show(tallies: dict[str, Tally]) -> None:
    """Print what was counted."""
    for what, tally in sorted(tallies.items()):
        total = tally.right + tally.wrong.total()
        if not total:
            continue
        line = f"  {what:14} {tally.right}/{total} right {100 * tally.right / total:.2f} %"
        line += f", {statistics.median(tally.ms):.1f} ms (CPU)"
        if tally.off_mm:
            line += f", centre off {_percentiles(tally.off_mm)} mm, turn {_percentiles(tally.off_deg)} deg"
            line += f" of {len(tally.off_deg)} known"
            line += f", misfit {_percentiles(tally.misfit)}, at most {max(tally.misfit):.0f}"
        print(line)
        for (true, said), times in tally.wrong.most_common():
            print(f"      {true or 'empty'} read as {said or 'empty'}: {times}")


def show_claims(claims: Sequence[tuple[float, bool]]) -> None:
    """Print how often what was claimed with some certainty was right."""
    edges = [0.0, 0.5, 0.9, 0.99, 0.999, 1.01]
    for low, high in pairwise(edges):
        within = [right for sure, right in claims if low <= sure < high]
        if within:
            print(f"  claimed with {low:.3f} to {min(high, 1):.3f}: {sum(within)}/{len(within)} right")


def _percentiles(values: Sequence[float]) -> str:
    if not values:
        return "-"
    middle, high = np.percentile(values, (50, 99))
    return f"{middle:.2f} (99 % within {high:.2f})"
