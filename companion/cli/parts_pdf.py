"""Draws what is cut out for the table, true to size: the box of a seat's button and lamp, and the foot of the camera's
arm with what holds the camera. What `companion print box` and `companion print arm` print.

Thick lines are cut, dashed lines are folded, crosses are the middles of holes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from companion.cli.pdf_sheet import PAPERS_MM, draw_ruler, write_text, next_sheet, open_sheet
from companion.errors import phrase
from companion.words import Words
from hardware.wiring import SEAT_MARKS

BOX_WIDE_MM, BOX_DEEP_MM, BOX_HIGH_MM = 90.0, 60.0, 40.0
FLAP_MM = 12.0
BUTTONS_MM: Final = (12, 16, 24)
"""Threads of the push buttons that are sold for panels."""
CLEARANCE_MM = 0.4
LED_CLIP_MM, CABLE_MM = 6.5, 6.0

BATTEN_MM = 24.0
FOOT_WIDE_MM, FOOT_DEEP_MM = 140.0, 100.0
GUSSET_MM = 75.0
SCREW_MM = 4.0
PLY_MM = 12.0
BRACKET_SCREWS_MM: Final = (36.0, 60.0)
"""Where the screws from below are that hold a bracket, from its upright edge."""
CAMERA_HOLES_MM, CAMERA_HOLE_MM = (21.0, 12.5), 2.2
"""How far apart the four holes of a camera module are, and how wide."""
CAMERA_PLATE_MM = (44.0, 60.0)
TILT_DEG = 20.0
WEDGE_MM = 60.0
TAN_TILT = 0.36397
"""Of `TILT_DEG`."""

PART_MARGIN_MM = 14.0

Points = Sequence[tuple[float, float]]


def write_box(out: Path, paper: str, button_mm: int, seats: int, words: Words) -> None:
    """A box for each seat, a page each. Raises `ConfigError` without reportlab, OSError when it cannot write."""
    canvas = open_sheet(out, paper, words.say(phrase("parts.box.title", seat=SEAT_MARKS[0][0])))
    for seat in range(seats):
        if seat:
            next_sheet(canvas)
        _head(canvas, paper, words, "box", seat=SEAT_MARKS[seat][0])
        _box(canvas, PAPERS_MM[paper], button_mm, seat, words)
    canvas.save()


def write_arm(out: Path, paper: str, words: Words) -> None:
    """The foot of the arm and the holder of the camera. Raises as `write_box` does."""
    canvas = open_sheet(out, paper, words.say(phrase("parts.arm.title")))
    _head(canvas, paper, words, "arm")
    _foot(canvas, PART_MARGIN_MM, 130.0, words)
    _gusset(canvas, PART_MARGIN_MM, 40.0, words)
    _wedge(canvas, PART_MARGIN_MM + 65.0, 78.0, words)
    _camera_plate(canvas, PAPERS_MM[paper][0] - PART_MARGIN_MM - CAMERA_PLATE_MM[0], 40.0, words)
    canvas.save()


def _head(canvas: Any, paper: str, words: Words, part: str, **gaps: str) -> None:
    top_mm = PAPERS_MM[paper][1]
    write_text(canvas, PART_MARGIN_MM, top_mm - 16, 5, words.say(phrase(f"parts.{part}.title", **gaps)))
    write_text(canvas, PART_MARGIN_MM, top_mm - 22, 3.2, words.say(phrase("parts.how")))
    write_text(canvas, PART_MARGIN_MM, top_mm - 26.5, 3.2, words.say(phrase(f"parts.{part}.how")))
    draw_ruler(canvas, PART_MARGIN_MM, 16)


# --- the box ----------------------------------------------------------------------------------------------------------


def _box(canvas: Any, paper_mm: tuple[float, float], button_mm: int, seat: int, words: Words) -> None:
    """The net of an open box: its top in the middle, walls around it, flaps to glue at the corners."""
    wide, deep, high = BOX_WIDE_MM, BOX_DEEP_MM, BOX_HIGH_MM
    left, bottom = (paper_mm[0] - wide) / 2, (paper_mm[1] - deep) / 2 - 6
    right, top = left + wide, bottom + deep
    _cut(canvas, _net(left, bottom, right, top))
    for a, b in (((left, bottom), (right, bottom)), ((right, bottom), (right, top)), ((right, top), (left, top)),
                 ((left, top), (left, bottom))):
        _fold(canvas, a, b)
    for x, y in ((left, bottom - high), (left, top), (right, bottom - high), (right, top)):
        _fold(canvas, (x, y), (x, y + high))
    middle = bottom + deep / 2
    _hole(canvas, left + 0.64 * wide, middle, button_mm + CLEARANCE_MM)
    _hole(canvas, left + 0.26 * wide, middle + 8, LED_CLIP_MM)
    _hole(canvas, left + wide / 2, top + 0.6 * high, CABLE_MM)
    _centred(canvas, left + 0.26 * wide, middle - 12, 9, SEAT_MARKS[seat][0])
    for what, x, y in (("button", left + 0.64 * wide, bottom + 5), ("lamp", left + 0.26 * wide, middle + 15),
                       ("cable", left + wide / 2, top + 0.6 * high + 7), ("front", left + wide / 2, bottom - high / 2)):
        said = words.say(phrase(f"parts.box.{what}", mm=f"{button_mm + CLEARANCE_MM:g}" if what == "button" else ""))
        _centred(canvas, x, y, 3, said)
    for x, y in ((left - high + 6, middle), (right + 4, middle)):
        write_text(canvas, x, y, 3, words.say(phrase("parts.box.side")))
    for x, y in ((left - FLAP_MM + 1.5, bottom - high / 2), (right + 1.5, bottom - high / 2),
                 (left - FLAP_MM + 1.5, top + high / 2), (right + 1.5, top + high / 2)):
        write_text(canvas, x, y, 2.6, words.say(phrase("parts.box.glue")))


def _net(left: float, bottom: float, right: float, top: float) -> Points:
    """The outline: front and back walls have a flap at each end, which is glued behind the side walls."""
    high, flap, slant = BOX_HIGH_MM, FLAP_MM, 3.0
    return (
        (left - high, bottom), (left, bottom), (left - flap, bottom - slant), (left - flap, bottom - high + slant),
        (left, bottom - high), (right, bottom - high), (right + flap, bottom - high + slant),
        (right + flap, bottom - slant), (right, bottom), (right + high, bottom), (right + high, top), (right, top),
        (right + flap, top + slant), (right + flap, top + high - slant), (right, top + high), (left, top + high),
        (left - flap, top + high - slant), (left - flap, top + slant), (left, top), (left - high, top))


# --- the arm ----------------------------------------------------------------------------------------------------------


def _foot(canvas: Any, left: float, bottom: float, words: Words) -> None:
    """The plate that is clamped to the table's edge; the post stands on its square."""
    wide, deep, half = FOOT_WIDE_MM, FOOT_DEEP_MM, BATTEN_MM / 2
    _cut(canvas, ((left, bottom), (left + wide, bottom), (left + wide, bottom + deep), (left, bottom + deep)))
    x, y = left + 30.0, bottom + deep / 2
    _mark(canvas, ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)))
    _hole(canvas, x, y, SCREW_MM)
    for low in (y - half - PLY_MM, y + half):  # a bracket stands on each side of the post
        start, end = x - half, x - half + GUSSET_MM
        _mark(canvas, ((start, low), (end, low), (end, low + PLY_MM), (start, low + PLY_MM)))
        for along in BRACKET_SCREWS_MM:
            _hole(canvas, start + along, low + PLY_MM / 2, SCREW_MM)
    write_text(canvas, left + 4, bottom + deep - 8, 3.4, words.say(phrase("parts.arm.foot", mm=f"{PLY_MM:g}")))
    write_text(canvas, left + 100, y + 1, 3, words.say(phrase("parts.arm.clamp")))
    write_text(canvas, left + 4, bottom + 5, 3, words.say(phrase("parts.arm.post", mm=f"{BATTEN_MM:g}")))


