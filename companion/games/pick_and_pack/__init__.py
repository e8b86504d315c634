"""Pick & Pack: two players, one grabber, trays of apples for four crates each. Begin with RULES.md and rules.py."""

from companion.games.pick_and_pack.game import PickAndPack

GAME = PickAndPack()

__all__ = ["GAME", "PickAndPack"]
