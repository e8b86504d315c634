"""A board with everything on it, as one SVG."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from math import cos, hypot, pi, sin
from pathlib import Path

from markupsafe import Markup

from companion.table import EMPTY, SHAPES, Appearance, Body, Layout, Place, Placement, Point, shape_of, standing
from web.draw.changes import Change, changes
from web.draw.pieces import piece, seat_mark, symbols
from web.draw.plan import NOWHERE, PITCH_MM, Box, Plan, Tray, make_plan, merge
from web.draw.svg import number, tag

STYLE = Path(__file__).parent.parent / "static" / "board.css"
SHAPE_LETTERS = dict(zip(SHAPES, "UHTQNB"))
"""One letter a shape, none twice: stUb, sHort, Tall, sQuare, Not tallest, tallest Bottle."""
CLOSE_UP_MM = 64.0
"""The least width of a close-up, so that one always sees where on the board it is."""
CELL = re.compile(r"^[^:]+:([a-z])(\d)$")

Owner = Callable[[Appearance], int | None]


def board(
    layout: Layout, placement: Placement, *, title: str, before: Placement | None = None,
    unsure: Collection[str] = (), owner: Owner = lambda _: None, seat_paints: Sequence[str] = (), crop: bool = False,
    standalone: bool = False,
) -> Markup:
    """Draw `placement` on `layout`.

    `before`: what stood where before the last ply, to mark what it did. `unsure`: spots or appearances that breathe.
    `owner`: whose a piece is, for the seat's shape on its top; `seat_paints`: the seats' colours. `crop`: only the part
    that changed. `title` is the accessible name.
    """
    layout = standing(layout, placement)
    plan = make_plan(layout, placement)
    earlier = make_plan(layout, before) if before is not None else plan
    done = changes(before, placement) if before is not None else ()
    sizes = {place.spot: min(place.size_mm) for place in layout.places}
    drawn = [
        *(_tray(tray, seat_paints) for tray in plan.trays),
        *(_body(body) for body in layout.bodies),
        *(_place(place) for place in layout.places),
        _axes(layout),
        *(_halo(plan, earlier, change) for change in done),
        *(tag("g", piece(stand, sizes.get(stand.spot, PITCH_MM), owner(stand.appearance),
                         SHAPE_LETTERS.get(shape_of(stand.appearance))),
              class_="unsure" if stand.spot in unsure or stand.appearance in unsure else None)
          for stand in plan.stands if stand.appearance != EMPTY),
        *(_path(plan, earlier, change) for change in done),
    ]
    view = _close_up(plan, earlier, done) if crop else plan.view
    extra = [Markup("<style>") + Markup(STYLE.read_text("utf-8")) + Markup("</style>"), symbols()] if standalone else []
    return tag(
        "svg", tag("title", title), *extra, *drawn,
        xmlns="http://www.w3.org/2000/svg" if standalone else None, class_="board", role="img", aria_label=title,
        viewBox=" ".join(number(v) for v in (view.left, view.top, view.width, view.height)),
        width=f"{number(view.width)}mm" if standalone else None,
    )


def _turned(at_mm: Point, turn_deg: float) -> str:
    turn = f" rotate({number(-turn_deg)})" if turn_deg else ""
    return f"translate({number(at_mm[0])} {number(-at_mm[1])}){turn}"


def _body(body: Body) -> Markup:
    """A crate, or a board: a frame with a floor."""
    wide, deep = body.size_mm[:2]
    kind = "crate" if body.appearance.partition("/")[0] == "crate" else "plain"
    return tag(
        "g",
        tag("rect", x=-wide / 2 + 0.4, y=-deep / 2 + 0.7, width=wide, height=deep, rx=2.2, fill="#000000",
            fill_opacity=0.22),
        tag("rect", x=-wide / 2 + 0.15, y=-deep / 2 + 0.15, width=wide - 0.3, height=deep - 0.3, rx=2.2,
            class_=f"body {kind}"),
        transform=_turned(body.at_mm, body.turn_deg),
    )


def _place(place: Place) -> Markup:
    """An empty spot: a compartment in a body, a hex, a cell."""
    wide, deep = place.size_mm
    kind = "place on" if place.on else "place"
    if place.outline == "round":
        shape = tag("ellipse", cx=0, cy=0, rx=wide / 2 - 0.3, ry=deep / 2 - 0.3, class_=kind)
    elif place.outline == "hex":
        r = wide / 2 - 0.3
        corners = [(r * cos(n * pi / 3), r * sin(n * pi / 3)) for n in range(6)]
        shape = tag("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in corners), class_=kind)
    else:
        shape = tag("rect", x=-wide / 2 + 0.45, y=-deep / 2 + 0.45, width=wide - 0.9, height=deep - 0.9, rx=1.6,
                    class_=kind)
    return tag("g", shape, transform=_turned(place.at_mm, place.turn_deg))


def _tray(tray: Tray, seat_paints: Sequence[str]) -> Markup:
    """A zone: a shallow tray with its seat's shape in a corner."""
    box = tray.box
    parts = [tag("rect", x=box.left, y=box.top, width=box.width, height=box.height, rx=4, class_="tray")]
    if tray.seat is not None:
        paint = seat_paints[tray.seat] if tray.seat < len(seat_paints) else None
        parts.append(seat_mark(tray.seat, paint, (box.left + 3.4, box.bottom - 3.4), 4.0))
    return tag("g", *parts)


