"""The contract of a game (`game.py`, read first), records, and the checks that every game must pass.

Pure: imports only `companion.table` and `companion.errors`; knows no game. No clocks, threads, sockets or pixels.
"""

from companion.engine.game import (
    CHANCE, SET_UP, AnyGame, Chance, Choose, Coloured, Concealing, Confiding, Covering, Explaining, Game, Instructing,
    Json, Observer, OpenPart, Over, Player, Ply, Preparation, Preparing, Promising, Recognising, Seat, Seen, SetupPath,
    ToMove, Turn, coloured,
)

__all__ = [
    "CHANCE", "SET_UP", "AnyGame", "Chance", "Choose", "Coloured", "Concealing", "Confiding", "Covering", "Explaining",
    "Game", "Instructing", "Json", "Observer", "OpenPart", "Over", "Player", "Ply", "Preparation", "Preparing",
    "Promising", "Recognising", "Seat", "Seen", "SetupPath", "ToMove", "Turn", "coloured",
]
