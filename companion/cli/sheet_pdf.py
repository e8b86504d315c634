"""Draws the sheet by which a lens is measured on one page: what `companion print sheet` prints.

Its squares are drawn as areas, not as a picture, so they are as sharp as the printer is.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from companion.cli.pdf_sheet import PAPERS_MM, open_sheet, write_text
from companion.errors import phrase
from companion.words import Words
from vision.fiducials.lens_sheet import SQUARES, sheet_picture

PAGE_EDGE_MM: Final = 12.0
"""What no printer reaches, and a line of text."""
PX: Final = 160
"""How finely the edges of a square's marker are told."""


def write_lens_sheet(out: Path, paper: str, words: Words) -> None:
    """Writes the sheet as PDF, across the page. Raises `ConfigError` when reportlab is not installed, OSError when it
    cannot write."""
    width_mm, height_mm = PAPERS_MM[paper]
    square_mm = min((height_mm - 2 * PAGE_EDGE_MM) / (SQUARES[0] + 1), (width_mm - 2 * PAGE_EDGE_MM) / (SQUARES[1] + 1))
    canvas = open_sheet(out, paper, words.say(phrase("calibrate.title")))
    canvas.translate(width_mm, 0)
    canvas.rotate(90)
    write_text(canvas, PAGE_EDGE_MM, PAGE_EDGE_MM / 2, 3.2, words.say(phrase("calibrate.how")))
    sheet = sheet_picture(PX)
    side_mm = square_mm / PX
    left, top = ((height_mm - sheet.shape[1] * side_mm) / 2, (width_mm + sheet.shape[0] * side_mm) / 2)
    black = canvas.beginPath()  # one path: no hairlines between neighbouring areas
    inked = (sheet < 128).astype(np.int8)
    rows = [0, *(np.flatnonzero(np.any(inked[1:] != inked[:-1], axis=1)) + 1).tolist(), len(inked)]
    for first, after in pairwise(rows):
        edges = np.flatnonzero(np.diff(inked[first], prepend=0, append=0)).reshape(-1, 2)
        for begin, end in edges.tolist():
            black.rect(left + begin * side_mm, top - after * side_mm, (end - begin) * side_mm,
                       (after - first) * side_mm)
    canvas.setFillGray(0.0)
    canvas.drawPath(black, stroke=0, fill=1)
    canvas.save()