def _gusset(canvas: Any, left: float, bottom: float, words: Words) -> None:
    """The bracket that lies against a side of the post and stands on the foot; two are cut."""
    _cut(canvas, ((left, bottom), (left + GUSSET_MM, bottom), (left, bottom + GUSSET_MM)))
    for up in (24.0, 48.0):
        _hole(canvas, left + BATTEN_MM / 2, bottom + up, SCREW_MM)
    write_text(canvas, left + 19, bottom + 22, 3.2, words.say(phrase("parts.arm.gusset")))


def _wedge(canvas: Any, left: float, bottom: float, words: Words) -> None:
    """What tilts the camera: between the arm and the camera's plate."""
    high = WEDGE_MM * TAN_TILT
    _cut(canvas, ((left, bottom), (left + WEDGE_MM, bottom), (left + WEDGE_MM, bottom + high)))
    write_text(canvas, left, bottom + high + 8, 3.2, words.say(phrase("parts.arm.wedge", degrees=f"{TILT_DEG:g}")))
    write_text(canvas, left, bottom + high + 4, 3.0, words.say(phrase("parts.arm.wedge_how", mm=f"{BATTEN_MM:g}")))


def _camera_plate(canvas: Any, left: float, bottom: float, words: Words) -> None:
    """The plate that the camera module is screwed on, its lens away from the plate."""
    wide, deep = CAMERA_PLATE_MM
    _cut(canvas, ((left, bottom), (left + wide, bottom), (left + wide, bottom + deep), (left, bottom + deep)))
    x, y = left + wide / 2, bottom + 38.0
    across, down = CAMERA_HOLES_MM
    for dx in (-across / 2, across / 2):
        for dy in (-down / 2, down / 2):
            _hole(canvas, x + dx, y + dy, CAMERA_HOLE_MM)
    for dx in (-9.0, 9.0):
        _hole(canvas, x + dx, bottom + 12.0, SCREW_MM)
    _centred(canvas, x, bottom + deep + 3, 3.2, words.say(phrase("parts.arm.camera")))