def _axes(layout: Layout) -> Markup:
    """Column letters and row figures along a grid whose cells are named like `c4`."""
    columns: dict[str, float] = {}
    rows: dict[str, float] = {}
    edge = NOWHERE
    for place in layout.places:
        if cell := CELL.match(place.spot):
            at = place.at_mm[0], -place.at_mm[1]
            columns[cell[1]], rows[cell[2]] = at
            edge = merge(edge, at, max(place.size_mm) / 2)
    low = [tag("text", name, x=x, y=edge.bottom + 5.2, class_="axis") for name, x in columns.items()]
    left = [tag("text", name, x=edge.left - 3.9, y=y + 1.1, class_="axis") for name, y in rows.items()]
    return tag("g", *low, *left, aria_hidden="true")


def _where(plan: Plan, earlier: Plan, change: Change) -> tuple[Point | None, Point | None]:
    """Where the piece was and where it is. What left a tray left over the tray's edge: the others close up, so where
    exactly it stood there says nothing."""
    before = earlier.find(change.before, change.appearance) if change.before is not None else None
    after = plan.find(change.after, change.appearance) if change.after is not None else None
    tray = next((tray.box for tray in earlier.trays if tray.spot == change.before), None)
    if tray and after:
        before = _within(after[0], 2, tray.left, tray.right), _within(after[1], 2, tray.top, tray.bottom)
    return before, after


def _halo(plan: Plan, earlier: Plan, change: Change) -> Markup:
    """Under the piece: where it stands now, and where one stood that is gone."""
    before, after = _where(plan, earlier, change)
    parts = []
    if after:
        parts.append(tag("circle", cx=after[0], cy=after[1], r=8.3, class_="halo"))
    if before and change.before not in {tray.spot for tray in plan.trays}:
        parts.append(tag("circle", cx=before[0], cy=before[1], r=5.2 if after else 5.6,
                         class_="was" if after else "gone"))
    return tag("g", *parts)


def _path(plan: Plan, earlier: Plan, change: Change) -> Markup:
    """A thin line from where the piece was to the foot of where it is, with an arrow's head."""
    before, after = _where(plan, earlier, change)
    if not before or not after or hypot(after[0] - before[0], after[1] - before[1]) < 8:
        return Markup()
    far = hypot(after[0] - before[0], after[1] - before[1])
    along = ((after[0] - before[0]) / far, (after[1] - before[1]) / far)
    end = (after[0] - along[0] * 7.4, after[1] - along[1] * 7.4)
    wing = [(end[0] - along[0] * 3 + s * along[1] * 2, end[1] - along[1] * 3 - s * along[0] * 2) for s in (1, -1)]
    line = f"M{_xy(before)}L{_xy(end)}M{_xy(wing[0])}L{_xy(end)}L{_xy(wing[1])}"
    return tag("g", tag("path", d=line, class_="way-edge"), tag("path", d=line, class_="way"))


def _xy(at: Point) -> str:
    return f"{number(at[0])} {number(at[1])}"


def _close_up(plan: Plan, earlier: Plan, done: tuple[Change, ...]) -> Box:
    """A 4:3 box around what changed, never smaller than `CLOSE_UP_MM`; the whole board when nothing did.

    From which tray a piece came is said by its colour, so trays are shown only when nothing changed elsewhere.
    """
    trays = {tray.spot for tray in plan.trays}
    ends = [(spot, at) for change in done
            for spot, at in zip((change.before, change.after), _where(plan, earlier, change)) if at]
    box = NOWHERE
    for _, at in [end for end in ends if end[0] not in trays] or ends:
        box = merge(box, at, 13)
    if box == NOWHERE:
        return plan.view
    wide = max(box.width, box.height * 4 / 3, CLOSE_UP_MM)
    tall = wide * 3 / 4
    x = _within((box.left + box.right) / 2, wide / 2, plan.view.left, plan.view.right)
    y = _within((box.top + box.bottom) / 2, tall / 2, plan.view.top, plan.view.bottom)
    return Box(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)


def _within(middle: float, half: float, low: float, high: float) -> float:
    """The middle, shifted so that the stretch of `half` to both sides stays between the ends, where it fits."""
    return (low + high) / 2 if high - low < 2 * half else min(max(middle, low + half), high - half)
