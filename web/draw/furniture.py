"""What stands still on a board: bodies, empty places, lines, trays, and the labels beside them."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from markupsafe import Markup

from companion.table import Body, Layout, Place, Point
from web.draw.colours import PAINTS
from web.draw.labels import Label
from web.draw.pieces import seat_mark
from web.draw.svg import number, tag
from web.draw.trays import Tray

BODY_CLASSES = {"frame": "crate", "lid": "crate lid"}
"""The style of a body by how its kind is drawn; any other is a plain board."""


def turned(at_mm: Point, turn_deg: float) -> str:
    """The transform that brings what is drawn around (0, 0) to its place in the layout."""
    turn = f" rotate({number(-turn_deg)})" if turn_deg else ""
    return f"translate({number(at_mm[0])} {number(-at_mm[1])}){turn}"


def draw_body(body: Body, layout: Layout) -> Markup:
    """A crate, or a board: a frame with a floor; a board of a colour has an edge of it."""
    wide, deep = body.size_mm[:2]
    edge, name = body.appearance.partition(":")[2], body.spot.partition(":")[2]
    kind = BODY_CLASSES.get(layout.kind_of(body.appearance).drawn, "plain")
    return tag(
        "g",
        tag("rect", x=-wide / 2 + 0.4, y=-deep / 2 + 0.7, width=wide, height=deep, rx=2.2, fill="#000000",
            fill_opacity=0.22),
        tag("rect", x=-wide / 2 + 0.15, y=-deep / 2 + 0.15, width=wide - 0.3, height=deep - 0.3, rx=2.2,
            class_=f"body {kind}"),
        tag("rect", x=-wide / 2 - 0.7, y=-deep / 2 - 0.7, width=wide + 1.4, height=deep + 1.4, rx=2.8, fill="none",
            stroke=PAINTS[edge], stroke_width=2.4) if edge in PAINTS else "",
        tag("text", name, x=0, y=deep / 2 - 0.6, font_size=4.6, class_="letter") if "," in name else "",
        transform=turned(body.at_mm, body.turn_deg),
    )


def draw_frame(body: Body, kind: str) -> Markup:
    """Around a body as a whole."""
    wide, deep = body.size_mm[0] + 1.6, body.size_mm[1] + 1.6
    return tag("rect", x=-wide / 2, y=-deep / 2, width=wide, height=deep, rx=3, class_=kind,
               transform=turned(body.at_mm, body.turn_deg))


def draw_line(points: Sequence[Point]) -> Markup:
    """A line of the board's print, through points in the layout's frame."""
    return tag("polyline", points=_listed([(x, -y) for x, y in points]), class_="line")


def draw_place(place: Place) -> Markup:
    """An empty spot: a compartment in a body, a hex, a cell."""
    wide, deep = (1.2 * side if place.under else side for side in place.size_mm)
    kind = "place mark" if place.under else "place on" if place.on else "place"
    name = tag("text", place.spot.partition(":")[2], x=0, y=0.42 * deep, font_size=0.2 * deep, class_="letter")
    return tag("g", place_outline(place, wide, deep, kind), name if place.outline == "hex" else "",
               transform=turned(place.at_mm, place.turn_deg))


def place_outline(place: Place, wide: float, deep: float, kind: str) -> Markup:
    """The outline of a place around (0, 0), so wide and deep, of this style."""
    if place.outline == "round":
        return tag("ellipse", cx=0, cy=0, rx=wide / 2 - 0.3, ry=deep / 2 - 0.3, class_=kind)
    if place.outline == "hex":
        r = wide / 2 - 0.3
        return tag("polygon", points=_listed([(r * cos(n * pi / 3), r * sin(n * pi / 3)) for n in range(6)]),
                   class_=kind)
    return tag("rect", x=-wide / 2 + 0.45, y=-deep / 2 + 0.45, width=wide - 0.9, height=deep - 0.9, rx=1.6,
               class_=kind)


def _listed(points: Sequence[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def draw_tray(tray: Tray, seat_paints: Sequence[str]) -> Markup:
    """A zone: a shallow tray with its seat's shape in a corner."""
    extent = tray.extent
    parts = [tag("rect", x=extent.left, y=extent.top, width=extent.width, height=extent.height, rx=4, class_="tray")]
    if tray.seat is not None:
        paint = seat_paints[tray.seat] if tray.seat < len(seat_paints) else None
        parts.append(seat_mark(tray.seat, paint, (extent.left + 3.4, extent.bottom - 3.4), 4.0))
    return tag("g", *parts)


def draw_label(label: Label) -> Markup:
    """A text beside the board."""
    return tag("text", label.text, x=label.at[0], y=label.at[1] + 0.36 * label.size_mm, font_size=label.size_mm,
               class_="axis")
