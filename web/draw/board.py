"""A board with everything on it, as one SVG."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import cos, hypot, pi, sin
from pathlib import Path

from markupsafe import Markup

from companion.table import EMPTY, SHAPES, Appearance, Body, Layout, Place, Placement, Point, shape_of, standing
from web.draw.boxes import NOWHERE, Box, merge, within
from web.draw.changes import Change, changes
from web.draw.colours import PAINTS
from web.draw.faces import short_name
from web.draw.pieces import piece, seat_mark, symbols
from web.draw.plan import Label, Plan, Stand, make_plan
from web.draw.svg import number, tag
from web.draw.trays import Tray

STYLE = Path(__file__).parent.parent / "static" / "board.css"
SHAPE_LETTERS = dict(zip(SHAPES, "UHTQNB"))
"""One letter a shape, none twice: stUb, sHort, Tall, sQuare, Not tallest, tallest Bottle."""
CLOSE_UP_MM = 64.0
"""The least width of a close-up, so that one always sees where on the board it is."""

MOST_PATHS = 6
"""Of more pieces that moved at once no paths are drawn."""
CARRIED = 4
"""So many pieces that changed together are one body that was moved or turned."""

Owner = Callable[[Appearance], int | None]


def board(
    layout: Layout, placement: Placement, *, title: str, before: Placement | None = None,
    unsure: Collection[str] = (), owner: Owner = lambda _: None, seat_paints: Sequence[str] = (), crop: bool = False,
    code: Callable[[Appearance], str] = short_name, standalone: bool = False,
) -> Markup:
    """Draw `placement` on `layout`.

    `before`: what stood where before the last ply, to mark what it did. `unsure`: spots or appearances that breathe.
    `owner`: whose a piece is, for the seat's shape on its top; `seat_paints`: the seats' colours. `crop`: only the part
    that changed. `code`: the few letters that a flat piece bears. `title` is the accessible name.
    """
    now = standing(layout, placement)
    plan = make_plan(now, placement)
    earlier = make_plan(standing(layout, before), before) if before is not None else plan
    done = changes(before, placement) if before is not None else ()
    whole = _whole(now, placement, done)
    single = [change for change in done if change.after not in whole and change.before not in whole]

    def drawn(stand: Stand) -> Markup:
        seat = owner(stand.appearance)
        paint = seat_paints[seat] if seat is not None and seat < len(seat_paints) else None
        letter = SHAPE_LETTERS.get(shape_of(stand.appearance))
        unclear = stand.spot in unsure or stand.appearance in unsure
        return tag("g", piece(stand, code(stand.appearance), seat, paint, letter), class_="unsure" if unclear else None)

    parts = [
        *(_tray(tray, seat_paints) for tray in plan.trays),
        *(_body(body) for body in plan.bodies),
        *(_place(place) for place in now.places),
        tag("g", *(_label(label) for label in plan.labels), aria_hidden="true"),
        *(_frame(body, "halo frame") for body in plan.bodies if body.spot in whole),
        *(_halo(plan, earlier, change) for change in single),
        *(drawn(stand) for stand in plan.stands if stand.appearance != EMPTY),
        *(_frame(body, "was") for body in earlier.bodies if body.spot not in {each.spot for each in plan.bodies}),
        *(_path(plan, earlier, change) for change in single if len(single) <= MOST_PATHS),
    ]
    view = _close_up(plan, earlier, done) if crop else plan.view
    extra = [Markup("<style>") + Markup(STYLE.read_text("utf-8")) + Markup("</style>"), symbols()] if standalone else []
    return tag(
        "svg", tag("title", title), *extra, *parts,
        xmlns="http://www.w3.org/2000/svg" if standalone else None, class_="board", role="img", aria_label=title,
        viewBox=" ".join(number(v) for v in (view.left, view.top, view.width, view.height)),
        width=f"{number(view.width)}mm" if standalone else None,
    )


def _whole(layout: Layout, placement: Placement, done: Sequence[Change]) -> set[str]:
    """Bodies that were moved or turned with all that stands in them, and the spots there: they are marked as one."""
    ends = {change.after for change in done}
    found: set[str] = set()
    for body in layout.bodies:
        spots = [place.spot for place in layout.places if place.on == body.spot and placement.get(place.spot)]
        if len(spots) >= CARRIED and ends.issuperset(spots):
            found |= {body.spot, *spots}
    return found


def _turned(at_mm: Point, turn_deg: float) -> str:
    turn = f" rotate({number(-turn_deg)})" if turn_deg else ""
    return f"translate({number(at_mm[0])} {number(-at_mm[1])}){turn}"


def _body(body: Body) -> Markup:
    """A crate, or a board: a frame with a floor; a board of a colour has an edge of it."""
    wide, deep = body.size_mm[:2]
    head, _, tail = body.appearance.partition(":")
    name = body.spot.partition(":")[2]
    kind = "crate" if head == "crate" else "crate lid" if head.startswith("crate") else "plain"
    return tag(
        "g",
        tag("rect", x=-wide / 2 + 0.4, y=-deep / 2 + 0.7, width=wide, height=deep, rx=2.2, fill="#000000",
            fill_opacity=0.22),
        tag("rect", x=-wide / 2 + 0.15, y=-deep / 2 + 0.15, width=wide - 0.3, height=deep - 0.3, rx=2.2,
            class_=f"body {kind}"),
        tag("rect", x=-wide / 2 - 0.7, y=-deep / 2 - 0.7, width=wide + 1.4, height=deep + 1.4, rx=2.8, fill="none",
            stroke=PAINTS[tail], stroke_width=2.4) if tail in PAINTS else "",
        tag("text", name, x=0, y=deep / 2 - 0.6, font_size=4.6, class_="letter") if "," in name else "",
        transform=_turned(body.at_mm, body.turn_deg),
    )


def _frame(body: Body, kind: str) -> Markup:
    """Around a body as a whole."""
    wide, deep = body.size_mm[0] + 1.6, body.size_mm[1] + 1.6
    return tag("rect", x=-wide / 2, y=-deep / 2, width=wide, height=deep, rx=3, class_=kind,
               transform=_turned(body.at_mm, body.turn_deg))


def _label(label: Label) -> Markup:
    return tag("text", label.text, x=label.at[0], y=label.at[1] + 0.36 * label.size_mm, font_size=label.size_mm,
               class_="axis")


def _place(place: Place) -> Markup:
    """An empty spot: a compartment in a body, a hex, a cell."""
    wide, deep = (1.2 * side if place.under else side for side in place.size_mm)
    kind = "place mark" if place.under else "place on" if place.on else "place"
    if place.outline == "round":
        shape = tag("ellipse", cx=0, cy=0, rx=wide / 2 - 0.3, ry=deep / 2 - 0.3, class_=kind)
    elif place.outline == "hex":
        r = wide / 2 - 0.3
        corners = [(r * cos(n * pi / 3), r * sin(n * pi / 3)) for n in range(6)]
        shape = tag("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in corners), class_=kind)
    else:
        shape = tag("rect", x=-wide / 2 + 0.45, y=-deep / 2 + 0.45, width=wide - 0.9, height=deep - 0.9, rx=1.6,
                    class_=kind)
    name = tag("text", place.spot.partition(":")[2], x=0, y=0.42 * deep, font_size=0.2 * deep, class_="letter")
    return tag("g", shape, name if place.outline == "hex" else "", transform=_turned(place.at_mm, place.turn_deg))


def _tray(tray: Tray, seat_paints: Sequence[str]) -> Markup:
    """A zone: a shallow tray with its seat's shape in a corner."""
    box = tray.box
    parts = [tag("rect", x=box.left, y=box.top, width=box.width, height=box.height, rx=4, class_="tray")]
    if tray.seat is not None:
        paint = seat_paints[tray.seat] if tray.seat < len(seat_paints) else None
        parts.append(seat_mark(tray.seat, paint, (box.left + 3.4, box.bottom - 3.4), 4.0))
    return tag("g", *parts)


