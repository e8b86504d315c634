"""Zones as drawn: trays around the board, each on the side on which its zone lies, with its pieces in rows.

A zone is an area in which things stand anywhere, and a rules' placement gives no positions there. What lies on piles is
drawn as piles; a zone amidst bodies and places is drawn where it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from companion.table import SHAPES, Appearance, Layout, Placement, Point, Spot, Zone, shape_of
from web.draw.extents import TRAY_GAP_MM, Extent

TRAY_PAD_MM = 3.0
"""Between a tray's edge and its pieces."""
SIDE_GAP_MM = TRAY_GAP_MM + 1.5
"""Between the board and a tray beside it."""
HUDDLED = 0.98
"""In a tray amidst the board pieces stand a little closer before a new row begins."""
SIDES = ("left", "right", "top", "bottom")


@dataclass(frozen=True, slots=True)
class PieceRoom:
    """The room that a piece has in a tray: how wide and deep it is, how much smaller or larger it may be drawn to fit,
    and how many pieces a tray has room for at least."""

    wide_mm: float
    deep_mm: float
    min_scale: float
    max_scale: float
    between_mm: float = 0.0
    min_pieces: int = 1

    @property
    def piece_mm(self) -> float:
        """How wide the piece itself is drawn."""
        return self.wide_mm - self.between_mm


@dataclass(frozen=True, slots=True)
class Pile:
    """Pieces on one another, lowest first."""

    pieces: tuple[Appearance, ...]


