"""How pieces look from above: symbols in millimetres, drawn once a page and used by name.

A drink's symbol takes its paint from `color`. The view leans a little: the higher a piece, the further its top is
pushed up, so that tall and short cans differ; the light comes from the upper left.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from markupsafe import Markup

from companion.table import SHAPE_LETTERS, SHAPES, Point, shape_of
from web.draw.colours import ink_on, piece_paint
from web.draw.drawn_pieces import DrawnPiece
from web.draw.faces import face, face_paint
from web.draw.svg import number, tag

LEAN = 0.19
"""How far a top is pushed up, per millimetre of height."""
HEIGHTS_MM = dict(zip(SHAPES, (12, 16, 22, 24, 30, 36)))
RADIUS_MM = 6.0
ROOM_MM = 14.0
"""The room for which a drink is drawn."""
SEATS = 6

_SHADE: dict[str, str | float] = {"fill": "#000000", "fill_opacity": 0.22}
_TOPS_MM = {shape: height * LEAN for shape, height in HEIGHTS_MM.items()}
"""How far above its foot a drink's top is drawn."""


def symbols() -> Markup:
    """All symbols that boards use, as one hidden SVG: put once into a page."""
    drinks = [tag("symbol", draw(), id=f"p-{shape}", overflow="visible") for shape, draw in _DRINKS.items()]
    seats = [tag("symbol", _seat_shape(n), id=f"s-{n}", viewBox="-1.1 -1.1 2.2 2.2", overflow="visible")
             for n in range(SEATS)]
    return tag("svg", tag("defs", *drinks, *seats), class_="symbols", width=0, height=0, aria_hidden="true")


def seat_mark(seat: int, paint: str | None = None, at: Point = (0.0, 0.0), size: float = 2.2) -> Markup:
    """A seat's shape around a point in a drawing, in its paint (None: in the ink around it)."""
    half = size / 2
    return tag("use", href=f"#s-{seat % SEATS}", x=at[0] - half, y=at[1] - half, width=size, height=size, color=paint)


def seat_icon(seat: int, paint: str) -> Markup:
    """A seat's shape as a picture of its own, for a line of text or a panel."""
    return tag("svg", seat_mark(seat, paint), class_="icon", viewBox="-1.1 -1.1 2.2 2.2", aria_hidden="true")


def draw_piece(piece: DrawnPiece, code: str, owner: int | None, owner_paint: str | None) -> Markup:
    """One piece at its place. `owner` puts that seat's shape on its top, `code` is what a flat one bears."""
    place = f"translate({number(piece.at[0])} {number(piece.at[1])})"
    if piece.form == "drink":
        scale = piece.wide_mm / ROOM_MM
        place = place if 0.9 < scale <= 1.05 else f"{place} scale({number(scale)})"
        return tag("g", _drink(piece, owner), transform=place, data_piece=piece.key)
    paint = face_paint(piece.appearance, piece.kind, owner_paint)
    drawn = face(piece, code, paint, seat_mark(owner) if owner is not None else Markup())
    return tag("g", tag("g", drawn, class_="piece"), transform=place, data_piece=piece.key)


def _drink(piece: DrawnPiece, owner: int | None) -> Markup:
    """A drink's symbol, its owner's shape on its top, and the letter of its shape, which is shown when asked."""
    shape, paint = shape_of(piece.appearance), piece_paint(piece.appearance)
    parts = [tag("use", href=f"#p-{shape}")]
    if owner is not None:
        parts.append(_owner(owner, _TOPS_MM[shape], 1.75 if shape.endswith("bottle") else 2.5, paint, shape))
    parts.append(tag("text", SHAPE_LETTERS[shape], class_="letter", x=0, y=9.4 if shape != "square_sides" else 9.2))
    return tag("g", *parts, class_="piece", color=paint)


def _owner(seat: int, top: float, size: float, paint: str, shape: str) -> Markup:
    """The owner's shape on a top: dark on light lids and caps, light on the dark cap, on a flat top in the ink
    that the paint bears."""
    ink = "#FFFFFF" if shape == "tallest_bottle" else "#22242B"
    if shape == "square_sides":
        ink = ink_on(paint)
    return seat_mark(seat, ink, (0.0, -top), 2 * size)


def _ring(y: float, r: float, fill: str, opacity: float = 1.0) -> Markup:
    return tag("circle", cx=0, cy=-y, r=r, fill=fill, fill_opacity=None if opacity == 1 else opacity)


def _tube(r: float, low: float, high: float, fill: str, opacity: float = 1.0) -> Markup:
    """The side of something round from height `low` to `high`, leaning up."""
    path = (f"M{number(-r)} {number(-low)}A{number(r)} {number(r)} 0 0 0 {number(r)} {number(-low)}"
            f"L{number(r)} {number(-high)}H{number(-r)}Z")
    return tag("path", d=path, fill=fill, fill_opacity=None if opacity == 1 else opacity)


