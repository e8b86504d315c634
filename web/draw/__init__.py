"""Boards, pieces and seat marks as SVG, from a `Layout` and a `Placement` alone: no line for a particular game.

    board(layout, placement, before=…)   the whole board, the last ply as halo and path
    board(…, crop=True)                  only the part that changed: the pictures of a question's choices
    board(…, standalone=True)            with its own symbols and colours, for files, print and other pages

`plan.py` says where everything is drawn (zones in `trays.py`), `pieces.py` how drinks look from above and `faces.py`
flat pieces, `colours.py` in which colour, `changes.py` what a ply did. Drawing frame: millimetres, x to the right, y
down, so the layout's y is negated.
"""

from web.draw.board import SHAPE_LETTERS, board
from web.draw.changes import Change, changes
from web.draw.colours import SEAT_COLOURS, paint_of, seat_colour
from web.draw.faces import says_letters, short_name, tail
from web.draw.pieces import seat_icon, symbols

__all__ = [
    "SEAT_COLOURS", "SHAPE_LETTERS", "Change", "board", "changes", "paint_of", "says_letters", "seat_colour",
    "seat_icon", "short_name", "symbols", "tail",
]
