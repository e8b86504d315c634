"""The four corners of a board, as a person clicks them: each is named by the place that lies next to it.

    h8=141,9 h1=507,10 a1=510,377 a8=138,376
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.errors import InvalidError, phrase
from companion.table.layout import Body, Layout, Place
from companion.table.pieces import Point

NAMED_PX: Final = re.compile(r"(\S+)=(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)")
LEAST_SIDE_PX: Final = 40.0
"""A board with a shorter side cannot be read."""
LEAST_SINE: Final = 0.2
"""Of the angle at a corner: with a smaller one three corners lie on one line."""

Sides = tuple[bool, bool]
"""Whether a corner is on the right and on the far side of the board, as the layout draws it."""


@dataclass(frozen=True, slots=True)
class BoardCorners:
    """The corners of a board in the layout's frame (mm) and in the picture (px), in the same order, anticlockwise in
    the layout from the front left."""

    in_mm: tuple[Point, ...]
    in_px: tuple[Point, ...]


def board_of(layout: Layout) -> Body:
    """The board of a layout: its block, or its only body. Raises `InvalidError` if it has none."""
    boards = [body for body in layout.bodies if body.spot == layout.block] or list(layout.bodies)
    if len(boards) != 1:
        raise InvalidError(phrase("board.none"))
    return boards[0]


def places_of(layout: Layout) -> tuple[Place, ...]:
    """The places on the board. Raises `InvalidError` if it has none."""
    board = board_of(layout)
    places = tuple(place for place in layout.places if place.on == board.spot)
    if not places:
        raise InvalidError(phrase("board.none"))
    return places


def corner_names(layout: Layout) -> tuple[str, ...]:
    """The names of the places next to the corners, anticlockwise from the front left, as people call them."""
    places, corners = places_of(layout), _in_mm(board_of(layout))
    return tuple(_name(min(places, key=lambda place: math.dist(place.at_mm, at))) for at in corners.values())


def is_board_alone(layout: Layout) -> bool:
    """Whether all of a game is on one board with four corners: so corners are all that has to be known of a table."""
    if layout.zones or len(layout.bodies) != 1 or not layout.places:
        return False
    return len(places_of(layout)) == len(layout.places) and len(set(corner_names(layout))) == 4


def read_corners(text: str, layout: Layout) -> BoardCorners:
    """The corners that people named, in any order. Raises `InvalidError`."""
    found = NAMED_PX.findall(text)
    names = corner_names(layout)
    if NAMED_PX.sub("", text).strip(" ;") or len(found) != len(names):
        example = " ".join(f"{name}=X,Y" for name in names)
        raise InvalidError(phrase("board.corners_form", given=text.strip() or "-", example=example))
    return corners_named({name: (float(x), float(y)) for name, x, y in found}, layout)


def corners_named(named: Mapping[str, Point], layout: Layout) -> BoardCorners:
    """The corners at these pixels, by the names of places. Raises `InvalidError`."""
    board, places = board_of(layout), {_name(place): place for place in places_of(layout)}
    by_side: dict[Sides, Point] = {}
    for name, px in named.items():
        if name not in places:
            raise InvalidError(phrase("board.no_such_corner", given=name, known=corner_names(layout)))
        by_side[_sides(places[name], board)] = px
    in_mm = _in_mm(board)
    if len(by_side) != len(in_mm):
        raise InvalidError(phrase("board.same_corner", known=corner_names(layout)))
    corners = BoardCorners(tuple(in_mm.values()), tuple(by_side[sides] for sides in in_mm))
    _expect_seen_from_above(corners)
    return corners


def _name(place: Place) -> str:
    return place.spot.partition(":")[2]


def _sides(place: Place, board: Body) -> Sides:
    return place.at_mm[0] > board.at_mm[0], place.at_mm[1] > board.at_mm[1]


def _in_mm(board: Body) -> dict[Sides, Point]:
    """Where the corners are in the layout, anticlockwise from the front left."""
    (x, y), (wide, deep, _) = board.at_mm, board.size_mm
    return {(right, far): (x + (wide if right else -wide) / 2, y + (deep if far else -deep) / 2)
            for right, far in ((False, False), (True, False), (True, True), (False, True))}


def _expect_seen_from_above(corners: BoardCorners) -> None:
    """Raises `InvalidError` for corners that no camera above a board sees so: on one line, crossed over, mirrored."""
    ends = corners.in_px
    sides = [(bx - ax, by - ay) for (ax, ay), (bx, by) in zip(ends, ends[1:] + ends[:1])]
    if min(math.hypot(*side) for side in sides) < LEAST_SIDE_PX:
        raise InvalidError(phrase("board.too_small", least=int(LEAST_SIDE_PX)))
    sines = [(ax * by - ay * bx) / (math.hypot(ax, ay) * math.hypot(bx, by))
             for (ax, ay), (bx, by) in zip(sides, sides[1:] + sides[:1])]
    if min(map(abs, sines)) < LEAST_SINE:
        raise InvalidError(phrase("board.on_a_line"))
    if max(sines) > 0:  # y goes down in a picture: so it is seen turning to the left at each corner
        raise InvalidError(phrase("board.wrong_order"))
