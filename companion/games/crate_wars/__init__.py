"""Crate Wars: two players fight for six crates with coins and a vending machine. Begin with RULES.md and rules.py."""

from companion.games.crate_wars.game import CrateWars

GAME = CrateWars()

__all__ = ["GAME", "CrateWars"]
