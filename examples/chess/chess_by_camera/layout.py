"""Where things lie in chess, in millimetres: 64 squares on a board, seat 0 (white) in front."""

from __future__ import annotations

import chess

from companion.table import BOARD_KIND, Body, Layout, PieceKind, Place

SQUARE_MM = 50.0
BOARD_MM = 8 * SQUARE_MM
MAN = PieceKind("man", "upright")
LAYOUT = Layout(
    bodies=(Body("board", "board:chess", (BOARD_MM / 2, BOARD_MM / 2), (BOARD_MM, BOARD_MM, 3.0)),),
    places=tuple(
        Place(f"square:{chess.square_name(square)}",
              ((chess.square_file(square) + 0.5) * SQUARE_MM, (chess.square_rank(square) + 0.5) * SQUARE_MM),
              (SQUARE_MM, SQUARE_MM), (MAN.name,), on="board", floor_mm=3.0)
        for square in chess.SQUARES),
    zones=(), size_mm=(BOARD_MM, BOARD_MM), block="board", kinds=(BOARD_KIND, MAN), seat_colours=("white", "black"))
