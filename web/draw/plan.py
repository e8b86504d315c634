"""Where everything is drawn: bodies and places where the layout has them, zones as trays around them (`trays.py`).

What says nothing is left away, so that the board is large on a phone: bodies that carry nothing, and what a board has
beyond its outermost places.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest

from companion.table import SHAPES, Appearance, Body, Layout, Place, Placement, Point, Spot, Zone, shape_of
from web.draw.boxes import GAP_MM, Box, around, box_of
from web.draw.faces import BLACK
from web.draw.trays import PITCH_MM, Cell, Heap, Tray, make_trays

AXIS_SHARE = 0.062
"""How large letters and figures along a grid are, by its width."""
MARGIN_MM = 9.0
"""So much of a body is drawn around its outermost places."""
HEX_SHARE = 0.66
"""How much of a hex's depth a piece on it takes."""
CARD_MM, COIN_MM = 19.0, 30.0
"""How wide cards and other flat pieces are drawn in a tray where no place says it."""
RIM = 1.24
"""What lies under another piece is drawn so much larger, so that its rim can be seen."""
CELL = re.compile(r"^[^:]+:([a-z])(\d)$")
NUMBERED = re.compile(r"^\D.*:(\d)$")
SQUARES = {"tray": "square", "tile": "square", "card": "card", "grabber": "round"}
"""Forms of flat pieces by the first word of their name or by their kind; any other is round."""


@dataclass(frozen=True, slots=True)
class Stand:
    """One piece as drawn: `key` names it between two drawings, so that it can glide; `level` counts a stack from 0.

    `form` is `drink`, `round`, `square` or `card`, `wide_mm` how wide it is drawn (a drink: the room it has).
    """

    key: str
    appearance: Appearance
    spot: Spot
    at: Point
    form: str
    wide_mm: float
    level: int = 0
    stacked: int = 1


