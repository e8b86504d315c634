"""The contract of a game (`game.py`, read first), records, and the checks that every game must pass.

Pure: imports only `companion.table` and `companion.errors`; knows no game. No clocks, threads, sockets or pixels.
"""

from companion.engine.abilities import (
    Accounting, Coloured, Concealing, Confiding, Evaluating, Explaining, Hiding, Instructing, Rearranging,
    Recognising, Revealing, Sampling,
)
from companion.engine.base_game import BaseGame, OpenGame
from companion.engine.game import AnyGame, Game
from companion.engine.play import random_ply
from companion.engine.preparation import SET_UP, Preparation, Preparing
from companion.engine.values import (
    CHANCE, Chance, Choose, Json, Observer, Odds, OpenPart, Over, Player, Ply, ScorePart, ScoreParts, Seat, Seen,
    SetupPath, ToMove, Turn,
)

__all__ = [
    "CHANCE", "SET_UP", "Accounting", "AnyGame", "BaseGame", "Chance", "Choose", "Coloured", "Concealing", "Confiding",
    "Evaluating", "Explaining", "Game", "Hiding", "Instructing", "Json", "Observer", "Odds", "OpenGame", "OpenPart",
    "Over", "Player", "Ply", "Preparation", "Preparing", "Rearranging", "Recognising", "Revealing", "Sampling",
    "ScorePart", "ScoreParts", "Seat", "Seen", "SetupPath", "ToMove", "Turn", "random_ply",
]
