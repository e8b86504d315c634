"""Zones as drawn: trays around the board, each on the side on which its zone lies, with its pieces in rows.

A zone is an area in which things stand anywhere, and a rules' placement gives no positions there. What lies on piles is
drawn as piles; a zone amidst bodies and places is drawn where it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import ceil

from companion.table import SHAPES, Appearance, Layout, Placement, Point, Spot, Zone, shape_of
from web.draw.boxes import GAP_MM, Box

PITCH_MM = 15.2
"""From one drink in a tray to the next."""
PAD_MM = 3.0
LEAST_DRINKS = 6
"""Trays are made for at least so many drinks, so that they do not shrink while a stock is played."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The room that a piece has in a tray, and how much smaller or larger it may be drawn to fit."""

    wide_mm: float
    deep_mm: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Heap:
    """Pieces on one another, lowest first."""

    pieces: tuple[Appearance, ...]


@dataclass(frozen=True, slots=True)
class Tray:
    """A zone as drawn: its box, what lies in it, and the centres at which its heaps go, in order; `scale` is how much
    larger than their cell they are drawn. `inside`: it lies amidst bodies and places."""

    spot: Spot
    seat: int | None
    box: Box
    heaps: tuple[Heap, ...]
    centres: tuple[Point, ...]
    scale: float = 1.0
    inside: bool = False


def make_trays(
    layout: Layout, placement: Placement, core: Box, framed: Box, inside: Collection[Spot], cells: Mapping[Spot, Cell]
) -> tuple[Tray, ...]:
    """All zones. Those on one side of the core share its length, each as much as it really has of it. `framed` is the
    core with what stands around it."""
    sides: dict[str, list[Zone]] = {"left": [], "right": [], "top": [], "bottom": []}
    made: dict[Spot, Tray] = {}
    for zone in layout.zones:
        heaps = _heaps(zone, placement.get(zone.spot, ()))
        if zone.spot in inside:
            made[zone.spot] = _tray_in_place(zone, heaps, cells[zone.spot])
        else:
            sides[_side(zone, layout.size_mm)].append(zone)
    for side, zones in sides.items():
        across = side in ("top", "bottom")
        zones.sort(key=lambda zone: _centre(zone)[0] if across else _centre(zone)[1])
        start, length = (core.left, core.width) if across else (core.top, core.height)
        free = length - GAP_MM * (len(zones) - 1)
        extents = [_extent(zone, across) for zone in zones]
        for zone, extent in zip(zones, extents):
            cell = cells[zone.spot]
            share = max(free * extent / sum(extents), cell.wide_mm * cell.least + 2 * PAD_MM)
            heaps = _heaps(zone, placement.get(zone.spot, ()))
            made[zone.spot] = _tray(zone, heaps, side, framed, (start, share), cell)
            start += share + GAP_MM
    return tuple(made[zone.spot] for zone in layout.zones)


def _heaps(zone: Zone, pieces: tuple[Appearance, ...]) -> tuple[Heap, ...]:
    """What is drawn at one point each: a piece, a pile, all equal pieces."""
    if zone.heap == "pile":
        return (Heap(pieces),) if pieces else ()
    ordered = sorted(pieces, key=_rank)
    if zone.heap == "alike":
        return tuple(Heap((piece,) * ordered.count(piece)) for piece in dict.fromkeys(ordered))
    return tuple(Heap((piece,)) for piece in ordered)


def _rank(appearance: Appearance) -> tuple[str, int, str]:
    """Drinks of one colour together, shortest first; anything else by name."""
    shape = shape_of(appearance)
    return (appearance.partition("/")[0], SHAPES.index(shape) if shape in SHAPES else -1, appearance)


def _centre(zone: Zone) -> Point:
    """In the drawing frame."""
    return sum(x for x, _ in zone.corners_mm) / 4, -sum(y for _, y in zone.corners_mm) / 4


def _extent(zone: Zone, across: bool) -> float:
    along = [corner[0 if across else 1] for corner in zone.corners_mm]
    return max(along) - min(along)


def _side(zone: Zone, size_mm: Point) -> str:
    """The side of the whole layout at which the zone lies."""
    x, y = _centre(zone)
    right, down = x / size_mm[0] - 0.5, y / size_mm[1] + 0.5
    if abs(right) > abs(down):
        return "right" if right > 0 else "left"
    return "bottom" if down >= 0 else "top"


def _tray(zone: Zone, heaps: tuple[Heap, ...], side: str, core: Box, share: tuple[float, float], cell: Cell) -> Tray:
    """A tray along one side: `share` is its start and length along that side."""
    start, length = share
    across = side in ("top", "bottom")
    wide, high = (cell.wide_mm, cell.deep_mm) if across else (cell.deep_mm, cell.wide_mm)
    count = max(len(heaps), LEAST_DRINKS if zone.kinds[:1] == ("drink",) else 1)
    per_row = max(1, min(count, int((length - 2 * PAD_MM + 0.5) // (wide * cell.least))))
    scale = min(cell.most if count <= per_row else 1.0, (length - 2 * PAD_MM) / per_row / wide)
    pitch = wide * scale
    deep = ceil(count / per_row) * high * scale + 2 * PAD_MM
    first = start + (length - pitch * (min(per_row, count) - 1)) / 2
    along = [first + pitch * (n % per_row) for n in range(count)]
    inward = [PAD_MM + high * scale * (n // per_row + 0.5) for n in range(count)]
    away = GAP_MM + 1.5
    near = {"top": core.top - away - deep, "bottom": core.bottom + away,
            "left": core.left - away - deep, "right": core.right + away}[side]
    if across:
        box = Box(start, near, start + length, near + deep)
        centres = [(a, near + i) for a, i in zip(along, inward)]
    else:
        box = Box(near, start, near + deep, start + length)
        centres = [(near + i, a) for a, i in zip(along, inward)]
    return Tray(zone.spot, zone.seat, box, heaps, tuple(centres), scale)


def _tray_in_place(zone: Zone, heaps: tuple[Heap, ...], cell: Cell) -> Tray:
    """A tray that covers its zone, its pieces in rows; they move together when there are many."""
    xs, ys = [x for x, _ in zone.corners_mm], [-y for _, y in zone.corners_mm]
    box, count = Box(min(xs), min(ys), max(xs), max(ys)), len(heaps)
    per_row = max(1, int((box.width - PAD_MM) // (cell.wide_mm * 0.98)))
    rows = max(1, ceil(count / per_row))
    down = min(cell.deep_mm, (box.height - PAD_MM) / rows)
    left = (box.left + box.right - cell.wide_mm * (min(per_row, max(count, 1)) - 1)) / 2
    top = (box.top + box.bottom - down * (rows - 1)) / 2
    centres = [(left + cell.wide_mm * (n % per_row), top + down * (n // per_row)) for n in range(count)]
    return Tray(zone.spot, None, box, heaps, tuple(centres), inside=True)