# --- lines ------------------------------------------------------------------------------------------------------------


def _outline(canvas: Any, points: Points) -> None:
    path = canvas.beginPath()
    path.moveTo(*points[0])
    for x, y in points[1:]:
        path.lineTo(x, y)
    path.close()
    canvas.drawPath(path, stroke=1, fill=0)


def _cut(canvas: Any, points: Points) -> None:
    canvas.setStrokeGray(0.0)
    canvas.setLineWidth(0.4)
    canvas.setDash()
    _outline(canvas, points)


def _mark(canvas: Any, points: Points) -> None:
    canvas.setStrokeGray(0.45)
    canvas.setLineWidth(0.2)
    _outline(canvas, points)


def _fold(canvas: Any, a: tuple[float, float], b: tuple[float, float]) -> None:
    canvas.setStrokeGray(0.0)
    canvas.setLineWidth(0.2)
    canvas.setDash(3, 2)
    canvas.line(*a, *b)
    canvas.setDash()


def _hole(canvas: Any, x: float, y: float, wide_mm: float) -> None:
    canvas.setStrokeGray(0.0)
    canvas.setLineWidth(0.3)
    canvas.circle(x, y, wide_mm / 2)
    canvas.setLineWidth(0.1)
    reach = wide_mm / 2 + 1.5
    canvas.line(x - reach, y, x + reach, y)
    canvas.line(x, y - reach, x, y + reach)


def _centred(canvas: Any, x: float, y: float, size_mm: float, text: str) -> None:
    canvas.setFillGray(0.0)
    canvas.setFont("Helvetica", size_mm)
    canvas.drawCentredString(x, y, text)
