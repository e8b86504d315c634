"""What can be touched on a board: an area over each place or piece, a link each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from companion.table import Appearance, Layout, Place, Spot
from web.draw.drawn_pieces import CARD_RATIO
from web.draw.extents import Extent, extent_of, union
from web.draw.furniture import place_outline, turned
from web.draw.plan import Plan
from web.draw.svg import tag

OFF, QUIET, LIT, TOUCHED = "off", "quiet", "lit", "touched"
_LAYERS: Final = (OFF, QUIET, LIT, TOUCHED)
PIECE_SHARE: Final = 0.62
"""The area over a piece, as a radius, by the piece's width."""


@dataclass(frozen=True, slots=True)
class TouchMark:
    """Something to touch: a place, a zone, or all pieces of this appearance in a zone. `look` is `off` (touching it
    says why it is not possible), `quiet`, `lit` or `touched`; `is_held`: something stands there, whose colours are to
    be seen. `href` is where the link leads, `command` what a script sends."""

    spot: Spot
    piece: Appearance
    look: str
    said: str
    href: str
    command: str | None = None
    is_held: bool = False


def touch_areas(marks: Sequence[TouchMark], plan: Plan, layout: Layout) -> list[Markup]:
    """The areas, in the order in which they lie on one another: what carries others below them."""
    carriers = {place.on for place in layout.places}
    places = {place.spot: place for place in layout.places}
    ordered = sorted(marks, key=lambda mark: (_LAYERS.index(mark.look), mark.spot not in carriers))
    return [_link(mark, shape) for mark in ordered if (shape := _area(mark, plan, places)) is not None]


def unseen_places(marks: Sequence[TouchMark], layout: Layout, standing: Layout) -> list[Place]:
    """Lit places that the board does not show as it stands: where something may be put down beside it."""
    lit, there = {mark.spot for mark in marks if mark.look != OFF}, {place.spot for place in standing.places}
    there |= {body.spot for body in standing.bodies}
    return [place for place in layout.places if place.spot in lit - there]


def with_places(view: Extent, places: Sequence[Place]) -> Extent:
    """The view, large enough for these too."""
    return union([view, *(extent_of(place.at_mm, place.size_mm, place.turn_deg).grown(2.0) for place in places)])


def _area(mark: TouchMark, plan: Plan, places: dict[Spot, Place]) -> Markup | None:
    if mark.spot in places:
        place = places[mark.spot]
        outline = place_outline(place, place.size_mm[0], place.size_mm[1], "area")
        return tag("g", outline, transform=turned(place.at_mm, place.turn_deg))
    if not mark.piece:
        extent = next((tray.extent for tray in plan.trays if tray.spot == mark.spot), None)
        return None if extent is None else tag(
            "rect", x=extent.left, y=extent.top, width=extent.width, height=extent.height, rx=4, class_="area")
    found = [each for each in plan.pieces if (each.spot, each.appearance) == (mark.spot, mark.piece)]
    areas = [tag("ellipse", cx=each.at[0], cy=each.at[1], rx=PIECE_SHARE * each.wide_mm, class_="area",
                 ry=PIECE_SHARE * each.wide_mm * (CARD_RATIO if each.form == "card" else 1.0)) for each in found]
    return tag("g", *areas) if areas else None


def _link(mark: TouchMark, area: Markup) -> Markup:
    is_off, held = mark.look == OFF, " held" if mark.is_held else ""
    return tag(
        "a", area, href=mark.href, class_=f"touch {mark.look}{held}", aria_label=None if is_off else mark.said,
        data_command=mark.command, tabindex=-1 if is_off else None, aria_hidden="true" if is_off else None)
