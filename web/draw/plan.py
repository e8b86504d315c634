"""Where everything is drawn: bodies and places where the layout has them, zones as trays around them.

A zone is an area in which things stand anywhere, and a rules' placement gives no positions there; so its pieces are
laid out in rows, in a tray on the side of the board on which the zone lies. That also keeps the board large on a phone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, cos, inf, radians, sin

from companion.table import SHAPES, Appearance, Layout, Placement, Point, Spot, Zone, shape_of

PITCH_MM = 15.2
"""From one piece in a tray to the next."""
PAD_MM, GAP_MM = 3.0, 3.5
LEAST_IN_TRAY = 6
"""Trays are made for at least so many pieces, so that they do not shrink while a stock is played."""


@dataclass(frozen=True, slots=True)
class Box:
    """Left, top, right and bottom in the drawing frame."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Millimetres across."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Millimetres down."""
        return self.bottom - self.top

    def grown(self, by_mm: float) -> Box:
        """The same box, larger on all four sides."""
        return Box(self.left - by_mm, self.top - by_mm, self.right + by_mm, self.bottom + by_mm)


@dataclass(frozen=True, slots=True)
class Tray:
    """A zone as drawn: its box and the centres at which its pieces go, in order."""

    spot: Spot
    seat: int | None
    box: Box
    centres: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Stand:
    """One piece as drawn: `key` names it between two drawings, so that it can glide; `level` counts a stack from 0."""

    key: str
    appearance: Appearance
    spot: Spot
    at: Point
    level: int = 0
    stacked: int = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole drawing: `view` is its outer box, `core` that of bodies and places."""

    view: Box
    core: Box
    trays: tuple[Tray, ...]
    stands: tuple[Stand, ...]

    def find(self, spot: Spot, appearance: Appearance) -> Point | None:
        """Where that piece is drawn, or None."""
        return next((s.at for s in self.stands if s.spot == spot and s.appearance == appearance), None)


def make_plan(layout: Layout, placement: Placement) -> Plan:
    """Plan the drawing of `placement` on `layout`."""
    core = _core(layout)
    trays = _trays(layout, placement, core)
    view = _around([core, *(tray.box for tray in trays)]).grown(GAP_MM)
    stands = sorted(_stands(layout, placement, trays), key=lambda each: (each.at[1], each.level))
    return Plan(view, core, trays, tuple(stands))


def box_of(at_mm: Point, size_mm: Point, turn_deg: float) -> Box:
    """The upright box around a turned rectangle given in the layout's frame."""
    turn = radians(turn_deg)
    wide = abs(size_mm[0] * cos(turn)) + abs(size_mm[1] * sin(turn))
    deep = abs(size_mm[0] * sin(turn)) + abs(size_mm[1] * cos(turn))
    x, y = at_mm[0], -at_mm[1]
    return Box(x - wide / 2, y - deep / 2, x + wide / 2, y + deep / 2)


def _around(boxes: list[Box]) -> Box:
    if not boxes:
        return Box(0, 0, 0, 0)
    return Box(min(b.left for b in boxes), min(b.top for b in boxes),
               max(b.right for b in boxes), max(b.bottom for b in boxes))


def _core(layout: Layout) -> Box:
    boxes = [box_of(body.at_mm, body.size_mm[:2], body.turn_deg) for body in layout.bodies]
    boxes += [box_of(place.at_mm, place.size_mm, place.turn_deg) for place in layout.places]
    core = _around(boxes)
    return _around([core, *(_box(zone) for zone in layout.zones if _lies_in(zone, core))])


def _lies_in(zone: Zone, core: Box) -> bool:
    """Whether the zone is between bodies and places, not at a side of them."""
    x, y = _centre(zone)
    return core.left < x < core.right and core.top < y < core.bottom


def _box(zone: Zone) -> Box:
    return _around([Box(x, -y, x, -y) for x, y in zone.corners_mm])


def _trays(layout: Layout, placement: Placement, core: Box) -> tuple[Tray, ...]:
    """Each zone on its side of the core; several on one side share its length in the order in which they lie.

    A zone that lies in the core, between bodies and places, is drawn where it is.
    """
    sides: dict[str, list[Zone]] = {"left": [], "right": [], "top": [], "bottom": []}
    made = []
    for zone in layout.zones:
        if _lies_in(zone, core):
            made.append(_tray_in_place(zone, len(placement.get(zone.spot, ()))))
        else:
            sides[_side(zone, core)].append(zone)
    for side, zones in sides.items():
        across = side in ("top", "bottom")
        zones.sort(key=lambda zone: _centre(zone)[0] if across else _centre(zone)[1])
        start, length = (core.left, core.width) if across else (core.top, core.height)
        share = max((length - GAP_MM * (len(zones) - 1)) / max(len(zones), 1), PITCH_MM + 2 * PAD_MM)
        for n, zone in enumerate(zones):
            count = max(len(placement.get(zone.spot, ())), LEAST_IN_TRAY)
            made.append(_tray(zone, side, core, (start + n * (share + GAP_MM), share), count))
    order = [zone.spot for zone in layout.zones]
    return tuple(sorted(made, key=lambda tray: order.index(tray.spot)))


