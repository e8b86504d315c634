"""Chess, told by a camera from occupancy and colour alone. Begin with game.py; python-chess has the rules."""

from chess_by_camera.game import GAME

__all__ = ["GAME"]
