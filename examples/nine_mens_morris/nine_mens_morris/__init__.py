"""Nine Men's Morris: mills of three, and men taken for them. Begin with rules.py."""

from nine_mens_morris.game import GAME

__all__ = ["GAME"]
