"""Kamikaze Cans: place drinks on a 6×6 grid, jump over shorter ones, blow up cans. The rules stand in RULES.md."""

from companion.games.kamikaze_cans.game import KamikazeCans

GAME = KamikazeCans()

__all__ = ["GAME", "KamikazeCans"]