@dataclass(frozen=True, slots=True)
class Tray:
    """A zone as drawn: its extent, what lies in it, and the centres at which its piles go, in order; `scale` is how
    much larger than their room they are drawn. `inside`: it lies amidst bodies and places."""

    spot: Spot
    seat: int | None
    extent: Extent
    piles: tuple[Pile, ...]
    centres: tuple[Point, ...]
    scale: float = 1.0
    inside: bool = False


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What trays stand around: the `core` of bodies and places, the same `framed` by what is written beside it, and
    the zones that lie `inside` it."""

    core: Extent
    framed: Extent
    inside: Collection[Spot]


def make_trays(
    layout: Layout, placement: Placement, board: Surroundings, rooms: Mapping[Spot, PieceRoom]
) -> tuple[Tray, ...]:
    """All zones. Those on one side of the core share its length, each as much as it really has of it."""
    piles = {zone.spot: _piles(zone, placement.get(zone.spot, ())) for zone in layout.zones}
    made = {zone.spot: _tray_in_place(zone, piles[zone.spot], rooms[zone.spot])
            for zone in layout.zones if zone.spot in board.inside}
    for side in SIDES:
        zones = [zone for zone in layout.zones
                 if zone.spot not in board.inside and _side(zone, layout.size_mm) == side]
        for zone, share in _shares(zones, side, board.core, rooms):
            made[zone.spot] = _tray(zone, piles[zone.spot], side, board.framed, share, rooms[zone.spot])
    return tuple(made[zone.spot] for zone in layout.zones)


def _shares(
    zones: Sequence[Zone], side: str, core: Extent, rooms: Mapping[Spot, PieceRoom]
) -> Iterator[tuple[Zone, tuple[float, float]]]:
    """The zones of a side in order, each with its start and length along that side."""
    across = _is_across(side)
    start, length = (core.left, core.width) if across else (core.top, core.height)
    free = length - TRAY_GAP_MM * (len(zones) - 1)
    ordered = sorted(zones, key=lambda zone: _centre(zone)[0 if across else 1])
    whole = sum(_length(zone, across) for zone in ordered)
    for zone in ordered:
        room = rooms[zone.spot]
        share = max(free * _length(zone, across) / whole, room.wide_mm * room.min_scale + 2 * TRAY_PAD_MM)
        yield zone, (start, share)
        start += share + TRAY_GAP_MM


def _is_across(side: str) -> bool:
    return side in ("top", "bottom")


def _piles(zone: Zone, pieces: tuple[Appearance, ...]) -> tuple[Pile, ...]:
    """What is drawn at one point each: a piece, a pile, all equal pieces."""
    if zone.heap == "pile":
        return (Pile(pieces),)
    ordered = sorted(pieces, key=_rank)
    if zone.heap == "alike":
        return tuple(Pile((piece,) * ordered.count(piece)) for piece in dict.fromkeys(ordered))
    return tuple(Pile((piece,)) for piece in ordered)


def _rank(appearance: Appearance) -> tuple[str, int, str]:
    """Drinks of one colour together, shortest first; anything else by name."""
    shape = shape_of(appearance)
    return (appearance.partition("/")[0], SHAPES.index(shape) if shape in SHAPES else -1, appearance)


def _centre(zone: Zone) -> Point:
    """In the drawing frame."""
    return sum(x for x, _ in zone.corners_mm) / 4, -sum(y for _, y in zone.corners_mm) / 4


def _length(zone: Zone, across: bool) -> float:
    along = [corner[0 if across else 1] for corner in zone.corners_mm]
    return max(along) - min(along)


def _side(zone: Zone, size_mm: Point) -> str:
    """The side of the whole layout at which the zone lies."""
    x, y = _centre(zone)
    right, down = x / size_mm[0] - 0.5, y / size_mm[1] + 0.5
    if abs(right) > abs(down):
        return "right" if right > 0 else "left"
    return "bottom" if down >= 0 else "top"


def _tray(
    zone: Zone, piles: tuple[Pile, ...], side: str, board: Extent, share: tuple[float, float], room: PieceRoom
) -> Tray:
    """A tray along one side of the board: `share` is its start and length along that side."""
    start, length = share
    wide, high = (room.wide_mm, room.deep_mm) if _is_across(side) else (room.deep_mm, room.wide_mm)
    count = max(len(piles), room.min_pieces)
    per_row = max(1, min(count, int((length - 2 * TRAY_PAD_MM + 0.5) // (wide * room.min_scale))))
    scale = min(room.max_scale if count <= per_row else 1.0, (length - 2 * TRAY_PAD_MM) / per_row / wide)
    deep = ceil(count / per_row) * high * scale + 2 * TRAY_PAD_MM
    first = start + (length - wide * scale * (min(per_row, count) - 1)) / 2
    along = [first + wide * scale * (n % per_row) for n in range(count)]
    inward = [TRAY_PAD_MM + high * scale * (n // per_row + 0.5) for n in range(count)]
    near = {"top": board.top - SIDE_GAP_MM - deep, "bottom": board.bottom + SIDE_GAP_MM,
            "left": board.left - SIDE_GAP_MM - deep, "right": board.right + SIDE_GAP_MM}[side]
    if _is_across(side):
        extent, centres = Extent(start, near, start + length, near + deep), [
            (a, near + i) for a, i in zip(along, inward)]
    else:
        extent, centres = Extent(near, start, near + deep, start + length), [
            (near + i, a) for a, i in zip(along, inward)]
    return Tray(zone.spot, zone.seat, extent, piles, tuple(centres[: len(piles)]), scale)


def _tray_in_place(zone: Zone, piles: tuple[Pile, ...], room: PieceRoom) -> Tray:
    """A tray that covers its zone, its pieces in rows; they move together when there are many."""
    xs, ys = [x for x, _ in zone.corners_mm], [-y for _, y in zone.corners_mm]
    extent, count = Extent(min(xs), min(ys), max(xs), max(ys)), len(piles)
    per_row = max(1, int((extent.width - TRAY_PAD_MM) // (room.wide_mm * HUDDLED)))
    rows = max(1, ceil(count / per_row))
    down = min(room.deep_mm, (extent.height - TRAY_PAD_MM) / rows)
    left = (extent.left + extent.right - room.wide_mm * (min(per_row, max(count, 1)) - 1)) / 2
    top = (extent.top + extent.bottom - down * (rows - 1)) / 2
    centres = [(left + room.wide_mm * (n % per_row), top + down * (n // per_row)) for n in range(count)]
    return Tray(zone.spot, None, extent, piles, tuple(centres), inside=True)
