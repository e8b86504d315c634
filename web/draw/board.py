"""A board with everything on it, as one SVG."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from companion.table import EMPTY, Appearance, Layout, Placement, standing
from web.draw.drawn_pieces import DrawnPiece
from web.draw.extents import Extent
from web.draw.faces import short_name
from web.draw.furniture import draw_body, draw_label, draw_line, draw_place, draw_tray
from web.draw.last_ply import LastPly, above_pieces, below_pieces, close_up, moved_as_one
from web.draw.moves import piece_moves
from web.draw.pieces import draw_piece, symbols
from web.draw.plan import Plan, make_plan
from web.draw.svg import number, tag
from web.draw.touching import TouchMark, touch_areas, unseen_places, with_places

STYLE = Path(__file__).parent.parent / "static" / "board.css"


@dataclass(frozen=True, slots=True)
class PieceStyle:
    """What a drawing says of pieces beyond what they are: `owner` tells whose a piece is, for the seat's shape on its
    top, `seat_paints` the seats' colours, and `code` the few letters that a flat piece bears."""

    owner: Callable[[Appearance], int | None] = lambda _: None
    seat_paints: Sequence[str] = ()
    code: Callable[[Appearance], str] = short_name


PLAIN_PIECES = PieceStyle()


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A board in the making: what was drawn, by which plan, on the layout as it stands."""

    parts: list[Markup]
    ply: LastPly
    now: Layout

    @property
    def plan(self) -> Plan:
        return self.ply.plan


def board(
    layout: Layout, placement: Placement, *, title: str, before: Placement | None = None,
    unsure: Collection[str] = (), style: PieceStyle = PLAIN_PIECES, crop: bool = False, standalone: bool = False,
) -> Markup:
    """Draw `placement` on `layout`.

    `title` is the accessible name. `before`: what stood where before the last ply, to mark what it did. `unsure`: spots
    or appearances that breathe. `crop`: only the part that changed. `standalone`: with its own symbols and colours.
    """
    drawing = _draw(layout, placement, before, unsure, style)
    return _svg(drawing.parts, close_up(drawing.ply) if crop else drawing.plan.view, title, standalone)


def touchable_board(
    layout: Layout, placement: Placement, marks: Sequence[TouchMark], *, title: str, before: Placement | None = None,
    style: PieceStyle = PLAIN_PIECES,
) -> Markup:
    """The same board with what can be touched on it, also places beside it that hold nothing yet."""
    drawing = _draw(layout, placement, before, (), style)
    beside = unseen_places(marks, layout, drawing.now)
    parts = [*drawing.parts, *map(draw_place, beside), *touch_areas(marks, drawing.plan, layout)]
    return _svg(parts, with_places(drawing.plan.view, beside), title, standalone=False, role="group")


def _draw(
    layout: Layout, placement: Placement, before: Placement | None, unsure: Collection[str], style: PieceStyle
) -> _Drawing:
    now = standing(layout, placement)
    plan = make_plan(now, placement)
    earlier = make_plan(standing(layout, before), before) if before is not None else plan
    moves = piece_moves(before, placement) if before is not None else ()
    ply = LastPly(plan, earlier, moves, moved_as_one(now, placement, moves))
    return _Drawing([
        *(draw_tray(tray, style.seat_paints) for tray in plan.trays),
        *(draw_body(body, layout) for body in plan.bodies),
        *(draw_line(points) for points in layout.lines),
        *(draw_place(place) for place in now.places),
        tag("g", *(draw_label(label) for label in plan.labels), aria_hidden="true"),
        *below_pieces(ply),
        *(_piece(piece, style, unsure) for piece in plan.pieces if piece.appearance != EMPTY),
        *above_pieces(ply),
    ], ply, now)


def _piece(piece: DrawnPiece, style: PieceStyle, unsure: Collection[str]) -> Markup:
    seat = style.owner(piece.appearance)
    paint = style.seat_paints[seat] if seat is not None and seat < len(style.seat_paints) else None
    is_unsure = piece.spot in unsure or piece.appearance in unsure
    drawn = draw_piece(piece, style.code(piece.appearance) if piece.kind.lettered else "", seat, paint)
    return tag("g", drawn, class_="unsure" if is_unsure else None)


def _svg(parts: Sequence[Markup], view: Extent, title: str, standalone: bool, role: str = "img") -> Markup:
    own = [Markup("<style>") + Markup(STYLE.read_text("utf-8")) + Markup("</style>"), symbols()] if standalone else []
    return tag(
        "svg", tag("title", title), *own, *parts,
        xmlns="http://www.w3.org/2000/svg" if standalone else None, class_="board", role=role, aria_label=title,
        viewBox=" ".join(number(v) for v in (view.left, view.top, view.width, view.height)),
        width=f"{number(view.width)}mm" if standalone else None,
    )
