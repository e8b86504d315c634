"""What to lay where on the real table: cards, crates, boards and pieces in their places, and each piece by itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from markupsafe import Markup

from companion.session.enrolment import LaidCard, Laying, ThingToLay
from companion.table import SHAPES, Body, Layout, PieceKind, shape_of
from web.draw.drawn_pieces import DrawnPiece
from web.draw.extents import Extent, extent_of, union
from web.draw.faces import short_name
from web.draw.furniture import draw_body, turned
from web.draw.pieces import draw_piece
from web.draw.svg import number, tag

CARD_MM = 46.0
"""How wide a tag card is drawn."""
AROUND_MM = 14.0
"""Around everything."""
LOOSE_DRINK_MM, PIECE_SHARE = 21.0, 1.0
"""How much room a drink on the open table is drawn in, more than it takes; how wide other pieces are, by their size."""
ICON_SHARE = 1.5
"""How much of a piece's surroundings its own picture shows, by its width."""
MUCH = 0.7
"""Things that are spread over no more than this share of the table are drawn large, too."""
BODIES = ("frame", "lid", "board")
"""Kinds that are drawn as things that carry others."""


def draw_laying(laying: Laying, kinds: Sequence[PieceKind], lacking: Collection[int], title: str) -> Markup:
    """The table from the front edge. `lacking` are the numbers of things that are missing, which are marked; `title` is
    the accessible name."""
    return _drawn(laying, kinds, lacking, title, _whole(laying), draw_things(laying, kinds, (), "") is None)


def draw_things(laying: Laying, kinds: Sequence[PieceKind], lacking: Collection[int], title: str) -> Markup | None:
    """The things alone, large; None for a single one, and where they take most of the table anyway."""
    view = _middle(laying)
    if len(laying.things) < 2 or view.width > MUCH * _whole(laying).width:
        return None
    return _drawn(replace(laying, cards=()), kinds, lacking, title, view)


def _whole(laying: Laying) -> Extent:
    cards = [extent_of(card.at_mm, (CARD_MM, CARD_MM), card.turn_deg) for card in laying.cards]
    things = [extent_of(thing.at_mm, thing.size_mm, thing.turn_deg) for thing in laying.things]
    return union([*cards, *things]).grown(AROUND_MM)


def _middle(laying: Laying) -> Extent:
    return union([extent_of(thing.at_mm, thing.size_mm, thing.turn_deg) for thing in laying.things]).grown(AROUND_MM)


def _drawn(
    laying: Laying, kinds: Sequence[PieceKind], lacking: Collection[int], title: str, view: Extent,
    numbered: bool = True,
) -> Markup:
    size = max(9.0, view.width / 42)
    return tag(
        "svg", tag("title", title),
        tag("rect", x=view.left + 1, y=view.top + 1, width=view.width - 2, height=view.height - 2, rx=8, class_="tray"),
        *(_card(card) for card in laying.cards),
        *(_thing(thing, kinds) for thing in sorted(laying.things, key=lambda each: _layer(each, kinds))),
        *(_mark(thing) for thing in laying.things if thing.number in lacking and not thing.is_inside),
        *(_number(thing, size) for thing in laying.things if numbered and not thing.is_inside),
        class_="board", role="img", aria_label=title, viewBox=_view_box(view))


def piece_icon(thing: ThingToLay, kinds: Sequence[PieceKind]) -> Markup:
    """A piece by itself, upright, as a picture for a line of text."""
    half = ICON_SHARE * max(thing.size_mm) / 2
    if _is_drink(thing):
        half = LOOSE_DRINK_MM * 0.6
    lone = ThingToLay(0, thing.appearance, thing.kind, (0.0, 0.0), thing.size_mm, 0.0)
    return tag("svg", _thing(lone, kinds), class_="board laid", aria_hidden="true",
               viewBox=_view_box(Extent(-half, -half, half, half)))


def _thing(thing: ThingToLay, kinds: Sequence[PieceKind]) -> Markup:
    kind = _kind_of(thing, kinds)
    if kind.drawn in BODIES:
        body = Body("", thing.appearance, thing.at_mm, (*thing.size_mm, 0.0), thing.turn_deg)
        return draw_body(body, Layout((), (), (), (1.0, 1.0), kinds=tuple(kinds)))
    is_drink = _is_drink(thing)
    wide = thing.size_mm[0] * PIECE_SHARE
    if is_drink:
        wide = thing.size_mm[0] if thing.is_inside else LOOSE_DRINK_MM
    drawn = DrawnPiece("", thing.appearance, kind, "", (0.0, 0.0), "drink" if is_drink else kind.outline, wide)
    code = short_name(thing.appearance) if kind.lettered else ""
    turn = 0.0 if is_drink else thing.turn_deg
    return tag("g", draw_piece(drawn, code, None, None), transform=turned(thing.at_mm, turn))


def _mark(thing: ThingToLay) -> Markup:
    """Around a thing that is missing."""
    wide, deep = (size + 8 for size in thing.size_mm)
    return tag("rect", x=-wide / 2, y=-deep / 2, width=wide, height=deep, rx=min(wide / 3, deep / 3, 10.0),
               class_="lacking", transform=turned(thing.at_mm, thing.turn_deg))


def _number(thing: ThingToLay, size: float) -> Markup:
    """The number of a thing at its lower right."""
    aside = min(max(thing.size_mm) / 2, 12.0) + size * 0.3
    return tag("text", str(thing.number), x=thing.at_mm[0] + aside, y=aside - thing.at_mm[1], font_size=size,
               class_="number")


def _card(card: LaidCard) -> Markup:
    half = CARD_MM / 2
    return tag("g", tag("rect", x=-half, y=-half, width=CARD_MM, height=CARD_MM, rx=2, class_="tag-card"),
               tag("text", str(card.card), x=0, y=0.36 * half, font_size=half, class_="tag-number"),
               transform=turned(card.at_mm, card.turn_deg))


def _layer(thing: ThingToLay, kinds: Sequence[PieceKind]) -> tuple[bool, float]:
    """Bodies lie below; what is nearer to the front is drawn over what is behind it."""
    return _kind_of(thing, kinds).drawn not in BODIES, -thing.at_mm[1]


def _kind_of(thing: ThingToLay, kinds: Sequence[PieceKind]) -> PieceKind:
    return next((kind for kind in kinds if kind.name == thing.kind), PieceKind(thing.kind))


def _is_drink(thing: ThingToLay) -> bool:
    return shape_of(thing.appearance) in SHAPES and "/" in thing.appearance


def _view_box(view: Extent) -> str:
    return " ".join(number(each) for each in (view.left, view.top, view.width, view.height))