def _where(plan: Plan, earlier: Plan, change: Change) -> tuple[Point | None, Point | None]:
    """Where the piece was and where it is. What left a tray left over the tray's edge: the others close up, so where
    exactly it stood there says nothing."""
    was = earlier.find(change.before, change.appearance) if change.before is not None else None
    now = plan.find(change.after, change.appearance) if change.after is not None else None
    before, after = was.at if was else None, now.at if now else None
    tray = next((tray.box for tray in earlier.trays if tray.spot == change.before and not tray.inside), None)
    if tray and after:
        before = within(after[0], 2, tray.left, tray.right), within(after[1], 2, tray.top, tray.bottom)
    return before, after


def _halo(plan: Plan, earlier: Plan, change: Change) -> Markup:
    """Under the piece: where it stands now, and where one stood that is gone."""
    before, after = _where(plan, earlier, change)
    stand = plan.find(change.after, change.appearance) if change.after is not None else None
    was = earlier.find(change.before, change.appearance) if change.before is not None else None
    parts = []
    if after and stand:
        tall = 1.43 if stand.form == "card" else 1.0
        parts.append(tag("ellipse", cx=after[0], cy=after[1], rx=0.62 * stand.wide_mm, ry=0.62 * stand.wide_mm * tall,
                         class_="halo"))
    if before and was and change.before not in {tray.spot for tray in plan.trays}:
        parts.append(tag("circle", cx=before[0], cy=before[1], r=(0.38 if after else 0.42) * was.wide_mm,
                         class_="was" if after else "gone"))
    return tag("g", *parts)


def _path(plan: Plan, earlier: Plan, change: Change) -> Markup:
    """A thin line from where the piece was to the foot of where it is, with an arrow's head."""
    before, after = _where(plan, earlier, change)
    if not before or not after or hypot(after[0] - before[0], after[1] - before[1]) < 8:
        return Markup()
    stand = plan.find(change.after, change.appearance) if change.after is not None else None
    size = stand.wide_mm / 13.4 if stand else 1.0
    far = hypot(after[0] - before[0], after[1] - before[1])
    along = ((after[0] - before[0]) / far, (after[1] - before[1]) / far)
    short, wide, long = 7.4 * size, 2 * size, 3 * size
    end = (after[0] - along[0] * short, after[1] - along[1] * short)
    wing = [(end[0] - along[0] * long + s * along[1] * wide, end[1] - along[1] * long - s * along[0] * wide)
            for s in (1, -1)]
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
    wide_mm = max([stand.wide_mm for stand in plan.stands if stand.spot in {spot for spot, _ in ends}], default=13.0)
    for _, at in [end for end in ends if end[0] not in trays] or ends:
        box = merge(box, at, wide_mm)
    if box == NOWHERE:
        return plan.view
    wide = max(box.width, box.height * 4 / 3, CLOSE_UP_MM, 4.4 * wide_mm)
    tall = wide * 3 / 4
    x = within((box.left + box.right) / 2, wide / 2, plan.view.left, plan.view.right)
    y = within((box.top + box.bottom) / 2, tall / 2, plan.view.top, plan.view.bottom)
    return Box(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)
