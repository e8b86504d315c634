"""Draws the four tag cards on one sheet, true to size: what `companion print cards` prints.

A card is 100 × 60 mm. Seen upright, from its lower left corner: a marker of 40 mm with its centre at (30, 30), and four
patches of known grey. The sheet has rulers of 100 mm in both directions, because printers like to shrink pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from companion.cli.pdf_sheet import PAPERS_MM, draw_ruler, write_text, open_sheet
from companion.errors import phrase
from companion.table.tag_card import (
    BLACK_AT_MM,
    GREY_AT_MM,
    MARKER_AT_MM,
    MARKER_CELLS,
    MARKER_MM,
    SHADE_FRAME_MM,
    SHADE_PATCH_MM,
    TAG_CARD_MM,
    TAG_CARDS,
    WHITE_AT_MM,
)
from companion.words import Words
from vision.fiducials.tag_detection import marker_cells

CARD_W_MM, CARD_H_MM = TAG_CARD_MM

L50_SRGB = 119 / 255
"""L* 50 in sRGB."""

PATCHES = ((*WHITE_AT_MM[0], 1.0), (*GREY_AT_MM, L50_SRGB), (*BLACK_AT_MM, 0.0), (*WHITE_AT_MM[1], 1.0))
"""Centre x, y in mm from the card's lower left corner, and shade: 0 black, 1 white."""

PRINT_GAP_MM = 8.0

PLACES = ("front_left", "front_right", "back_right", "back_left")
"""Where each card lies, by its number."""


def write_cards(out: Path, paper: str, words: Words) -> None:
    """Writes the sheet as PDF. Raises `ConfigError` when reportlab is not installed, OSError when it cannot write."""
    width_mm, height_mm = PAPERS_MM[paper]
    canvas = open_sheet(out, paper, words.say(phrase("cards.title")))
    _sheet(canvas, width_mm, height_mm, words)
    canvas.save()


def _sheet(canvas: Any, width_mm: float, height_mm: float, words: Words) -> None:
    left = (width_mm - 2 * CARD_H_MM - PRINT_GAP_MM) / 2
    bottom = (height_mm - 2 * CARD_W_MM - PRINT_GAP_MM) / 2
    for card in TAG_CARDS:
        canvas.saveState()
        # cards stand on their short side: all four fit on either paper, far from its edges
        row, column = divmod(card, 2)
        canvas.translate(left + CARD_H_MM + column * (CARD_H_MM + PRINT_GAP_MM),
                         bottom + row * (CARD_W_MM + PRINT_GAP_MM))
        canvas.rotate(90)
        _card(canvas, card, words)
        canvas.restoreState()
    write_text(canvas, left, height_mm - 18, 5, words.say(phrase("cards.title")))
    write_text(canvas, left, height_mm - 24, 3.2, words.say(phrase("cards.how")))
    write_text(canvas, left, height_mm - 28.5, 3.2, words.say(phrase("cards.check")))
    draw_ruler(canvas, left, 22)
    canvas.saveState()
    canvas.translate(left - 10, bottom)
    canvas.rotate(90)
    draw_ruler(canvas, 0, 0)
    canvas.restoreState()


def _card(canvas: Any, card: int, words: Words) -> None:
    canvas.setStrokeGray(0.75)
    canvas.setLineWidth(0.1)
    canvas.rect(0, 0, CARD_W_MM, CARD_H_MM)
    _marker(canvas, card)
    for x, y, shade in PATCHES:
        _square(canvas, x, y, SHADE_PATCH_MM + 2 * SHADE_FRAME_MM, 0.0)
        _square(canvas, x, y, SHADE_PATCH_MM, shade)
    place = phrase(f"cards.{PLACES[card]}")
    write_text(canvas, 10, 2.5, 2.8, words.say(phrase("cards.label", card=card, place=place)))


def _marker(canvas: Any, card: int) -> None:
    _square(canvas, *MARKER_AT_MM, MARKER_MM, 0.0)
    cell = MARKER_MM / MARKER_CELLS
    left, top = MARKER_AT_MM[0] - MARKER_MM / 2, MARKER_AT_MM[1] + MARKER_MM / 2
    white = canvas.beginPath()  # one path: no hairlines between neighbouring cells
    for row, column in np.argwhere(marker_cells(card)):
        white.rect(left + column * cell, top - (row + 1) * cell, cell, cell)
    canvas.setFillGray(1.0)
    canvas.drawPath(white, stroke=0, fill=1)


def _square(canvas: Any, x: float, y: float, side: float, shade: float) -> None:
    canvas.setFillGray(shade)
    canvas.rect(x - side / 2, y - side / 2, side, side, stroke=0, fill=1)
