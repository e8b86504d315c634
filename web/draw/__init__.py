"""Boards, pieces and seat marks as SVG, from a `Layout` and a `Placement` alone: no line for a particular game.

    board(layout, placement, before=…)   the whole board, the last ply as halo and path
    board(…, crop=True)                  only the part that changed: the pictures of a question's choices
    touchable_board(…, marks)            with areas to touch over places and pieces
    board(…, standalone=True)            with its own symbols and colours, for files, print and other pages

`plan.py` says where everything is drawn (zones in `trays.py`, pieces in `drawn_pieces.py`, names in `labels.py`);
`furniture.py` draws what stands still, `pieces.py` drinks from above and `faces.py` flat pieces, `colours.py` says in
which colour, `last_ply.py` what a ply did. Drawing frame: millimetres, x to the right, y down, so the layout's y is
negated.
"""

from web.draw.board import PieceStyle, board, touchable_board
from web.draw.colours import SEAT_COLOURS, paint_of, seat_colour
from web.draw.faces import says_letters, short_name, tail
from web.draw.moves import PieceMove, piece_moves
from web.draw.pieces import seat_icon, symbols
from web.draw.touching import LIT, OFF, QUIET, TOUCHED, TouchMark

__all__ = [
    "LIT", "OFF", "QUIET", "SEAT_COLOURS", "TOUCHED", "PieceMove", "PieceStyle", "TouchMark",
    "board", "paint_of", "piece_moves", "says_letters", "seat_colour", "seat_icon", "short_name", "symbols", "tail",
    "touchable_board",
]
