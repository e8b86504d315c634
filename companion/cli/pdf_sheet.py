"""A sheet that is printed true to size: in millimetres, with a ruler, because printers like to shrink pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from companion.errors import ConfigError, phrase

RULER_MM: Final = 100
PAPERS_MM: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}


def open_sheet(out: Path, paper: str, title: str) -> Any:
    """A canvas of this paper in millimetres, from its lower left corner. Raises `ConfigError` when reportlab is not
    installed."""
    try:
        from reportlab.lib.units import mm
        from reportlab.pdfgen.canvas import Canvas
    except ImportError as error:
        raise ConfigError(phrase("cards.no_reportlab")) from error
    width_mm, height_mm = PAPERS_MM[paper]
    # invariant: the same sheet is the same file
    canvas = Canvas(str(out), pagesize=(width_mm * mm, height_mm * mm), invariant=1)
    canvas.setTitle(title)
    canvas.scale(mm, mm)
    return canvas


def next_sheet(canvas: Any) -> None:
    """Another page, in millimetres too."""
    from reportlab.lib.units import mm

    canvas.showPage()
    canvas.scale(mm, mm)


def draw_ruler(canvas: Any, x: float, y: float) -> None:
    """A ruler to the right from here."""
    canvas.setStrokeGray(0.0)
    canvas.setLineWidth(0.15)
    canvas.line(x, y, x + RULER_MM, y)
    for tick in range(RULER_MM + 1):
        canvas.line(x + tick, y, x + tick, y + (4 if tick % 10 == 0 else 2.5 if tick % 5 == 0 else 1.5))
    for tick in range(0, RULER_MM + 1, 50):
        write_text(canvas, x + tick - 1, y - 3.5, 2.8, f"{tick} mm" if tick else "0")


def write_text(canvas: Any, x: float, y: float, size_mm: float, text: str) -> None:
    """A line of text that begins here."""
    canvas.setFillGray(0.0)
    canvas.setFont("Helvetica", size_mm)
    canvas.drawString(x, y, text)