def _centre(zone: Zone) -> Point:
    """In the drawing frame."""
    return sum(x for x, _ in zone.corners_mm) / 4, -sum(y for _, y in zone.corners_mm) / 4


def _side(zone: Zone, core: Box) -> str:
    x, y = _centre(zone)
    right = (x - (core.left + core.right) / 2) / max(core.width, 1)
    down = (y - (core.top + core.bottom) / 2) / max(core.height, 1)
    if abs(right) > abs(down):
        return "right" if right > 0 else "left"
    return "bottom" if down >= 0 else "top"


def _tray(zone: Zone, side: str, core: Box, share: tuple[float, float], count: int) -> Tray:
    """A tray along one side: `share` is its start and length along that side."""
    start, length = share
    per_row = max(1, min(count, int((length - 2 * PAD_MM + 0.5) // (PITCH_MM - 0.8))))
    pitch = min(PITCH_MM, (length - 2 * PAD_MM) / per_row)
    deep = ceil(count / per_row) * PITCH_MM + 2 * PAD_MM
    first = start + (length - pitch * (per_row - 1)) / 2
    along = [first + pitch * (n % per_row) for n in range(count)]
    inward = [PAD_MM + PITCH_MM * (n // per_row + 0.5) for n in range(count)]
    gap = GAP_MM + 1.5
    if side == "top":
        box = Box(start, core.top - gap - deep, start + length, core.top - gap)
        centres = [(a, box.top + i) for a, i in zip(along, inward)]
    elif side == "bottom":
        box = Box(start, core.bottom + gap, start + length, core.bottom + gap + deep)
        centres = [(a, box.top + i) for a, i in zip(along, inward)]
    elif side == "left":
        box = Box(core.left - gap - deep, start, core.left - gap, start + length)
        centres = [(box.left + i, a) for a, i in zip(along, inward)]
    else:
        box = Box(core.right + gap, start, core.right + gap + deep, start + length)
        centres = [(box.left + i, a) for a, i in zip(along, inward)]
    return Tray(zone.spot, zone.seat, box, tuple(centres))


def _tray_in_place(zone: Zone, count: int) -> Tray:
    """A tray that covers its zone, its pieces in rows; they move together when there are many."""
    box = _box(zone)
    per_row = max(1, int((box.width - PAD_MM) // PITCH_MM))
    rows = max(1, ceil(count / per_row))
    down = min(PITCH_MM, (box.height - PAD_MM) / rows)
    left = (box.left + box.right - PITCH_MM * (per_row - 1)) / 2
    top = (box.top + box.bottom - down * (rows - 1)) / 2
    centres = [(left + PITCH_MM * (n % per_row), top + down * (n // per_row)) for n in range(count)]
    return Tray(zone.spot, zone.seat, box, tuple(centres))


def _rank(appearance: Appearance) -> tuple[str, int, str]:
    """Drinks of one colour together, shortest first; anything else by name."""
    shape = shape_of(appearance)
    return (appearance.partition("/")[0], SHAPES.index(shape) if shape in SHAPES else -1, appearance)


def _stands(layout: Layout, placement: Placement, trays: tuple[Tray, ...]) -> list[Stand]:
    fixed: Mapping[Spot, Point] = {place.spot: (place.at_mm[0], -place.at_mm[1]) for place in layout.places}
    loose = {tray.spot: tray for tray in trays}
    drawn: list[tuple[Spot, Appearance, Point, int, int]] = []
    for spot, pieces in placement.items():
        if spot in loose:
            ordered = zip(sorted(pieces, key=_rank), loose[spot].centres)
            drawn += [(spot, piece, at, 0, 1) for piece, at in ordered]
        elif spot in fixed:
            drawn += [(spot, piece, fixed[spot], level, len(pieces)) for level, piece in enumerate(pieces)]
    counts: dict[Appearance, int] = {}
    stands = []
    for spot, piece, at, level, stacked in drawn:
        counts[piece] = counts.get(piece, 0) + 1
        stands.append(Stand(f"{piece}#{counts[piece]}", piece, spot, at, level, stacked))
    return stands


NOWHERE = Box(inf, inf, -inf, -inf)
"""Holds nothing; grows by `merge`."""


def merge(box: Box, at: Point, half_mm: float) -> Box:
    """The box grown to hold a square of half side `half_mm` around a point."""
    return Box(min(box.left, at[0] - half_mm), min(box.top, at[1] - half_mm),
               max(box.right, at[0] + half_mm), max(box.bottom, at[1] + half_mm))
