"""Yuzu Twist: shift crates, swap drinks, fill one crate with one colour. Begin with RULES.md and rules.py."""

from companion.games.yuzu_twist.game import YuzuTwist

GAME = YuzuTwist()

__all__ = ["GAME", "YuzuTwist"]