def _shine(y: float, r: float, opacity: float = 0.5) -> Markup:
    """The light's edge on the upper left of a round top."""
    ends = [f"{number(r * cos(turn * pi))} {number(r * sin(turn * pi) - y)}" for turn in (0.98, 1.52)]
    path = f"M{ends[0]}A{number(r)} {number(r)} 0 0 1 {ends[1]}"
    return tag("path", d=path, fill="none", stroke="#FFFFFF", stroke_opacity=opacity, stroke_width=0.8,
               stroke_linecap="round")


def _shadow(height: float) -> Markup:
    reach = 0.9 + height * 0.035
    return tag("ellipse", cx=reach, cy=0.9, rx=RADIUS_MM + reach * 0.55, ry=RADIUS_MM + 0.2, **_SHADE)


def _can(shape: str) -> Markup:
    """A can: coloured side and rim, a light lid with its tab."""
    top = _TOPS_MM[shape]
    band = [] if shape == "stub_can" else [_tube(RADIUS_MM, top * 0.32, top * 0.66, "#FFFFFF", 0.5)]
    return tag(
        "g", _shadow(HEIGHTS_MM[shape]),
        _tube(RADIUS_MM, 0, top, "currentColor"), _tube(RADIUS_MM, 0, top, "#000000", 0.3), *band,
        _ring(top, RADIUS_MM, "currentColor"), _shine(top, RADIUS_MM - 0.55),
        _ring(top, 4.6, "#000000", 0.22), _ring(top, 4.25, "#F4F2EC"), _ring(top, 4.25, "currentColor", 0.14),
        tag("ellipse", cx=0, cy=-top - 2.95, rx=1.25, ry=0.75, fill="#000000", fill_opacity=0.3),
    )


def _square() -> Markup:
    """Square sides: a box with a bevelled top and a flat square of its colour."""
    top = _TOPS_MM["square_sides"]
    half = 5.4

    def box(r: float, y: float, tall: float, fill: str, opacity: float | None = None) -> Markup:
        return tag("rect", x=-r, y=-y - r, width=2 * r, height=2 * r + tall, rx=1.1, fill=fill, fill_opacity=opacity)

    return tag(
        "g", tag("rect", x=-half + 1.2, y=-half + 0.8, width=2 * half + 0.9, height=2 * half + 0.4, rx=1.4,
            **_SHADE),
        box(half, top, top, "currentColor"), box(half, top, top, "#000000", 0.3),
        box(half, top, 0, "currentColor"), box(half, top, 0, "#FFFFFF", 0.26), box(3.9, top, 0, "currentColor"),
        tag("path", d=f"M-4.7 {number(-top + 3.4)}V{number(-top - 4.7)}H3.4", fill="none", stroke="#FFFFFF",
            stroke_opacity=0.55, stroke_width=0.7, stroke_linecap="round", stroke_linejoin="round"),
    )


def _bottle(shape: str, shoulder: float, neck_mm: float, cap: str) -> Markup:
    """A bottle: body up to its shoulder, then neck and cap."""
    top = _TOPS_MM[shape]
    low = top * shoulder
    return tag(
        "g", _shadow(HEIGHTS_MM[shape]),
        _tube(RADIUS_MM, 0, low, "currentColor"), _tube(RADIUS_MM, 0, low, "#000000", 0.3),
        _ring(low, RADIUS_MM, "currentColor"), _shine(low, RADIUS_MM - 0.6, 0.45),
        _ring(low + 0.25, 4.5, "#FFFFFF", 0.16),
        _tube(neck_mm, low, top, "currentColor"), _tube(neck_mm, low, top, "#000000", 0.36),
        tag("circle", cx=0, cy=-top, r=neck_mm + 0.35, fill=cap, stroke="#000000", stroke_opacity=0.35,
            stroke_width=0.35),
        _shine(top, neck_mm - 0.3, 0.6),
    )


_DRINKS: dict[str, Callable[[], Markup]] = {
    "stub_can": lambda: _can("stub_can"),
    "short_can": lambda: _can("short_can"),
    "tall_can": lambda: _can("tall_can"),
    "square_sides": _square,
    "not_tallest_bottle": lambda: _bottle("not_tallest_bottle", 0.42, 2.7, "#F4F2EC"),
    "tallest_bottle": lambda: _bottle("tallest_bottle", 0.3, 2.15, "#22242B"),
}


def _seat_shape(seat: int) -> Markup:
    """● ■ ▲ ◆ ★ ⬢ within a unit circle."""
    if seat == 0:
        return tag("circle", cx=0, cy=0, r=0.86, fill="currentColor")
    corners = {
        1: [(-0.78, -0.78), (0.78, -0.78), (0.78, 0.78), (-0.78, 0.78)],
        2: [(0, -0.96), (0.98, 0.76), (-0.98, 0.76)],
        3: [(0, -1.06), (0.94, 0), (0, 1.06), (-0.94, 0)],
        4: [_polar(1.08 if n % 2 == 0 else 0.46, n * 36 - 90) for n in range(10)],
        5: [_polar(0.98, n * 60) for n in range(6)],
    }[seat]
    return tag("path", d="M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z", fill="currentColor")


def _polar(r: float, turn_deg: float) -> tuple[float, float]:
    return r * cos(turn_deg * pi / 180), r * sin(turn_deg * pi / 180)
