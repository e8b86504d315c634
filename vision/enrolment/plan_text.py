"""A plan of what to lay where, in characters and in words."""

from __future__ import annotations

from collections.abc import Sequence

from vision.enrolment.picture_set import LaidPiece
from vision.imaging.frame import CardSeen

CHARACTER_WIDTH_MM, CHARACTER_HEIGHT_MM = 7.0, 14.0
"""The area of the table that a character of a plan stands for."""


def draw_plan(things: Sequence[LaidPiece], cards: Sequence[CardSeen]) -> list[str]:
    """The table as seen from the front, in characters: cards as `[0]`, things by their number from 1."""
    texts = [(str(number), thing.at_mm) for number, thing in enumerate(things, 1)]
    texts += [(f"[{card.card}]", card.at_mm) for card in cards]
    left, back = min(at[0] for _, at in texts), max(at[1] for _, at in texts)
    lines: dict[int, dict[int, str]] = {}
    for text, (x, y) in texts:
        lines.setdefault(round((back - y) / CHARACTER_HEIGHT_MM), {})[round((x - left) / CHARACTER_WIDTH_MM)] = text
    drawn = []
    for row in range(max(lines) + 1):
        line = ""
        for column, text in sorted(lines.get(row, {}).items()):
            line += " " * max(column - len(line), 1 if line else 0) + text
        drawn.append(line)
    return drawn


def plan_rows(things: Sequence[LaidPiece]) -> list[tuple[float, list[tuple[int, LaidPiece]]]]:
    """What to lay in each row, from the back: how far behind card 0 it is in mm, and its things with their numbers."""
    found: dict[float, list[tuple[int, LaidPiece]]] = {}
    for number, thing in enumerate(things, 1):
        found.setdefault(thing.at_mm[1], []).append((number, thing))
    return sorted(found.items(), key=lambda row: -row[0])