@dataclass(frozen=True, slots=True)
class Label:
    """What words call a body, a column or a row by."""

    text: str
    at: Point
    size_mm: float

    @property
    def box(self) -> Box:
        """The room it takes."""
        return Box(*self.at, *self.at).grown(0.55 * self.size_mm)


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole drawing: `view` is its outer box, `core` that of bodies and places."""

    view: Box
    core: Box
    bodies: tuple[Body, ...]
    trays: tuple[Tray, ...]
    stands: tuple[Stand, ...]
    labels: tuple[Label, ...]

    def find(self, spot: Spot, appearance: Appearance) -> Stand | None:
        """That piece as drawn, the top one of a stack, or None."""
        found = [each for each in self.stands if each.spot == spot and each.appearance == appearance]
        return max(found, key=lambda each: each.level, default=None)


def make_plan(layout: Layout, placement: Placement) -> Plan:
    """Plan the drawing of `placement` on `layout`."""
    bodies = tuple(_trimmed(body, layout) for body in layout.bodies if _says_something(body, layout, placement))
    boxes = [box_of(body.at_mm, body.size_mm[:2], body.turn_deg) for body in bodies]
    boxes += [box_of(place.at_mm, place.size_mm, place.turn_deg) for place in layout.places]
    core = around(boxes)
    inside = [zone for zone in layout.zones if _lies_in(zone, core)]
    core = around([core, *(around([Box(x, -y, x, -y) for x, y in zone.corners_mm]) for zone in inside)])
    sizes = _sizes(layout)
    cells = {zone.spot: _cell(zone, sizes) for zone in layout.zones}
    axes = _axes(layout)
    framed = around([core, *(each.box for each in axes)])
    trays = make_trays(layout, placement, core, framed, {zone.spot for zone in inside}, cells)
    stands = _stands(layout, placement, trays, sizes, cells)
    whole = around([framed, *(tray.box for tray in trays)])
    labels = (*axes, *_numbers(bodies, layout, core, whole.width / 24))
    return Plan(around([whole, *(each.box for each in labels)]).grown(GAP_MM), core, bodies, trays, stands, labels)


def _says_something(body: Body, layout: Layout, placement: Placement) -> bool:
    return body.spot in placement or any(place.on == body.spot for place in layout.places)


def _trimmed(body: Body, layout: Layout) -> Body:
    """The body no larger than its places and a margin; one that lies askew stays as it is."""
    boxes = [box_of(place.at_mm, place.size_mm, place.turn_deg) for place in layout.places if place.on == body.spot]
    if body.turn_deg % 90 or not boxes:
        return body
    box, whole = around(boxes).grown(MARGIN_MM), box_of(body.at_mm, body.size_mm[:2], body.turn_deg)
    left, right = max(box.left, whole.left), min(box.right, whole.right)
    top, bottom = max(box.top, whole.top), min(box.bottom, whole.bottom)
    at_mm = ((left + right) / 2, -(top + bottom) / 2)
    return replace(body, at_mm=at_mm, size_mm=(right - left, bottom - top, body.size_mm[2]), turn_deg=0.0)


def _lies_in(zone: Zone, core: Box) -> bool:
    """Whether the zone is between bodies and places, not at a side of them."""
    x, y = sum(x for x, _ in zone.corners_mm) / 4, -sum(y for _, y in zone.corners_mm) / 4
    return core.left < x < core.right and core.top < y < core.bottom


def _room(place: Place) -> float:
    return min(place.size_mm) * (HEX_SHARE if place.outline == "hex" else 0.96)


def _sizes(layout: Layout) -> dict[str, float]:
    """How wide pieces of each kind are drawn: as wide as the smallest place for them allows."""
    sizes: dict[str, float] = {}
    for place in layout.places:
        for kind in place.kinds:
            sizes[kind] = min(sizes.get(kind, _room(place)), _room(place))
    return sizes


def _cell(zone: Zone, sizes: Mapping[str, float]) -> Cell:
    """How much room a piece has in a tray."""
    kind = zone.kinds[0] if zone.kinds else ""
    if kind == "drink":
        return Cell(PITCH_MM, PITCH_MM, 0.86, 1.3)
    card = SQUARES.get(kind) == "card"
    wide = sizes.get(kind, CARD_MM if card else COIN_MM)
    return Cell(wide + 2, (1.43 * wide if card else wide) + 2, 0.7, 1.0)


def form_of(appearance: Appearance, kinds: tuple[str, ...]) -> str:
    """The form in which a piece is drawn."""
    if shape_of(appearance) in SHAPES:
        return "drink"
    head = appearance.partition(":")[0]
    return SQUARES.get(head) or SQUARES.get(kinds[0] if kinds else "", "round")


def _stands(
    layout: Layout, placement: Placement, trays: tuple[Tray, ...], sizes: Mapping[str, float],
    cells: Mapping[Spot, Cell],
) -> tuple[Stand, ...]:
    """Every piece, in the order in which they are drawn: what lies flat first, then from the back to the front."""
    places = {place.spot: place for place in layout.places}
    kinds = {zone.spot: zone.kinds for zone in layout.zones}
    loose = {tray.spot: tray for tray in trays}
    drawn: list[tuple[int, Stand]] = []
    for spot, pieces in placement.items():
        if spot in loose:
            for heap, at in zip_longest(loose[spot].heaps, loose[spot].centres[: len(loose[spot].heaps)]):
                wide = loose[spot].scale * (cells[spot].wide_mm - (0 if kinds[spot][:1] == ("drink",) else 2))
                drawn += [(1, each) for each in _heap(heap, spot, at, kinds[spot], wide)]
        elif spot in places:
            place = places[spot]
            wide = min(sizes.get(place.kinds[0], _room(place)), _room(place)) * (RIM if place.under else 1.0)
            at = (place.at_mm[0], -place.at_mm[1])
            layer = 0 if place.under or form_of(pieces[0] if pieces else "", place.kinds) == "card" else 1
            pile = _heap(Heap(tuple(pieces)), spot, at, place.kinds, wide)
            if place.under in placement:  # only its rim can be seen
                pile = [replace(each, stacked=len(pile) + 1) for each in pile]
            drawn += [(layer, each) for each in pile]
    drawn.sort(key=lambda each: (each[0], each[1].appearance in BLACK, each[1].at[1], each[1].level))
    return _keyed([stand for _, stand in drawn])


def _heap(heap: Heap, spot: Spot, at: Point, kinds: tuple[str, ...], wide: float) -> list[Stand]:
    """The pieces of a pile; a black one on top stands in a corner, so that what it stands on can be read."""
    flat = [piece for piece in heap.pieces if piece not in BLACK]
    stands = [Stand("", piece, spot, at, form_of(piece, kinds), wide, level, len(flat))
              for level, piece in enumerate(flat)]
    aside = 0.24 * wide if flat else 0.0
    stands += [Stand("", piece, spot, (at[0] + aside, at[1] - aside), "round", 0.56 * wide)
               for piece in heap.pieces if piece in BLACK]
    return stands


def _keyed(stands: list[Stand]) -> tuple[Stand, ...]:
    counts: dict[Appearance, int] = {}
    found = []
    for stand in stands:
        counts[stand.appearance] = counts.get(stand.appearance, 0) + 1
        found.append(replace(stand, key=f"{stand.appearance}#{counts[stand.appearance]}"))
    return tuple(found)


def _axes(layout: Layout) -> tuple[Label, ...]:
    """Column letters and row figures along a grid whose cells are named like `c4`."""
    cells = [(cell[1], cell[2], place) for place in layout.places if (cell := CELL.match(place.spot))]
    if not cells:
        return ()
    edge = around([box_of(place.at_mm, place.size_mm, place.turn_deg) for _, _, place in cells])
    size = edge.width * AXIS_SHARE
    columns = {column: place.at_mm[0] for column, _, place in cells}
    rows = {row: -place.at_mm[1] for _, row, place in cells}
    low = [Label(name, (x, edge.bottom + 0.95 * size), size) for name, x in columns.items()]
    left = [Label(name, (edge.left - 0.9 * size, y), size) for name, y in rows.items()]
    return (*low, *left)


def _numbers(bodies: tuple[Body, ...], layout: Layout, core: Box, size_mm: float) -> tuple[Label, ...]:
    """Numbers of bodies whose places have no names of their own: outside of the board, or beside what lies amidst."""
    celled = {place.on for place in layout.places if CELL.match(place.spot)}
    made = []
    for body in bodies:
        number = NUMBERED.match(body.spot)
        if number is None or body.spot in celled:
            continue
        box, middle = box_of(body.at_mm, body.size_mm[:2], body.turn_deg), (core.top + core.bottom) / 2
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        if abs(y - middle) < core.height / 4:
            at = box.left - 0.6 * size_mm, y
        else:
            at = x, box.bottom + 0.75 * size_mm if y > middle else box.top - 0.75 * size_mm
        made.append(Label(number[1], at, size_mm))
    return tuple(made)

