"""War Chest: deploy units, maneuver them with coins drawn from a bag, place all control markers. Rules in RULES.md."""

from companion.games.war_chest.game import WarChest

GAME = WarChest()

__all__ = ["GAME", "WarChest"]
