"""A layout of 8 × 8 places on a board, with men of two colours on the two rows next to each player."""

from __future__ import annotations

from companion.table import BOARD_KIND, Body, Layout, PieceKind, Place, Placement

SIDE_MM = 400.0
PLACES = tuple(
    Place(f"square:{'abcdefgh'[column]}{row + 1}", (50.0 * column + 25.0, 50.0 * row + 25.0), (50.0, 50.0), ("man",),
          on="board")
    for row in range(8) for column in range(8))
LAYOUT = Layout((Body("board", "board:plain", (SIDE_MM / 2, SIDE_MM / 2), (SIDE_MM, SIDE_MM, 3.0)),), PLACES, (),
                (SIDE_MM, SIDE_MM), "board", (BOARD_KIND, PieceKind("man", "upright")))
START: Placement = {place.spot: (f"man:{'white' if int(place.spot[-1]) < 3 else 'black'}",) for place in PLACES
                    if int(place.spot[-1]) in (1, 2, 7, 8)}


def moved(placement: Placement, *ways: str) -> Placement:
    """The placement after men went from square to square: `e2e4`."""
    now = dict(placement)
    for way in ways:
        now[f"square:{way[2:]}"] = now.pop(f"square:{way[:2]}")
    return now
